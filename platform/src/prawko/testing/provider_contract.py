"""What every payment provider promises, as tests: subclass it and hand in your provider.

    class TestContract(ProviderContract):
        @pytest.fixture
        def provider(self) -> MyProvider: ...

        @pytest.fixture
        def bench(self) -> Bench: ...

A provider that talks to a server subclasses `RemoteProviderContract`, one that charges saved
cards adds the `RenewingContract` of the module beside. Needs pytest and anyio; your fixtures
may be async, for every test is.
"""

# ruff: noqa: S101 (tests are made of assertions)

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from datetime import UTC
from time import monotonic
from typing import Protocol
from uuid import uuid4

import msgspec
import pytest

from prawko.base.clock import machine_now
from prawko.hooks.callbacks import Callback, ForgedCallbackError, GarbledCallbackError
from prawko.hooks.failures import AccountError
from prawko.hooks.payments import (
    EventKind,
    Method,
    Money,
    Order,
    Payer,
    PaymentError,
    PaymentEvent,
    PaymentProvider,
    PaymentRef,
    PaymentState,
    Redirect,
    RefundState,
    RenewingProvider,
    event_of,
)

LONGEST = 400
PATIENCE_SECONDS = 30.0
PRICE = Money(18327)
NEVER_STARTED = PaymentRef("0" * 32, "1")


class Bench(Protocol):
    """The provider's other side, as far as a test must play it."""

    async def pay(self, redirect: Redirect) -> Callback:
        """Be the payer, who pays; return the call that the provider makes."""
        ...

    def refunded(self, ref: PaymentRef) -> int:
        """How many grosze of a payment went back to its payer."""
        ...


