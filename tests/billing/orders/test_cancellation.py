"""Cancelling and resuming: access stays until the end (docs/rules.md R5)."""

import asyncio

import pytest

from prawko.billing.jobs import expire_ended_subscriptions
from support.database import fetch_rows, insert_subscription
from support.orders import ACME_DETAILS, fetch_subscription

pytestmark = pytest.mark.anyio

CANCEL, RESUME = "/api/subscription/cancel", "/api/subscription/resume"
JAN = {"firstName": "Jan", "lastName": "Nowak", "licenseNumber": "AA123456"}


async def assert_refused(answer, key, sentence) -> None:
    assert answer.status_code == 409
    assert answer.json() == {"error": key, "message": sentence}


@pytest.fixture
async def subscriber(newcomer, scenario):
    await scenario.buy(newcomer, 5)
    return newcomer


async def test_a_cancelled_subscription_has_access_until_the_end(
    subscriber, scenario, worker, clock
) -> None:
    end_date = (await fetch_subscription(subscriber))["endDate"]

    answer = await subscriber.post(CANCEL)

    assert answer.json() == {"status": "active", "cancelled": True, "endsAt": end_date}
    assert (await subscriber.post("/api/drivers", JAN)).status_code == 201
    payload = await fetch_subscription(subscriber)
    assert (payload["status"], payload["cancelled"], payload["endDate"]) == (
        "active",
        True,
        end_date,
    )
    note = "Anulowana przez klienta, dostęp do 21.12.2026"
    assert (await scenario.history_rows())[-1] == ("active", "active", note)

    clock.forward(days=31)
    assert (await subscriber.post("/api/drivers", JAN)).status_code == 403
    for _ in range(2):
        await expire_ended_subscriptions(worker)
    assert (await scenario.history_rows())[-1][:2] == ("active", "cancelled")
    assert len(await scenario.history_rows()) == 3


async def test_a_trial_may_be_cancelled(anna, worker, clock) -> None:
    assert (await anna.post(CANCEL)).json()["cancelled"] is True

    clock.forward(days=8)
    await expire_ended_subscriptions(worker)

    assert (await fetch_subscription(anna))["status"] == "cancelled"


async def test_a_cancelled_subscription_is_resumed_before_its_end(
    subscriber, scenario, logins
) -> None:
    before = await fetch_subscription(subscriber)
    [stored] = await fetch_rows(logins, "SELECT end_date, monitored_until FROM subscription")
    await subscriber.post(CANCEL)

    answer = await subscriber.post(RESUME)

    assert answer.status_code == 200
    assert answer.json() == before
    assert [stored] == await fetch_rows(
        logins, "SELECT end_date, monitored_until FROM subscription"
    )
    assert [row[2] for row in await scenario.history_rows()][-1] == "Klient wycofał anulowanie"


async def test_only_an_active_subscription_can_be_cancelled_and_once(
    subscriber, anna, worker, clock, new_browser, mailbox
) -> None:
    sentence = "Nie ma subskrypcji, którą można anulować."
    await subscriber.post(CANCEL)
    await assert_refused(await subscriber.post(CANCEL), "nothing_to_cancel", sentence)

    clock.forward(days=31)
    await assert_refused(await anna.post(CANCEL), "nothing_to_cancel", sentence)
    await insert_subscription(anna, worker, status="inactive")
    await assert_refused(await anna.post(CANCEL), "nothing_to_cancel", sentence)


async def test_only_a_cancelled_subscription_can_be_resumed_before_its_end(
    subscriber, clock
) -> None:
    sentence = "Nie ma anulowanej subskrypcji, którą można wznowić."
    await assert_refused(await subscriber.post(RESUME), "nothing_to_resume", sentence)

    await subscriber.post(CANCEL)
    clock.forward(days=31)
    await assert_refused(await subscriber.post(RESUME), "nothing_to_resume", sentence)


async def test_concurrent_cancellations_take_effect_once(subscriber, scenario) -> None:
    answers = await asyncio.gather(*(subscriber.post(CANCEL) for _ in range(4)))

    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert len(await scenario.history_rows()) == 2


async def test_cancelling_in_the_grace_period_ends_charges_and_monitoring(
    subscriber, scenario, worker, clock, logins
) -> None:
    clock.forward(days=30, hours=1)
    await expire_ended_subscriptions(worker)
    payload = await fetch_subscription(subscriber)
    assert (payload["status"], payload["renews"]) == ("expired", True)
    assert payload["graceUntil"] is not None

    answer, cancelled_at = await subscriber.post(CANCEL), clock.now()

    assert (answer.status_code, answer.json()["status"]) == (200, "expired")
    payload = await fetch_subscription(subscriber)
    assert (payload["graceUntil"], payload["renews"]) == (None, False)
    [row] = await fetch_rows(logins, "SELECT * FROM subscription")
    assert row["end_date"] < row["monitored_until"] <= cancelled_at
    assert (await scenario.history_rows())[-1][:2] == ("expired", "expired")


async def test_a_higher_limit_does_not_resume_a_cancelled_subscription(subscriber) -> None:
    await subscriber.post(CANCEL)
    await subscriber.put("/api/user/billing-details", {**ACME_DETAILS, "city": "Łódź"})

    answer = await subscriber.post("/api/subscription/change-limit", {"driverLimit": 10})

    payload = answer.json()["subscription"]
    assert (payload["driverLimit"], payload["cancelled"], payload["renews"]) == (10, True, False)
    assert payload["companyDetails"] == ACME_DETAILS, "those of the order"
