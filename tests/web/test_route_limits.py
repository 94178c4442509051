"""The rate limits that routes name in their `opt`."""

import pytest

from prawko.apps.web.app import create_app
from prawko.limits import COMPANY_LIMIT, USER_LIMIT, list_limits
from support.people import Person

pytestmark = pytest.mark.anyio

IMPORT = "/api/drivers/import"


async def test_a_malformed_call_counts_for_the_company(anna, bartek, celina, context) -> None:
    context.max_tries["driver_import"] = 1

    answers = [await person.post(IMPORT, {"rows": ""}) for person in (anna, bartek, celina)]

    assert [answer.status_code for answer in answers] == [422, 429, 422]
    assert int(answers[1].headers["retry-after"]) > 3000


async def test_a_call_that_a_guard_refuses_does_not_count(anna, new_browser, context) -> None:
    context.max_tries["driver_import"] = 1
    dorota = Person("dorota@nowa.test", new_browser())
    await dorota.sign_up()

    for _ in range(2):
        assert (await dorota.post(IMPORT, {})).json()["error"] == "email_unverified"
        assert (await new_browser().post(IMPORT, json={})).status_code == 401


async def test_the_limits_of_routes_are_those_of_the_page(context) -> None:
    routes = create_app(context).routes
    named = {
        handler.opt[key].scope
        for route in routes
        for handler in getattr(route, "route_handlers", ())
        for key in (COMPANY_LIMIT, USER_LIMIT)
        if key in handler.opt
    }

    assert named == {
        "account_change", "agreement", "company_export", "confirmation", "day_confirmation",
        "driver_acknowledgement",
        "driver_export", "driver_import", "driver_import_preview", "driver_list_export",
        "test_alert",
    }  # fmt: skip
    assert named <= {limit.scope for limit in list_limits()}
