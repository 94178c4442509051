"""Companies that buy and are renewed, with a bank at the test's mercy."""

from collections.abc import Callable

import pytest

from payments_shop import SELLER
from persons import Person
from prawko.base.jobs import Tools
from prawko.billing import jobs
from prawko.billing.fulfilment import Fulfilment
from prawko.billing.jobs import close_ended_subscriptions, tell_of_near_ends
from prawko.billing.renewal_jobs import apply_next_limits, renew_subscriptions
from prawko.hooks.payments import PaymentProvider
from prawko.payments.buyers import till
from prawko.payments.jobs import ask_open_payments, work_on_payments
from prawko.payments.telling import tell_of_payments
from prawko.testing.fakes import MovableClock
from prawko.verifications.stale_results import tell_of_stale_results
from prawko_tenants.logins import Logins
from renewing_bank import Bank, Customer


@pytest.fixture
def bank() -> Bank:
    return Bank()


@pytest.fixture
def providers(bank) -> list[PaymentProvider]:
    """The panel and the worker have the same one, as they would have the same server."""
    return [bank]


@pytest.fixture
def variables(variables) -> dict[str, str]:
    return {**variables, **SELLER, "PAYMENT_PROVIDERS": Bank.name}


@pytest.fixture
def wired(worker: Tools, monkeypatch) -> None:
    """Payments know who buys, as in every process of the product."""
    monkeypatch.setattr(till, "_buyers", Fulfilment(worker))


@pytest.fixture
def work(worker: Tools, wired) -> Callable:
    """What the worker does by its timetable, once, as one that has just started."""

    async def run() -> None:
        jobs._seen.clear()
        for job in (
            work_on_payments, ask_open_payments, apply_next_limits, renew_subscriptions,
            close_ended_subscriptions, tell_of_near_ends, tell_of_stale_results,
            tell_of_payments,
        ):  # fmt: skip
            await job(worker)

    return run


@pytest.fixture
def customer(bank: Bank, logins: Logins, worker: Tools, visitor) -> Callable:
    """Makes a customer of a person."""

    async def make(person: Person) -> Customer:
        return Customer(person, bank, logins, await person.tenant_id(worker), visitor())

    return make


@pytest.fixture
async def acme(anna: Person, customer, work, clock: MovableClock) -> Customer:
    """Anna's company: its trial over, then a period paid by card, which the bank has saved."""
    customer = await customer(anna)
    clock.forward(days=8)
    await work()
    await customer.pays(await customer.orders())
    await work()
    return customer
