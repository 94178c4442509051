"""Companies that order and are renewed, with a scripted bank."""

from collections.abc import Callable

import pytest

from prawko.billing.jobs import (
    ProcessedEnds,
    apply_scheduled_limits,
    expire_ended_subscriptions,
    renew_subscriptions,
    send_subscription_reminders,
)
from prawko.hooks.payments import PaymentProvider
from prawko.kit.context import AppContext
from prawko.payments.incidents import report_payment_incidents
from prawko.payments.jobs import poll_open_payments, process_payment_events
from prawko.verifications.month_summaries import send_month_summaries
from prawko.verifications.stale_results import notify_stale_results
from prawko_tenants.logins import Logins
from prawko_testing.clock import MovableClock
from prawko_testing.fake_payments import FakePaymentProvider
from support.payments import SELLER_VARIABLES
from support.people import Person
from support.renewals import RenewalCustomer


@pytest.fixture
def bank() -> FakePaymentProvider:
    return FakePaymentProvider()


@pytest.fixture
def providers(bank) -> list[PaymentProvider]:
    """One provider for the panel and the worker, as they would call one server."""
    return [bank]


@pytest.fixture
def variables(variables) -> dict[str, str]:
    return {**variables, **SELLER_VARIABLES, "PAYMENT_PROVIDERS": FakePaymentProvider.name}


@pytest.fixture
def run_jobs(worker: AppContext) -> Callable:
    """Run all periodic jobs once, as a worker that has just started."""

    async def run() -> None:
        worker.components.get(ProcessedEnds).day = None
        for job in (
            process_payment_events, poll_open_payments, apply_scheduled_limits, renew_subscriptions,
            expire_ended_subscriptions, send_subscription_reminders, notify_stale_results,
            report_payment_incidents, send_month_summaries,
        ):  # fmt: skip
            await job(worker)

    return run


@pytest.fixture
def new_customer(
    bank: FakePaymentProvider, logins: Logins, worker: AppContext, new_browser
) -> Callable:
    """Create a customer from a person."""

    async def make(person: Person) -> RenewalCustomer:
        return RenewalCustomer(person, bank, logins, await person.tenant_id(worker), new_browser())

    return make


@pytest.fixture
async def acme(anna: Person, new_customer, run_jobs, clock: MovableClock) -> RenewalCustomer:
    """Anna's company: its trial has ended, and a period was paid by card, with a mandate."""
    customer = await new_customer(anna)
    clock.forward(days=8)
    await run_jobs()
    await customer.pay(await customer.place_order())
    await run_jobs()
    return customer
