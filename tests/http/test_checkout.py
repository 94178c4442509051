"""Ordering a period: what it costs, who may, and where the browser goes on."""

from datetime import datetime

import pytest

from buying import ACME, TAKES_MONEY, Till, shown
from prawko.hooks.payments import PaymentProvider
from prawko.testing.fake_payments import FakeProvider

pytestmark = pytest.mark.anyio


@pytest.fixture
def fake() -> FakeProvider:
    return FakeProvider()


@pytest.fixture
def providers(fake) -> list[PaymentProvider]:
    return [fake]


@pytest.fixture
def variables(variables) -> dict[str, str]:
    return {**variables, **TAKES_MONEY}


@pytest.fixture
def till(worker, logins, fake) -> Till:
    return Till(worker, logins, fake)


async def test_a_trial_is_followed_by_the_period_that_is_paid_for(anna, till) -> None:
    trial = await shown(anna)

    order = await till.buys(anna, 15)

    paid = await shown(anna)
    assert (paid["status"], paid["driverLimit"], paid["isTrial"]) == ("active", 15, False)
    assert paid["priceNet"] == 249_00
    assert paid["companyDetails"] == paid["user"] == ACME
    days = datetime.fromisoformat(paid["endDate"]) - datetime.fromisoformat(trial["endDate"])
    assert days.days == 30
    assert (await till.order(order))["state"] == "paid"
    assert [row[2] for row in await till.history()][-1] == "Opłacono pierwszy okres"
