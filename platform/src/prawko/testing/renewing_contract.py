"""What every provider that charges saved cards promises, as tests: beside `AskedContract`.

    class TestContract(RenewingContract, AskedContract): ...

Needs pytest and anyio.
"""

# ruff: noqa: S101 (tests are made of assertions)

from typing import Protocol

import msgspec

from prawko.hooks.payments import Order, PaymentState, RenewingProvider
from prawko.testing.provider_contract import PRICE, Bench, ProviderContract, order, read


class RenewingBench(Bench, Protocol):
    """The other side of a provider that charges saved cards."""

    def charges(self, order: Order) -> int:
        """How often a saved card was charged for an order."""
        ...


class RenewingContract(ProviderContract):
    """Further promises of a provider that charges without the payer being there."""

    renewing = True

    async def test_a_saved_card_is_charged_once_for_an_order(
        self, provider: RenewingProvider, bench: RenewingBench
    ) -> None:
        method = min(provider.capabilities.renews)
        saving = msgspec.structs.replace(order(method), save=True)
        event = read(provider, await bench.pay(await provider.start(saving)))
        paid = await provider.confirm(event, expected=PRICE)
        assert paid is not None
        assert paid.mandate is not None

        renewal = order(method)
        first = await provider.charge(paid.mandate, renewal)
        again = await provider.charge(paid.mandate, renewal)

        assert first.state is PaymentState.PAID
        assert first == again
        assert bench.charges(renewal) == 1
        assert first.ref.key == renewal.key
        assert first.money == PRICE

    async def test_without_being_asked_it_saves_nothing(
        self, provider: RenewingProvider, bench: Bench
    ) -> None:
        started = await provider.start(order(min(provider.capabilities.renews)))
        event = read(provider, await bench.pay(started))
        paid = await provider.confirm(event, expected=PRICE)

        assert paid is not None
        assert paid.mandate is None
