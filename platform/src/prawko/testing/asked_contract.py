"""What every provider promises that can be asked what became of a payment, as tests.

class TestContract(AskedContract): ...

It calls us, and its call is a reason to ask. Needs pytest and anyio.
"""

# ruff: noqa: S101 (tests are made of assertions)

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from datetime import UTC
from time import monotonic
from uuid import uuid4

import msgspec
import pytest

from prawko.base.clock import machine_now
from prawko.hooks.callbacks import Callback, GarbledCallbackError
from prawko.hooks.failures import AccountError
from prawko.hooks.payments import (
    EventKind,
    Method,
    Money,
    PaymentError,
    PaymentEvent,
    PaymentProvider,
    PaymentRef,
    PaymentState,
    Redirect,
    event_of,
)
from prawko.testing.provider_contract import (
    NEVER_STARTED,
    PRICE,
    Bench,
    Pays,
    ProviderContract,
    order,
    read,
)

LONGEST = 400
PATIENCE_SECONDS = 30.0


class AskedContract(ProviderContract):
    """Further promises of a provider that knows the truth when it is asked."""

    asked = True

    @pytest.fixture
    def bench(self) -> Bench:
        """The other side of `provider`."""
        raise NotImplementedError

    @pytest.fixture
    def broken_provider(self) -> PaymentProvider:
        """A provider whose server is away."""
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
    def pays(self, provider: PaymentProvider, bench: Bench) -> Pays:
        """Pay; return what the provider's call says."""

        async def pay(redirect: Redirect) -> PaymentEvent:
            return read(provider, await bench.pay(redirect))

        return pay

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

    async def test_what_became_ours_is_found_by_our_key_alone(
        self, provider: PaymentProvider, pays: Pays, method: Method
    ) -> None:
        event = await pays(await provider.start(order(method)))
        paid = await provider.confirm(event, expected=PRICE)

        assert paid is not None
        assert await provider.status(PaymentRef(event.ref.key)) == paid

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
    async def test_a_claim_of_another_sum_is_left_alone(
        self, provider: PaymentProvider, pays: Pays, method: Method, other: Money
    ) -> None:
        event = await pays(await provider.start(order(method)))
        before = await provider.status(event.ref)

        found = await provider.confirm(event, expected=other)

        assert found is not None
        assert found == before == await provider.status(event.ref)

    async def test_what_nobody_started_is_unknown(self, provider: PaymentProvider) -> None:
        event = PaymentEvent(
            event_id="invented", kind=EventKind.PAID, ref=NEVER_STARTED, at=machine_now()
        )

        assert await provider.status(NEVER_STARTED) is None
        assert await provider.confirm(event, expected=PRICE) is None
        assert await provider.cancel(NEVER_STARTED) is None

    async def test_cancelling_takes_nothing_from_who_has_paid(
        self, provider: PaymentProvider, pays: Pays, method: Method
    ) -> None:
        event = await pays(await provider.start(order(method)))
        await provider.confirm(event, expected=PRICE)

        found = await provider.cancel(event.ref)

        assert found is not None
        assert found.state is PaymentState.PAID

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


class RemoteProviderContract(AskedContract):
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
    found: list[Callable[[], Awaitable[object]]] = [
        lambda: provider.available(PRICE),
        lambda: provider.start(order(min(provider.capabilities.methods))),
        lambda: provider.confirm(event, expected=PRICE),
        lambda: provider.status(ref),
        lambda: provider.cancel(ref),
    ]
    if provider.capabilities.refunds:
        found.append(lambda: provider.refund(ref, PRICE, key=uuid4().hex))
    return found
