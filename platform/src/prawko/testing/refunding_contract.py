"""What every provider promises that gives money back, as tests: beside `AskedContract`.

    class TestContract(RefundingContract, AskedContract): ...

Needs pytest and anyio.
"""

# ruff: noqa: S101 (tests are made of assertions)

from uuid import uuid4

import pytest

from prawko.hooks.payments import Method, Money, PaymentProvider, RefundState
from prawko.testing.provider_contract import PRICE, Bench, Pays, ProviderContract, order


class RefundingContract(ProviderContract):
    """Further promises of a provider that gives money back."""

    refunding = True

    @pytest.mark.parametrize("amount", [Money(327), PRICE])
    async def test_a_refund_that_is_asked_for_twice_is_given_once(
        self, provider: PaymentProvider, bench: Bench, pays: Pays, method: Method, amount: Money
    ) -> None:
        event = await pays(await provider.start(order(method)))
        await provider.confirm(event, expected=PRICE)
        key = uuid4().hex

        first = await provider.refund(event.ref, amount, key=key)
        again = await provider.refund(event.ref, amount, key=key)

        assert {first.state, again.state} <= {RefundState.PENDING, RefundState.DONE}
        assert bench.refunded(event.ref) == amount.grosze

    async def test_more_than_was_paid_is_not_given_back(
        self, provider: PaymentProvider, bench: Bench, pays: Pays, method: Method
    ) -> None:
        event = await pays(await provider.start(order(method)))
        await provider.confirm(event, expected=PRICE)

        refund = await provider.refund(event.ref, Money(PRICE.grosze + 1), key=uuid4().hex)

        assert refund.state is RefundState.REFUSED
        assert refund.reason
        assert bench.refunded(event.ref) == 0
