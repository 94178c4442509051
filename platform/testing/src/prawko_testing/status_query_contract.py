"""The contract of payment providers whose payments can be queried, as tests.

    class TestContract(StatusQueryContract): ...

Needs pytest and anyio.
"""

# ruff: noqa: S101 (tests are made of assertions)

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC
from time import monotonic
from uuid import uuid4

import msgspec
import pytest

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.payments import (
    Money,
    NextAction,
    PaymentError,
    PaymentEvent,
    PaymentEventKind,
    PaymentMethod,
    PaymentProvider,
    PaymentRef,
    PaymentState,
    synthesize_event,
)
from prawko.hooks.webhooks import MAX_EVENT_ID_LENGTH, MalformedWebhookError, WebhookRequest
from prawko_testing.clock import utc_now
from prawko_testing.plugin_calls import call_in_time, call_plain
from prawko_testing.privacy import assert_not_quoted
from prawko_testing.provider_contract import (
    PRICE,
    UNKNOWN_REF,
    Counterparty,
    PayFn,
    PaymentProviderContract,
    parse_required_event,
    sample_request,
)

MAX_CALL_SECONDS = 30.0


class StatusQueryContract(PaymentProviderContract):
    """The contract of a provider that can be queried and sends webhooks."""

    covers_status_query = True

    @pytest.fixture
    def counterparty(self) -> Counterparty:
        """The payer and the server of `provider`."""
        raise NotImplementedError

    @pytest.fixture
    def unreachable_provider(self) -> PaymentProvider:
        """A provider whose server is unreachable."""
        raise NotImplementedError

    @pytest.fixture
    def secrets(self) -> tuple[str, ...]:
        """The keys and passwords in the settings of these providers."""
        return ()

    @pytest.fixture
    def malformed_requests(self) -> list[WebhookRequest]:
        """Verified webhooks that cannot be parsed."""
        raise NotImplementedError

    @pytest.fixture
    def ignored_requests(self) -> list[WebhookRequest]:
        """Verified webhooks that are not about payments of ours."""
        raise NotImplementedError

    @pytest.fixture
    def pay(self, provider: PaymentProvider, counterparty: Counterparty) -> PayFn:
        """Make a payment and return the event of its webhook."""

        async def pay(action: NextAction) -> PaymentEvent:
            return parse_required_event(provider, await counterparty.pay(action))

        return pay

    async def test_creating_a_payment_pays_nothing(
        self, provider: PaymentProvider, method: PaymentMethod
    ) -> None:
        action = await call_in_time(provider.create_payment, sample_request(method))
        invented = PaymentEvent(
            event_id="invented",
            kind=PaymentEventKind.PAID,
            ref=action.ref,
            occurred_at=utc_now(),
            money=PRICE,
        )

        for payment in (
            await call_in_time(provider.query_status, action.ref),
            await call_in_time(provider.capture, invented, expected=PRICE),
            await call_in_time(provider.query_status, action.ref),
        ):
            assert payment is None or payment.state is PaymentState.OPEN

    async def test_a_paid_payment_is_found_by_our_reference_alone(
        self, provider: PaymentProvider, pay: PayFn, method: PaymentMethod
    ) -> None:
        event = await pay(await call_in_time(provider.create_payment, sample_request(method)))
        paid = await call_in_time(provider.capture, event, expected=PRICE)

        assert paid is not None
        assert await call_in_time(provider.query_status, PaymentRef(event.ref.reference)) == paid

    async def test_a_query_replaces_a_lost_webhook(
        self, provider: PaymentProvider, counterparty: Counterparty, method: PaymentMethod
    ) -> None:
        action = await call_in_time(provider.create_payment, sample_request(method))
        await counterparty.pay(action)

        payment = await call_in_time(provider.query_status, PaymentRef(action.ref.reference))
        assert payment is not None
        event = synthesize_event(payment, utc_now())
        assert event is not None
        paid = await call_in_time(provider.capture, event, expected=PRICE)

        assert paid is not None
        assert paid.state is PaymentState.PAID

    @pytest.mark.parametrize("other", [Money(18326), Money(18328), Money(18327, "EUR")])
    async def test_another_amount_is_not_captured(
        self, provider: PaymentProvider, pay: PayFn, method: PaymentMethod, other: Money
    ) -> None:
        event = await pay(await call_in_time(provider.create_payment, sample_request(method)))
        before = await call_in_time(provider.query_status, event.ref)

        payment = await call_in_time(provider.capture, event, expected=other)

        assert payment is not None
        assert payment == before == await call_in_time(provider.query_status, event.ref)

    async def test_an_unknown_reference_is_not_found(self, provider: PaymentProvider) -> None:
        event = PaymentEvent(
            event_id="invented", kind=PaymentEventKind.PAID, ref=UNKNOWN_REF, occurred_at=utc_now()
        )

        assert await call_in_time(provider.query_status, UNKNOWN_REF) is None
        assert await call_in_time(provider.capture, event, expected=PRICE) is None
        assert await call_in_time(provider.cancel, UNKNOWN_REF) is None

    async def test_a_paid_payment_is_not_cancelled(
        self, provider: PaymentProvider, pay: PayFn, method: PaymentMethod
    ) -> None:
        event = await pay(await call_in_time(provider.create_payment, sample_request(method)))
        await call_in_time(provider.capture, event, expected=PRICE)

        payment = await call_in_time(provider.cancel, event.ref)

        assert payment is not None
        assert payment.state is PaymentState.PAID

    async def test_a_webhook_is_parsed_synchronously_and_deterministically(
        self, provider: PaymentProvider, counterparty: Counterparty, method: PaymentMethod
    ) -> None:
        request = await counterparty.pay(
            await call_in_time(provider.create_payment, sample_request(method))
        )
        event = parse_required_event(provider, request)

        assert not inspect.iscoroutinefunction(provider.parse_webhook)
        assert call_plain(provider.parse_webhook, msgspec.structs.replace(request)) == event
        assert 0 < len(event.event_id) <= MAX_EVENT_ID_LENGTH
        assert event.event_id.isprintable()
        assert event.occurred_at.tzinfo is UTC

    async def test_a_malformed_webhook_is_refused(
        self, provider: PaymentProvider, malformed_requests: list[WebhookRequest]
    ) -> None:
        assert malformed_requests
        for number, request in enumerate(malformed_requests):
            with pytest.raises(MalformedWebhookError):
                pytest.fail(
                    f"request {number} was parsed as {call_plain(provider.parse_webhook, request)}"
                )

    async def test_a_webhook_about_nothing_of_ours_is_ignored(
        self, provider: PaymentProvider, ignored_requests: list[WebhookRequest]
    ) -> None:
        assert ignored_requests
        assert {call_plain(provider.parse_webhook, request) for request in ignored_requests} == {
            None
        }

    async def test_an_unreachable_server_is_a_temporary_error(
        self,
        unreachable_provider: PaymentProvider,
        secrets: tuple[str, ...],
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        for call in provider_calls(unreachable_provider):
            with pytest.raises(PaymentError) as failed:
                await call()
            assert not failed.value.permanent
            assert_payer_not_quoted(caplog, failed.value, secrets)


class RemotePaymentProviderContract(StatusQueryContract):
    """The contract of a provider that calls a server."""

    @pytest.fixture
    def unauthorized_provider(self) -> PaymentProvider:
        """A provider whose server refuses our account."""
        raise NotImplementedError

    @pytest.fixture
    def unresponsive_provider(self) -> PaymentProvider:
        """A provider whose server accepts calls and never responds; its deadline is short."""
        raise NotImplementedError

    async def test_a_refused_account_is_an_account_error(
        self,
        unauthorized_provider: PaymentProvider,
        secrets: tuple[str, ...],
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        for call in provider_calls(unauthorized_provider):
            with pytest.raises(ProviderAccountError) as refused:
                await call()
            assert_payer_not_quoted(caplog, refused.value, secrets)

    async def test_a_call_without_a_response_ends_at_the_deadline(
        self,
        unresponsive_provider: PaymentProvider,
        secrets: tuple[str, ...],
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        for call in provider_calls(unresponsive_provider):
            started_at = monotonic()
            with pytest.raises(PaymentError) as failed:
                await call()
            assert not failed.value.permanent
            assert monotonic() - started_at < MAX_CALL_SECONDS
            assert_payer_not_quoted(caplog, failed.value, secrets)

    async def test_the_log_names_no_payer(
        self,
        provider: PaymentProvider,
        method: PaymentMethod,
        secrets: tuple[str, ...],
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        await call_in_time(provider.create_payment, sample_request(method))

        assert_payer_not_quoted(caplog, secrets=secrets)

    async def test_a_call_can_be_cancelled(self, unresponsive_provider: PaymentProvider) -> None:
        query = asyncio.ensure_future(call_in_time(unresponsive_provider.query_status, UNKNOWN_REF))
        await asyncio.sleep(0.1)
        query.cancel()

        with pytest.raises(asyncio.CancelledError):
            await query


def assert_payer_not_quoted(
    caplog: pytest.LogCaptureFixture, error: Exception | None = None, secrets: Iterable[str] = ()
) -> None:
    """Fail if an error or the log contains the payer of `sample_request`, or a secret."""
    payer = sample_request(PaymentMethod.CARD).payer
    assert_not_quoted([payer.email, payer.name, payer.ip, *secrets], caplog, error)


def provider_calls(provider: PaymentProvider) -> list[Callable[[], Awaitable[object]]]:
    """Return a call of every method that uses the network."""
    ref = UNKNOWN_REF
    event = PaymentEvent(event_id="e", kind=PaymentEventKind.PAID, ref=ref, occurred_at=utc_now())
    calls: list[Callable[[], Awaitable[object]]] = [
        lambda: call_in_time(provider.available_methods, PRICE),
        lambda: call_in_time(
            provider.create_payment, sample_request(min(provider.capabilities.methods))
        ),
        lambda: call_in_time(provider.capture, event, expected=PRICE),
        lambda: call_in_time(provider.query_status, ref),
        lambda: call_in_time(provider.cancel, ref),
    ]
    if provider.capabilities.can_refund:
        calls.append(
            lambda: call_in_time(provider.refund, ref, PRICE, refund_reference=uuid4().hex)
        )
    return calls
