"""What every payment provider promises, as tests: subclass what yours promises.

    class TestContract(RefundingContract, RemoteProviderContract):
        @pytest.fixture
        def provider(self) -> MyProvider: ...

        @pytest.fixture
        def bench(self) -> Bench: ...

Further promises stand in the modules beside: `AskedContract` for a provider that can be asked
what became of a payment, `RemoteProviderContract` when it talks to a server for that,
`BookedContract` for one whose payments an operator books, `RefundingContract` and
`RenewingContract`. A class that leaves out what its provider says it can does not pass. Needs
pytest and anyio; your fixtures may be async, for every test is.
"""

# ruff: noqa: S101 (tests are made of assertions)

import secrets
from collections.abc import Awaitable, Callable
from typing import ClassVar, Protocol, TypeAlias

import pytest

from prawko.hooks.callbacks import Callback, ForgedCallbackError
from prawko.hooks.payments import (
    BookedProvider,
    EventKind,
    Method,
    Money,
    Order,
    Payer,
    PaymentEvent,
    PaymentProvider,
    PaymentRef,
    PaymentState,
    Redirect,
    RenewingProvider,
)

PRICE = Money(18327)
NEVER_STARTED = PaymentRef("0" * 12, "1")
KEY_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: no I, L, O or U
KEY_LENGTH = 12

Pays: TypeAlias = Callable[[Redirect], Awaitable[PaymentEvent]]


class Bench(Protocol):
    """The provider's other side, as far as a test must play it."""

    async def pay(self, redirect: Redirect) -> Callback:
        """Be the payer, who pays; return the call that the provider makes."""
        ...

    def refunded(self, ref: PaymentRef) -> int:
        """How many grosze of a payment went back to its payer."""
        ...


def order(method: Method, money: Money = PRICE) -> Order:
    """An order with everything in it that a provider may stumble over, its key as ours are."""
    return Order(
        key="".join(secrets.choice(KEY_LETTERS) for _ in range(KEY_LENGTH)),
        money=money,
        method=method,
        title="Prawko: 10 kierowców, „zażółć” & <gęślą> jaźń",
        payer=Payer(
            email="anna@acme.test",
            name="Łucja Gżegżółka-Święcicka ze spółki o bardzo długiej nazwie z o.o.",
            ip="203.0.113.7",
            agent="Mozilla/5.0",
        ),
        return_url="https://panel.prawko.test/panel/subscription?order=1&x=2",
    )


class ProviderContract:
    """Promises that every provider keeps."""

    pytestmark = pytest.mark.anyio

    asked: ClassVar[bool] = False
    booked: ClassVar[bool] = False
    refunding: ClassVar[bool] = False
    renewing: ClassVar[bool] = False

    @pytest.fixture
    def provider(self) -> PaymentProvider:
        """A provider that works."""
        raise NotImplementedError

    @pytest.fixture
    def pays(self) -> Pays:
        """Be the payer, who pays; return the event that we get of it."""
        raise NotImplementedError

    @pytest.fixture
    def forged(self) -> list[Callback]:
        """Calls of somebody else: unsigned, signed with another key, changed on the way."""
        raise NotImplementedError

    @pytest.fixture
    def method(self, provider: PaymentProvider) -> Method:
        """The method that the tests pay by."""
        return min(provider.capabilities.methods)

    async def test_it_has_a_name_and_says_what_it_can(self, provider: PaymentProvider) -> None:
        assert provider.name
        assert provider.name == provider.name.strip().lower()
        can = provider.capabilities
        assert can.methods
        assert can.renews <= can.methods
        assert bool(can.renews) is isinstance(provider, RenewingProvider)
        assert can.asks is not isinstance(provider, BookedProvider)
        assert Method.BLIK in can.methods or not can.blik_codes

    async def test_it_is_held_to_everything_that_it_says_it_can(
        self, provider: PaymentProvider
    ) -> None:
        can = provider.capabilities
        said = (can.asks, not can.asks, can.refunds, bool(can.renews))

        assert (self.asked, self.booked, self.refunding, self.renewing) == said

    async def test_what_is_available_is_among_what_it_can(self, provider: PaymentProvider) -> None:
        assert await provider.available(PRICE) <= provider.capabilities.methods

    async def test_every_method_leads_somewhere(self, provider: PaymentProvider) -> None:
        for method in provider.capabilities.methods:
            given = order(method)
            redirect = await provider.start(given)

            assert redirect.ref.key == given.key
            assert redirect.url or redirect.transfer
            assert redirect.open_seconds is None or redirect.open_seconds > 0

    async def test_what_was_paid_becomes_ours_once(
        self, provider: PaymentProvider, pays: Pays, method: Method
    ) -> None:
        given = order(method)
        event = await pays(await provider.start(given))

        assert (event.kind, event.ref.key, event.money) == (EventKind.PAID, given.key, PRICE)
        for _ in range(2):
            paid = await provider.confirm(event, expected=PRICE)
            assert paid is not None
            assert (paid.state, paid.money, paid.ref) == (PaymentState.PAID, PRICE, event.ref)

    @pytest.mark.parametrize("other", [Money(18326), Money(18328), Money(18327, "EUR")])
    async def test_a_claim_of_another_sum_shows_what_was_paid(
        self, provider: PaymentProvider, pays: Pays, method: Method, other: Money
    ) -> None:
        event = await pays(await provider.start(order(method)))

        found = await provider.confirm(event, expected=other)

        assert found is not None
        assert found.money == PRICE  # so that the platform sees it

    async def test_a_cancelled_order_has_ended_where_it_can_be(
        self, provider: PaymentProvider, method: Method
    ) -> None:
        redirect = await provider.start(order(method))

        found = await provider.cancel(redirect.ref)

        ended = found is not None and found.state is PaymentState.FAILED
        assert ended is provider.capabilities.cancels

    async def test_it_believes_nobody_else(
        self, provider: PaymentProvider, forged: list[Callback]
    ) -> None:
        assert forged
        for number, callback in enumerate(forged):
            with pytest.raises(ForgedCallbackError):
                pytest.fail(f"number {number} was read as {provider.read_event(callback)}")

    async def test_it_can_be_closed_unused_and_twice(self, provider: PaymentProvider) -> None:
        await provider.close()
        await provider.close()


def read(provider: PaymentProvider, callback: Callback) -> PaymentEvent:
    """What a call says that must say something."""
    event = provider.read_event(callback)
    assert event is not None
    return event
