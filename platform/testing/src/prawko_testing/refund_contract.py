"""The contract of payment providers that make refunds, as tests.

    class TestContract(RefundContract, StatusQueryContract): ...

Needs pytest and anyio.
"""

# ruff: noqa: S101 (tests are made of assertions)

from uuid import uuid4

import pytest

from prawko.hooks.payments import Money, PaymentMethod, PaymentProvider, RefundState
from prawko_testing.plugin_calls import call_in_time
from prawko_testing.provider_contract import (
    PRICE,
    Counterparty,
    PayFn,
    PaymentProviderContract,
    sample_request,
)


class RefundContract(PaymentProviderContract):
    """The contract of a provider that makes refunds."""

    covers_refunds = True

    @pytest.mark.parametrize("amount", [Money(327), PRICE])
    async def test_a_repeated_refund_is_made_once(
        self,
        provider: PaymentProvider,
        counterparty: Counterparty,
        pay: PayFn,
        method: PaymentMethod,
        amount: Money,
    ) -> None:
        event = await pay(await call_in_time(provider.create_payment, sample_request(method)))
        await call_in_time(provider.capture, event, expected=PRICE)
        reference = uuid4().hex

        first = await call_in_time(provider.refund, event.ref, amount, refund_reference=reference)
        repeated = await call_in_time(
            provider.refund, event.ref, amount, refund_reference=reference
        )

        assert {first.state, repeated.state} <= {RefundState.PENDING, RefundState.SUCCEEDED}
        assert counterparty.refunded_amount(event.ref) == amount.grosze

    async def test_a_refund_cannot_exceed_the_payment(
        self,
        provider: PaymentProvider,
        counterparty: Counterparty,
        pay: PayFn,
        method: PaymentMethod,
    ) -> None:
        event = await pay(await call_in_time(provider.create_payment, sample_request(method)))
        await call_in_time(provider.capture, event, expected=PRICE)

        refund = await call_in_time(
            provider.refund, event.ref, Money(PRICE.grosze + 1), refund_reference=uuid4().hex
        )

        assert refund.state is RefundState.FAILED
        assert refund.reason
        assert counterparty.refunded_amount(event.ref) == 0
