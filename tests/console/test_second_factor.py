"""The console and the operators' second factor."""

import dataclasses

import msgspec
import pyotp
import pytest

from prawko.apps.web.app import create_app
from prawko.apps.web.console_app import create_console_app
from prawko.apps.web.console_site import SiteDispatcher
from support.database import fetch_rows
from support.people import PASSWORD, Person

pytestmark = pytest.mark.anyio

REASON = {"reason": "a call"}
SECOND_FACTOR = "/api/user/second-factor"


@pytest.fixture
async def strict_olga(olga, context, console, browser_for_app) -> Person:
    """Olga, signed in to a site whose operators need a second factor, as by default."""
    panel, operators = (
        dataclasses.replace(
            one, settings=msgspec.structs.replace(one.settings, require_operator_second_factor=True)
        )
        for one in (context, console)
    )
    site = SiteDispatcher(create_app(panel), create_console_app(operators))
    person = Person(olga.email, browser_for_app(site))
    await person.sign_in()
    return person


async def set_up(person: Person) -> None:
    secret = (await person.post(SECOND_FACTOR, {"password": PASSWORD})).json()["secret"]
    answer = await person.post(f"{SECOND_FACTOR}/confirm", {"code": pyotp.TOTP(secret).now()})
    assert answer.status_code == 200, answer.text


async def test_without_it_calls_are_refused_and_pages_lead_to_the_set_up(strict_olga) -> None:
    refused = await strict_olga.get("/api/admin/users")
    page = await strict_olga.get("/admin/")

    assert refused.json()["error"] == "second_factor_setup_required"
    assert (page.status_code, page.headers["location"]) == (303, "/panel/account")

    await set_up(strict_olga)
    assert (await strict_olga.get("/api/admin/users")).status_code == 200


async def test_leaving_an_impersonation_keeps_the_confirmed_sign_in(
    strict_olga, anna, logins
) -> None:
    await set_up(strict_olga)
    [anna_row] = await fetch_rows(
        logins, "SELECT id FROM user_account WHERE email_key = $1", anna.email
    )
    started = await strict_olga.post(f"/api/admin/impersonate/{anna_row['id']}", REASON)
    assert started.status_code == 200, started.text
    assert (await strict_olga.get(SECOND_FACTOR)).status_code == 403

    assert (await strict_olga.post("/api/impersonation/leave")).status_code == 200

    assert (await strict_olga.get("/api/admin/users")).status_code == 200