def order(method: Method, money: Money = PRICE) -> Order:
    """An order with everything in it that a provider may stumble over."""
    return Order(
        key=uuid4().hex,
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

    @pytest.fixture
    def provider(self) -> PaymentProvider:
        """A provider that works."""
        raise NotImplementedError

    @pytest.fixture
    def bench(self) -> Bench:
        """The other side of `provider`."""
        raise NotImplementedError

    @pytest.fixture
    def broken_provider(self) -> PaymentProvider:
        """A provider whose server is away."""
        raise NotImplementedError

    @pytest.fixture
    def forged(self) -> list[Callback]:
        """Calls of somebody else: unsigned, signed with another key, changed on the way."""
        raise NotImplementedError

    @pytest.fixture
    def garbled(self) -> list[Callback]:
        """Calls of the provider that cannot be read."""
        raise NotImplementedError

    @pytest.fixture
    def of_no_interest(self) -> list[Callback]:
        """Calls of the provider that are about nothing of ours."""
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
        assert Method.BLIK in can.methods or not can.blik_codes

    async def test_what_is_available_is_among_what_it_can(self, provider: PaymentProvider) -> None:
        assert await provider.available(PRICE) <= provider.capabilities.methods

    async def test_every_method_leads_somewhere(self, provider: PaymentProvider) -> None:
        for method in provider.capabilities.methods:
            given = order(method)
            redirect = await provider.start(given)

            assert redirect.ref.key == given.key
            assert redirect.url or redirect.transfer
            assert redirect.open_seconds is None or redirect.open_seconds > 0

    async def test_nothing_is_paid_by_starting(
        self, provider: PaymentProvider, method: Method
    ) -> None:
        redirect = await provider.start(order(method))
        invented = PaymentEvent(
            event_id="invented",
            kind=EventKind.PAID,
            ref=redirect.ref,
            at=machine_now(),
            money=PRICE,
        )

        for found in (
            await provider.status(redirect.ref),
            await provider.confirm(invented, expected=PRICE),
            await provider.status(redirect.ref),
        ):
            assert found is None or found.state is PaymentState.OPEN

    async def test_what_was_paid_becomes_ours_once(
        self, provider: PaymentProvider, bench: Bench, method: Method
    ) -> None:
        given = order(method)
        event = read(provider, await bench.pay(await provider.start(given)))

        assert (event.kind, event.ref.key, event.money) == (EventKind.PAID, given.key, PRICE)
        for _ in range(2):
            paid = await provider.confirm(event, expected=PRICE)
            assert paid is not None
            assert (paid.state, paid.money, paid.ref) == (PaymentState.PAID, PRICE, event.ref)
        assert await provider.status(PaymentRef(given.key)) == paid

    async def test_a_lost_call_is_made_up_for_by_asking(
        self, provider: PaymentProvider, bench: Bench, method: Method
    ) -> None:
        redirect = await provider.start(order(method))
        await bench.pay(redirect)

        found = await provider.status(PaymentRef(redirect.ref.key))
        assert found is not None
        event = event_of(found, machine_now())
        assert event is not None
        paid = await provider.confirm(event, expected=PRICE)

        assert paid is not None
        assert paid.state is PaymentState.PAID

    @pytest.mark.parametrize("other", [Money(18326), Money(18328), Money(18327, "EUR")])
    async def test_a_claim_of_another_sum_is_not_what_was_expected(
        self, provider: PaymentProvider, bench: Bench, method: Method, other: Money
    ) -> None:
        event = read(provider, await bench.pay(await provider.start(order(method))))
        before = await provider.status(event.ref)

        found = await provider.confirm(event, expected=other)

        assert found is not None
        assert found.money == PRICE  # so that the platform sees it
        assert found == before == await provider.status(event.ref)

    async def test_what_nobody_started_is_unknown(self, provider: PaymentProvider) -> None:
        event = PaymentEvent(
            event_id="invented", kind=EventKind.PAID, ref=NEVER_STARTED, at=machine_now()
        )

        assert await provider.status(NEVER_STARTED) is None
        assert await provider.confirm(event, expected=PRICE) is None
        assert await provider.cancel(NEVER_STARTED) is None

    async def test_cancelling_takes_nothing_from_who_has_paid(
        self, provider: PaymentProvider, bench: Bench, method: Method
    ) -> None:
        event = read(provider, await bench.pay(await provider.start(order(method))))
        await provider.confirm(event, expected=PRICE)

        found = await provider.cancel(event.ref)

        assert found is not None
        assert found.state is PaymentState.PAID

    async def test_a_cancelled_order_has_ended_where_it_can_be(
        self, provider: PaymentProvider, method: Method
    ) -> None:
        redirect = await provider.start(order(method))

        found = await provider.cancel(redirect.ref)

        ended = found is not None and found.state is PaymentState.FAILED
        assert ended is provider.capabilities.cancels

    @pytest.mark.parametrize("amount", [Money(327), PRICE])
    async def test_a_refund_that_is_asked_for_twice_is_given_once(
        self, provider: PaymentProvider, bench: Bench, method: Method, amount: Money
    ) -> None:
        event = read(provider, await bench.pay(await provider.start(order(method))))
        await provider.confirm(event, expected=PRICE)
        key = uuid4().hex

        first = await provider.refund(event.ref, amount, key=key)
        again = await provider.refund(event.ref, amount, key=key)

        assert {first.state, again.state} <= {RefundState.PENDING, RefundState.DONE}
        assert bench.refunded(event.ref) == amount.grosze

    async def test_more_than_was_paid_is_not_given_back(
        self, provider: PaymentProvider, bench: Bench, method: Method
    ) -> None:
        event = read(provider, await bench.pay(await provider.start(order(method))))
        await provider.confirm(event, expected=PRICE)

        refund = await provider.refund(event.ref, Money(PRICE.grosze + 1), key=uuid4().hex)

        assert refund.state is RefundState.REFUSED
        assert refund.reason
        assert bench.refunded(event.ref) == 0

    async def test_a_call_is_read_without_waiting_and_always_the_same(
        self, provider: PaymentProvider, bench: Bench, method: Method
    ) -> None:
        callback = await bench.pay(await provider.start(order(method)))
        event = read(provider, callback)

        assert not inspect.iscoroutinefunction(provider.read_event)
        assert provider.read_event(msgspec.structs.replace(callback)) == event
        assert 0 < len(event.event_id) <= LONGEST
        assert event.event_id.isprintable()
        assert event.at.tzinfo is UTC

    async def test_it_believes_nobody_else(
        self, provider: PaymentProvider, forged: list[Callback]
    ) -> None:
        assert forged
        for number, callback in enumerate(forged):
            with pytest.raises(ForgedCallbackError):
                pytest.fail(f"number {number} was read as {provider.read_event(callback)}")

    async def test_it_says_what_it_cannot_read(
        self, provider: PaymentProvider, garbled: list[Callback]
    ) -> None:
        assert garbled
        for number, callback in enumerate(garbled):
            with pytest.raises(GarbledCallbackError):
                pytest.fail(f"number {number} was read as {provider.read_event(callback)}")

    async def test_it_leaves_out_what_is_not_ours(
        self, provider: PaymentProvider, of_no_interest: list[Callback]
    ) -> None:
        assert of_no_interest
        assert {provider.read_event(callback) for callback in of_no_interest} == {None}

    async def test_a_server_that_is_away_is_tried_again(
        self, broken_provider: PaymentProvider
    ) -> None:
        for call in calls(broken_provider):
            with pytest.raises(PaymentError) as failed:
                await call()
            assert not failed.value.permanent

    async def test_it_can_be_closed_unused_and_twice(self, provider: PaymentProvider) -> None:
        await provider.close()
        await provider.close()


class RemoteProviderContract(ProviderContract):
    """Further promises of a provider that talks to somebody's server."""

    @pytest.fixture
    def refusing_provider(self) -> PaymentProvider:
        """A provider whose server refuses our account."""
        raise NotImplementedError

    @pytest.fixture
    def silent_provider(self) -> PaymentProvider:
        """A provider whose server takes the call and says nothing; its deadline is short."""
        raise NotImplementedError

    async def test_a_refused_account_is_no_payers_fault(
        self, refusing_provider: PaymentProvider
    ) -> None:
        for call in calls(refusing_provider):
            with pytest.raises(AccountError):
                await call()

    async def test_silence_ends_at_the_deadline(self, silent_provider: PaymentProvider) -> None:
        for call in calls(silent_provider):
            began = monotonic()
            with pytest.raises(PaymentError) as failed:
                await call()
            assert not failed.value.permanent
            assert monotonic() - began < PATIENCE_SECONDS

    async def test_it_lets_go_when_cancelled(self, silent_provider: PaymentProvider) -> None:
        asking = asyncio.ensure_future(silent_provider.status(NEVER_STARTED))
        await asyncio.sleep(0.1)
        asking.cancel()

        with pytest.raises(asyncio.CancelledError):
            await asking


def calls(provider: PaymentProvider) -> list[Callable[[], Awaitable[object]]]:
    """One call of each kind, for what every call has in common."""
    ref = NEVER_STARTED
    event = PaymentEvent(event_id="e", kind=EventKind.PAID, ref=ref, at=machine_now())
    return [
        lambda: provider.available(PRICE),
        lambda: provider.start(order(min(provider.capabilities.methods))),
        lambda: provider.confirm(event, expected=PRICE),
        lambda: provider.status(ref),
        lambda: provider.cancel(ref),
        lambda: provider.refund(ref, PRICE, key=uuid4().hex),
    ]


def read(provider: PaymentProvider, callback: Callback) -> PaymentEvent:
    """What a call says that must say something."""
    event = provider.read_event(callback)
    assert event is not None
    return event
