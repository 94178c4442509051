"""The contract of payment providers that charge mandates, as tests.

    class TestContract(RecurringContract, StatusQueryContract): ...

Needs pytest and anyio.
"""

# ruff: noqa: S101 (tests are made of assertions)

from typing import Protocol

import msgspec

from prawko.hooks.payments import PaymentRequest, PaymentState, RecurringProvider
from prawko_testing.plugin_calls import call_in_time
from prawko_testing.provider_contract import (
    PRICE,
    Counterparty,
    PaymentProviderContract,
    parse_required_event,
    sample_request,
)


class RecurringCounterparty(Counterparty, Protocol):
    """The payer and the server of a provider that charges mandates."""

    def charge_count(self, request: PaymentRequest) -> int:
        """Return how often a saved card was charged for a request."""
        ...


class RecurringContract(PaymentProviderContract):
    """The contract of a provider that charges payers who are not present."""

    covers_recurring = True

    async def test_a_saved_card_is_charged_once_per_reference(
        self, provider: RecurringProvider, counterparty: RecurringCounterparty
    ) -> None:
        method = min(provider.capabilities.recurring_methods)
        saving = msgspec.structs.replace(sample_request(method), save_payment_method=True)
        event = parse_required_event(
            provider, await counterparty.pay(await call_in_time(provider.create_payment, saving))
        )
        paid = await call_in_time(provider.capture, event, expected=PRICE)
        assert paid is not None
        assert paid.mandate is not None

        renewal = sample_request(method)
        first = await call_in_time(provider.charge, paid.mandate, renewal)
        repeated = await call_in_time(provider.charge, paid.mandate, renewal)

        assert first.state is PaymentState.PAID
        assert first == repeated
        assert counterparty.charge_count(renewal) == 1
        assert first.ref.reference == renewal.reference
        assert first.money == PRICE

    async def test_a_card_is_saved_only_on_request(
        self, provider: RecurringProvider, counterparty: Counterparty
    ) -> None:
        action = await call_in_time(
            provider.create_payment, sample_request(min(provider.capabilities.recurring_methods))
        )
        event = parse_required_event(provider, await counterparty.pay(action))
        paid = await call_in_time(provider.capture, event, expected=PRICE)

        assert paid is not None
        assert paid.mandate is None
