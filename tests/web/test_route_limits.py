"""The rate limits that routes name in their `opt`."""

import pytest

from prawko.apps.web.app import create_app
from prawko.limits import COMPANY_LIMIT, USER_LIMIT, list_limits
from support.database import fetch_rows
from support.people import Person

pytestmark = pytest.mark.anyio

IMPORT = "/api/drivers/import"
# Operations that write, and name no limit: what limits them, or why they need none.
COUNTED_WHERE_THE_TRY_IS_KNOWN = {
    "login", "register", "sendEmailCode", "verifyEmail", "requestPasswordReset", "resetPassword",
    "checkResetLink", "loginSecondFactor", "sendPhoneCode", "verifyPhone", "startTrial",
    "createCheckoutSession", "acknowledgeByLink", "viewAcknowledgementLink", "addDriver",
    "addAlertRecipient", "inviteAlertRecipient", "viewAlertLink", "confirmAlerts", "checkDriver",
    "stopAlerts", "resumeAlerts", "eraseCompany", "sendTicket", "sendContactMessage",
    "takeEvents",
}  # fmt: skip
ONCE_FOR_WHAT_A_LIMITED_ONE_MADE = {
    "logout", "revokeSession", "revokeOtherSessions", "leaveImpersonation", "removeDriver",
    "removeDrivers", "readNotification", "readAllNotifications", "removeNotification",
    "removeAlertRecipient", "removeMember", "acceptDocuments",
}  # fmt: skip
WRITES_NO_ROW_OF_ITS_OWN = {"checkPassword", "renewPush"}


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
        "driver_acknowledgement", "driver_change",
        "driver_export", "driver_import", "driver_import_preview", "driver_list_export",
        "test_alert",
    }  # fmt: skip
    assert named <= {limit.scope for limit in list_limits()}


async def test_what_writes_has_a_limit(context) -> None:
    without = {
        handler.operation_id
        for route in create_app(context).routes
        for handler in getattr(route, "route_handlers", ())
        if handler.http_methods - {"GET", "HEAD", "OPTIONS"}
        and not {COMPANY_LIMIT, USER_LIMIT} & set(handler.opt)
    }

    assert without == (
        COUNTED_WHERE_THE_TRY_IS_KNOWN | ONCE_FOR_WHAT_A_LIMITED_ONE_MADE | WRITES_NO_ROW_OF_ITS_OWN
    )


async def test_changes_to_and_fro_are_limited(anna, context, logins) -> None:
    context.max_tries.update(account_change=4, driver_change=6)
    ids = [await anna.add_driver(number) for number in ("AA123456", "AA123457")]
    driver = f"/api/drivers/{ids[0]}"

    turns = [
        (await anna.post(f"/api/subscription/{turn}")).status_code
        for turn in ("cancel", "resume") * 3
    ]
    flips = [
        (await anna.put(driver, {"neededCategories": [category]})).status_code
        for category in "BCBC"
    ]
    several = [
        (
            await anna.put(
                "/api/drivers/needed-categories",
                {"driverIds": ids, "neededCategories": [category]},
            )
        ).status_code
        for category in "CB"
    ]
    for _ in range(5):
        assert (await anna.post("/api/sessions/revoke-others")).json()["count"] == 0

    assert (turns, flips, several) == ([200] * 4 + [429] * 2, [200] * 4, [200, 429])
    revoked = "SELECT 1 FROM user_activity WHERE activity_type = 'sessions_revoked'"
    assert await fetch_rows(logins, revoked) == []
