"""A person asks for a test alert, and nobody else gets it."""

from datetime import datetime

import pytest

from prawko.kit.clock import WARSAW
from support.database import execute_as_owner, fetch_rows
from support.statements import record_statements

pytestmark = pytest.mark.anyio
URL = "/api/notifications/test"
NIGHT = datetime(2026, 11, 24, 3, 0, tzinfo=WARSAW)


async def outbox(logins) -> list[tuple[str, str]]:
    rows = await fetch_rows(
        logins,
        "SELECT u.email, d.channel_medium, d.not_before FROM delivery d"
        "  JOIN user_account u ON u.id = d.user_id WHERE d.kind = 'notice'",
    )
    assert all(row["not_before"] is None for row in rows)  # a user who asks at night is awake
    return sorted((row["email"], row["channel_medium"]) for row in rows)


async def test_it_leaves_for_the_caller_alone_by_the_channels_that_are_on(
    anna, bartek, celina, clock, logins
) -> None:
    await execute_as_owner(
        logins,
        "UPDATE user_account SET phone_number = '+48600100200', phone_verified = true,"
        " sms_notifications_enabled = true",
    )
    clock.set(NIGHT)

    answer = await anna.post(URL)

    assert answer.status_code == 200
    assert sorted(answer.json()["media"]) == ["email", "sms"]
    assert await outbox(logins) == [("anna@acme.test", "email"), ("anna@acme.test", "sms")]
    [entry] = (await anna.get("/api/notifications")).json()
    assert entry["type"] == "test_alert"
    assert "nie istnieje" in entry["content"]
    for other in (bartek, celina):
        assert (await other.get("/api/notifications")).json() == []


async def test_the_members_are_read_once(anna, bartek) -> None:
    with record_statements() as statements:
        assert (await anna.post(URL)).status_code == 200

    assert len([one for one in statements if "email_notifications_enabled" in one]) == 1


async def test_with_both_channels_off_it_is_in_the_panel(anna, logins) -> None:
    await anna.put("/api/notifications/settings", {"emailEnabled": False, "smsEnabled": False})

    assert (await anna.post(URL)).json() == {"media": []}
    assert await outbox(logins) == []
    assert len((await anna.get("/api/notifications")).json()) == 1


async def test_a_sixth_on_one_day_is_refused_and_a_colleague_has_a_limit_of_her_own(
    anna, bartek
) -> None:
    answers = [(await anna.post(URL)).status_code for _ in range(6)]

    assert answers == [200] * 5 + [429]
    assert (await bartek.post(URL)).status_code == 200


async def test_it_is_no_driver_of_the_company(anna) -> None:
    await anna.post(URL)

    assert (await anna.get("/api/drivers")).json() == []
