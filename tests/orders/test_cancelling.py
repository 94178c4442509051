"""Cancelling and resuming: access stays until the end (reading R5)."""

import asyncio

import pytest

from buying import ACME, shown
from prawko.billing.jobs import close_ended_subscriptions
from stored import look, subscribed

pytestmark = pytest.mark.anyio

CANCEL, RESUME = "/api/subscription/cancel", "/api/subscription/resume"
JAN = {"firstName": "Jan", "lastName": "Nowak", "licenseNumber": "AA123456"}


async def refused(answer, key, sentence) -> None:
    assert answer.status_code == 409
    assert answer.json() == {"error": key, "message": sentence}


@pytest.fixture
async def paid(newcomer, till):
    await till.buys(newcomer, 5)
    return newcomer


async def test_who_cancels_keeps_access_until_the_end(paid, till, worker, clock) -> None:
    until = (await shown(paid))["endDate"]

    answer = await paid.post(CANCEL)

    assert answer.json() == {"status": "active", "cancelled": True, "endsAt": until}
    assert (await paid.post("/api/drivers", JAN)).status_code == 201
    told = await shown(paid)
    assert (told["status"], told["cancelled"], told["endDate"]) == ("active", True, until)
    note = "Anulowana przez klienta, dostęp do 21.12.2026"
    assert (await till.history())[-1] == ("active", "active", note)

    clock.forward(days=31)
    assert (await paid.post("/api/drivers", JAN)).status_code == 403
    for _ in range(2):
        await close_ended_subscriptions(worker)
    assert (await till.history())[-1][:2] == ("active", "cancelled")
    assert len(await till.history()) == 3


async def test_a_trial_may_be_cancelled(anna, worker, clock) -> None:
    assert (await anna.post(CANCEL)).json()["cancelled"] is True

    clock.forward(days=8)
    await close_ended_subscriptions(worker)

    assert (await shown(anna))["status"] == "cancelled"


async def test_what_is_cancelled_is_resumed_before_its_end(paid, till, logins) -> None:
    before = await shown(paid)
    [stored] = await look(logins, "SELECT end_date, checked_until FROM subscription")
    await paid.post(CANCEL)

    answer = await paid.post(RESUME)

    assert answer.status_code == 200
    assert answer.json() == before
    assert [stored] == await look(logins, "SELECT end_date, checked_until FROM subscription")
    assert [row[2] for row in await till.history()][-1] == "Klient wycofał anulowanie"


async def test_nothing_is_cancelled_twice_or_where_nothing_runs(
    paid, anna, worker, clock, visitor, mailbox
) -> None:
    sentence = "Nie ma subskrypcji, którą można anulować."
    await paid.post(CANCEL)
    await refused(await paid.post(CANCEL), "nothing_to_cancel", sentence)

    clock.forward(days=31)
    await refused(await anna.post(CANCEL), "nothing_to_cancel", sentence)
    await subscribed(anna, worker, status="inactive")
    await refused(await anna.post(CANCEL), "nothing_to_cancel", sentence)


async def test_nothing_is_resumed_that_was_not_cancelled_or_is_over(paid, clock) -> None:
    sentence = "Nie ma anulowanej subskrypcji, którą można wznowić."
    await refused(await paid.post(RESUME), "nothing_to_resume", sentence)

    await paid.post(CANCEL)
    clock.forward(days=31)
    await refused(await paid.post(RESUME), "nothing_to_resume", sentence)


async def test_two_who_cancel_at_once_are_one(paid, till) -> None:
    answers = await asyncio.gather(*(paid.post(CANCEL) for _ in range(4)))

    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert len(await till.history()) == 2


async def test_in_the_grace_cancelling_ends_the_charges_and_the_checks(
    paid, till, worker, clock, logins
) -> None:
    clock.forward(days=30, hours=1)
    await close_ended_subscriptions(worker)
    told = await shown(paid)
    assert (told["status"], told["renews"]) == ("expired", True)
    assert told["graceUntil"] is not None

    answer = await paid.post(CANCEL)

    assert (answer.status_code, answer.json()["status"]) == (200, "expired")
    told = await shown(paid)
    assert (told["graceUntil"], told["renews"]) == (None, False)
    [row] = await look(logins, "SELECT * FROM subscription")
    assert row["checked_until"] == row["end_date"]
    assert (await till.history())[-1][:2] == ("expired", "expired")


async def test_a_higher_limit_takes_no_cancelling_back(paid) -> None:
    await paid.post(CANCEL)
    await paid.put("/api/user/billing-details", {**ACME, "city": "Łódź"})

    answer = await paid.post("/api/subscription/change-limit", {"driverLimit": 10})

    told = answer.json()["subscription"]
    assert (told["driverLimit"], told["cancelled"], told["renews"]) == (10, True, False)
    assert told["companyDetails"] == ACME, "as its period was ordered"
