"""What a subscription's period was bought for, in the API and in the export."""

from datetime import date, timedelta

import pytest

from prawko.billing import price
from prawko.billing.models import SubscriptionStatus
from prawko.console.subscription_change import OperatorChange, change_subscription
from prawko.kit.clock import warsaw_date
from prawko_tenants.ids import TenantId
from support.archives import json_rows, open_archive
from support.database import execute_as_owner, fetch_rows
from support.fake_payments import providers, variables  # noqa: F401 (fixtures)
from support.orders import OrderScenario, fetch_subscription

pytestmark = pytest.mark.anyio

CHANGE = "/api/subscription/change-limit"


@pytest.fixture
def scenario(worker, logins, fake) -> OrderScenario:
    return OrderScenario(worker, logins, fake)


async def prices(person) -> tuple[int, int]:
    view = await fetch_subscription(person)
    return view["priceNet"], view["nextPriceNet"]


async def exported_prices(person) -> list[str]:
    archive = open_archive(await person.get("/api/company/export"))
    return [row["priceNet"] for row in json_rows(archive, "subscriptions")]


async def change_as_operator(person, worker, clock, **values: object) -> None:
    async with worker.database.tenant(TenantId(await person.tenant_id(worker))) as session:
        await change_subscription(session, OperatorChange(**values), clock.now())


def days_ahead(clock, days: int) -> date:
    return warsaw_date(clock.now()) + timedelta(days=days)


async def test_a_change_of_prices_changes_no_period_that_was_bought(
    anna, scenario, clock, monkeypatch
) -> None:
    assert await prices(anna) == (0, 0)  # a trial
    await scenario.buy(anna, 10)  # before the trial ends
    monkeypatch.setattr(price, "FIRST_BLOCK_NET", 300_00)

    assert await prices(anna) == (199_00, 350_00)
    assert await exported_prices(anna) == ["0.00", "199.00"]
    clock.forward(days=60)
    assert await prices(anna) == (199_00, 350_00)  # the last period
    await scenario.buy(anna, 10)
    assert await prices(anna) == (350_00, 350_00)
    assert await exported_prices(anna) == ["0.00", "350.00"]


async def test_the_prices_of_periods_add_up_to_the_invoices(newcomer, scenario, clock) -> None:
    """A higher limit counts to the days that it covers, a further period from its start."""
    await scenario.buy(newcomer, 5)
    clock.forward(days=10)
    answer = await newcomer.post(CHANGE, {"driverLimit": 10, "method": "przelewy24"})
    assert await prices(newcomer) == (149_00, 149_00)  # not paid
    await scenario.pay(newcomer, answer.json()["orderId"])
    assert await prices(newcomer) == (149_00 + 33_33, 199_00)
    await scenario.buy(newcomer, 15)  # an order of two lines
    first = await prices(newcomer)
    assert first == (149_00 + 33_33 + 33_33, 249_00)
    await newcomer.post(CHANGE, {"driverLimit": 5})
    assert await prices(newcomer) == (first[0], 149_00)

    clock.forward(days=21)

    second = await prices(newcomer)
    assert second == (249_00, 149_00)
    invoices = await fetch_rows(scenario.logins, "SELECT net FROM invoice")
    assert first[0] + second[0] == sum(row["net"] for row in invoices)


@pytest.mark.parametrize(
    ("limits", "upgrade", "shares"),
    [
        ((5, 5), 10, (33_33, 50_00)),  # 20 and 30 days
        ((20, 5), 25, (33_33, 200_00)),  # of two lines
        ((5, 5, 5), 15, (66_67, 100_00, 100_00)),
    ],
)
async def test_an_upgrade_counts_to_the_periods_that_it_covers(
    newcomer, scenario, clock, limits, upgrade, shares
) -> None:
    for limit in limits:
        await scenario.buy(newcomer, limit)
    clock.forward(days=10)
    answer = await newcomer.post(CHANGE, {"driverLimit": upgrade, "method": "przelewy24"})
    await scenario.pay(newcomer, answer.json()["orderId"])

    found = []
    for _ in limits:
        found.append((await prices(newcomer))[0])
        clock.forward(days=30)
    expected = [
        price.period_price(one).net + share for one, share in zip(limits, shares, strict=True)
    ]
    assert found == expected
    invoices = await fetch_rows(scenario.logins, "SELECT net FROM invoice")
    assert sum(found) == sum(row["net"] for row in invoices)


async def test_a_change_by_an_operator_in_the_moment_of_a_payment_has_no_price(
    newcomer, scenario, worker, clock
) -> None:
    await scenario.buy(newcomer, 10)
    await change_as_operator(newcomer, worker, clock, end_day=days_ahead(clock, 60))
    await execute_as_owner(
        scenario.logins,
        "UPDATE subscription_history SET changed_at = (SELECT issued_at FROM invoice)",
    )
    clock.forward(days=45)
    assert await prices(newcomer) == (0, 199_00)


async def test_a_period_that_the_release_before_has_recorded_has_its_price(
    newcomer, scenario, worker
) -> None:
    await scenario.buy(newcomer, 10)
    await execute_as_owner(scenario.logins, "UPDATE subscription_history SET order_id = NULL")
    assert await prices(newcomer) == (199_00, 199_00)


async def test_a_period_set_by_an_operator_has_no_price(newcomer, scenario, worker, clock) -> None:
    active = SubscriptionStatus.ACTIVE
    await change_as_operator(
        newcomer, worker, clock, driver_limit=10, end_day=days_ahead(clock, 3), status=active
    )
    assert await prices(newcomer) == (0, 199_00)
    await scenario.buy(newcomer, 10)
    assert await prices(newcomer) == (0, 199_00)
    clock.forward(days=5)
    assert await prices(newcomer) == (199_00, 199_00)
    await change_as_operator(newcomer, worker, clock, driver_limit=20)
    assert await prices(newcomer) == (199_00, 299_00)
    await change_as_operator(newcomer, worker, clock, end_day=days_ahead(clock, 60))
    assert await prices(newcomer) == (199_00, 299_00)

    clock.forward(days=45)

    assert await prices(newcomer) == (0, 299_00)
    assert await exported_prices(newcomer) == ["0.00"]


async def test_a_closed_period_keeps_its_price_until_an_operator_gives_another(
    newcomer, scenario, worker, clock
) -> None:
    await scenario.buy(newcomer, 10)
    await change_as_operator(newcomer, worker, clock, status=SubscriptionStatus.INACTIVE)
    assert await prices(newcomer) == (199_00, 199_00)
    clock.forward(days=60)
    assert await prices(newcomer) == (199_00, 199_00)

    await change_as_operator(
        newcomer, worker, clock, status=SubscriptionStatus.ACTIVE, end_day=days_ahead(clock, 7)
    )

    assert await prices(newcomer) == (0, 199_00)
