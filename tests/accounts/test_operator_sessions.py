"""Operators' sessions: their limits, and the second factor that they need."""

import msgspec
import pyotp
import pytest
from litestar import get

from prawko.accounts.guards import requires_operator
from prawko.apps.web.app import create_app
from support.database import execute_as_owner, fetch_rows
from support.people import PASSWORD, Person, make_impersonated

pytestmark = pytest.mark.anyio

MAKE_OPERATOR = "UPDATE user_account SET is_admin = true WHERE email_key = $1"
AGE = "UPDATE login_session SET {} = now() - interval '{}'"


@get("/operators-only", guards=[requires_operator], sync_to_thread=False)
def operators_only() -> str:
    """A call of operators."""
    return "come in"


@pytest.fixture
async def operator(anna: Person, logins) -> Person:
    await execute_as_owner(logins, MAKE_OPERATOR, anna.email)
    return anna


@pytest.fixture
def strict_browser(context, browser_for_app):
    """Creates browsers for a panel whose operators need a second factor, as by default."""
    settings = msgspec.structs.replace(context.settings, require_operator_second_factor=True)
    strict = type(context)(**{**_fields(context), "settings": settings})
    app = create_app(strict, extra_handlers=[operators_only])
    return lambda: browser_for_app(app)


def _fields(context) -> dict[str, object]:
    return {name: getattr(context, name) for name in context.__dataclass_fields__}


@pytest.mark.parametrize(
    ("column", "age", "status"),
    [
        ("last_seen_at", "29 minutes 55 seconds", 200),
        ("last_seen_at", "30 minutes 1 second", 401),
        ("created_at", "11 hours 59 minutes", 200),
        ("created_at", "12 hours 1 second", 401),
    ],
)
async def test_an_operators_session_ends_after_30_idle_minutes_and_after_12_hours(
    operator, logins, column, age, status
) -> None:
    await execute_as_owner(logins, AGE.format(column, age))

    assert (await operator.get("/api/user")).status_code == status


@pytest.mark.parametrize(
    ("column", "age"), [("last_seen_at", "31 minutes"), ("created_at", "2 days")]
)
async def test_a_customers_session_is_no_shorter_for_it(anna, logins, column, age) -> None:
    await execute_as_owner(logins, AGE.format(column, age))

    assert (await anna.get("/api/user")).status_code == 200


async def test_an_impersonation_ends_when_it_is_idle(anna, logins) -> None:
    await make_impersonated(logins.owner)
    assert (await anna.get("/api/user")).status_code == 200
    await execute_as_owner(logins, AGE.format("last_seen_at", "31 minutes"))

    assert (await anna.get("/api/user")).status_code == 401


async def test_an_operator_at_work_stays_signed_in(operator, logins) -> None:
    back = "UPDATE login_session SET last_seen_at = last_seen_at - interval '20 minutes'"
    for _ in range(3):
        await execute_as_owner(logins, back)
        assert (await operator.get("/api/user")).status_code == 200


async def test_an_operators_request_is_recorded_once_a_minute(operator, logins) -> None:
    async def last_seen():
        rows = await fetch_rows(logins, "SELECT last_seen_at FROM login_session")
        return rows[0]["last_seen_at"]

    await execute_as_owner(logins, AGE.format("last_seen_at", "50 seconds"))
    before = await last_seen()
    await operator.get("/api/user")
    assert await last_seen() == before
    await execute_as_owner(logins, AGE.format("last_seen_at", "61 seconds"))
    before = await last_seen()
    await operator.get("/api/user")
    assert await last_seen() > before


async def test_an_operators_dead_sessions_are_not_listed(operator, new_browser, logins) -> None:
    await execute_as_owner(logins, AGE.format("last_seen_at", "31 minutes"))
    elsewhere = Person(operator.email, new_browser())
    await elsewhere.sign_in()

    assert len((await elsewhere.get("/api/sessions")).json()) == 1


async def test_an_operator_without_a_second_factor_has_to_set_one_up(
    operator, strict_browser
) -> None:
    person = Person(operator.email, strict_browser())
    await person.sign_in()

    refused = await person.get("/operators-only")
    assert (refused.status_code, refused.json()) == (
        403,
        {
            "error": "second_factor_setup_required",
            "message": "Najpierw włącz weryfikację dwuetapową w ustawieniach konta.",
        },
    )
    assert (await person.get("/api/user/second-factor")).json()["required"] is True

    secret = (await person.post("/api/user/second-factor", {"password": PASSWORD})).json()["secret"]
    code = pyotp.TOTP(secret).now()
    confirmed = await person.post("/api/user/second-factor/confirm", {"code": code})
    assert confirmed.status_code == 200

    assert (await person.get("/operators-only")).text == "come in"
    recovery_code = confirmed.json()["recoveryCodes"][0]
    answer = await person.browser.request(
        "DELETE", "/api/user/second-factor", json={"password": PASSWORD, "code": recovery_code}
    )
    assert answer.status_code == 200
    assert (await person.get("/operators-only")).status_code == 403


async def test_a_session_from_before_the_second_factor_opens_nothing_to_an_operator(
    operator, strict_browser, logins
) -> None:
    person = Person(operator.email, strict_browser())
    await person.sign_in()
    await execute_as_owner(logins, "UPDATE login_session SET second_factor_at = NULL")

    assert (await person.get("/operators-only")).status_code == 403


async def test_other_users_learn_nothing(anna, celina, strict_browser) -> None:
    visitor = strict_browser()
    assert (await visitor.get("/operators-only")).json()["error"] == "auth_required"
    person = Person(celina.email, strict_browser())
    await person.sign_in()
    assert (await person.get("/operators-only")).json()["error"] == "auth_forbidden"
