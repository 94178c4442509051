"""The contract of all payment providers, as tests: subclass those that apply to yours.

    class TestContract(RefundContract, RemotePaymentProviderContract):
        @pytest.fixture
        def provider(self) -> MyProvider: ...

        @pytest.fixture
        def counterparty(self) -> Counterparty: ...

The modules beside this one have the others: `StatusQueryContract`, or
`RemotePaymentProviderContract` if it calls a server; `ManualPaymentContract`; `RefundContract`;
`RecurringContract`. A class that covers less than its provider's capabilities does not pass.
Needs pytest and anyio; fixtures may be async.
"""

# ruff: noqa: S101 (tests are made of assertions)

import secrets
from collections.abc import Awaitable, Callable
from typing import ClassVar, Protocol, TypeAlias

import pytest

from prawko.hooks.payments import (
    ManualProvider,
    Money,
    NextAction,
    Payer,
    PaymentEvent,
    PaymentEventKind,
    PaymentMethod,
    PaymentProvider,
    PaymentRef,
    PaymentRequest,
    PaymentState,
    RecurringProvider,
)
from prawko.hooks.webhooks import WebhookRequest, WebhookVerificationError
from prawko_testing.plugin_calls import call_in_time, call_plain
from prawko_testing.privacy import Contract

PRICE = Money(18327)
UNKNOWN_REF = PaymentRef("0" * 12, "1")
REFERENCE_ALPHABET = (
    "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32: without I, L, O and U
)

REFERENCE_LENGTH = 12

PayFn: TypeAlias = Callable[[NextAction], Awaitable[PaymentEvent]]


class Counterparty(Protocol):
    """The payer and the server of a provider, as far as the tests need them."""

    async def pay(self, next_action: NextAction) -> WebhookRequest:
        """Pay as the payer and return the provider's webhook."""
        ...

    def refunded_amount(self, ref: PaymentRef) -> int:
        """Return how many grosze of a payment were refunded."""
        ...


def sample_request(method: PaymentMethod, money: Money = PRICE) -> PaymentRequest:
    """Return a request with everything that may cause problems for a provider."""
    return PaymentRequest(
        reference="".join(secrets.choice(REFERENCE_ALPHABET) for _ in range(REFERENCE_LENGTH)),
        money=money,
        method=method,
        description="Prawko: 10 kierowców, „zażółć” & <gęślą> jaźń",
        payer=Payer(
            email="anna@acme.test",
            name="Łucja Gżegżółka-Święcicka ze spółki o bardzo długiej nazwie z o.o.",
            ip="203.0.113.7",
            user_agent="Mozilla/5.0",
        ),
        return_url="https://panel.prawko.test/panel/subscription?order=1&x=2",
    )


class PaymentProviderContract(Contract):
    """The contract of a provider; supply the fixtures that raise NotImplementedError."""

    covers_status_query: ClassVar[bool] = False
    covers_manual_payments: ClassVar[bool] = False
    covers_refunds: ClassVar[bool] = False
    covers_recurring: ClassVar[bool] = False

    @pytest.fixture
    def provider(self) -> PaymentProvider:
        """A provider whose server works."""
        raise NotImplementedError

    @pytest.fixture
    def pay(self) -> PayFn:
        """Make a payment as the payer and return its event."""
        raise NotImplementedError

    @pytest.fixture
    def forged_requests(self) -> list[WebhookRequest]:
        """Webhooks that are unsigned, signed with another key, or modified."""
        raise NotImplementedError

    @pytest.fixture
    def method(self, provider: PaymentProvider) -> PaymentMethod:
        """The payment method of the tests."""
        return min(provider.capabilities.methods)

    async def test_its_name_and_capabilities_are_consistent(
        self, provider: PaymentProvider
    ) -> None:
        assert provider.name
        assert provider.name == provider.name.strip().lower()
        capabilities = provider.capabilities
        assert capabilities.methods
        assert capabilities.recurring_methods <= capabilities.methods
        assert bool(capabilities.recurring_methods) is isinstance(provider, RecurringProvider)
        assert capabilities.can_query_status is not isinstance(provider, ManualProvider)
        assert PaymentMethod.BLIK in capabilities.methods or not capabilities.accepts_blik_codes

    async def test_every_capability_is_covered_by_a_contract(
        self, provider: PaymentProvider
    ) -> None:
        capabilities = provider.capabilities
        required = (
            capabilities.can_query_status,
            not capabilities.can_query_status,
            capabilities.can_refund,
            bool(capabilities.recurring_methods),
        )

        assert (
            self.covers_status_query,
            self.covers_manual_payments,
            self.covers_refunds,
            self.covers_recurring,
        ) == required

    async def test_available_methods_are_among_its_capabilities(
        self, provider: PaymentProvider
    ) -> None:
        assert (
            await call_in_time(provider.available_methods, PRICE) <= provider.capabilities.methods
        )

    async def test_every_method_has_a_next_action(self, provider: PaymentProvider) -> None:
        for method in provider.capabilities.methods:
            request = sample_request(method)
            action = await call_in_time(provider.create_payment, request)

            assert action.ref.reference == request.reference
            assert action.url or action.transfer
            assert action.expires_in_seconds is None or action.expires_in_seconds > 0

    async def test_a_paid_payment_is_captured_once(
        self, provider: PaymentProvider, pay: PayFn, method: PaymentMethod
    ) -> None:
        request = sample_request(method)
        event = await pay(await call_in_time(provider.create_payment, request))

        assert (event.kind, event.ref.reference, event.money) == (
            PaymentEventKind.PAID,
            request.reference,
            PRICE,
        )
        for _ in range(2):
            paid = await call_in_time(provider.capture, event, expected=PRICE)
            assert paid is not None
            assert (paid.state, paid.money, paid.ref) == (PaymentState.PAID, PRICE, event.ref)

    @pytest.mark.parametrize("other", [Money(18326), Money(18328), Money(18327, "EUR")])
    async def test_another_amount_is_returned_as_it_was_paid(
        self, provider: PaymentProvider, pay: PayFn, method: PaymentMethod, other: Money
    ) -> None:
        event = await pay(await call_in_time(provider.create_payment, sample_request(method)))

        payment = await call_in_time(provider.capture, event, expected=other)

        assert payment is not None
        assert payment.money == PRICE, "the platform must see the amount"

    async def test_a_cancelled_payment_has_failed_if_it_can_be_cancelled(
        self, provider: PaymentProvider, method: PaymentMethod
    ) -> None:
        action = await call_in_time(provider.create_payment, sample_request(method))

        payment = await call_in_time(provider.cancel, action.ref)

        has_failed = payment is not None and payment.state is PaymentState.FAILED
        assert has_failed is provider.capabilities.can_cancel

    async def test_a_forged_webhook_is_refused(
        self, provider: PaymentProvider, forged_requests: list[WebhookRequest]
    ) -> None:
        assert forged_requests
        for number, request in enumerate(forged_requests):
            with pytest.raises(WebhookVerificationError):
                pytest.fail(
                    f"request {number} was parsed as {call_plain(provider.parse_webhook, request)}"
                )

    async def test_it_can_be_closed_unused_and_twice(self, provider: PaymentProvider) -> None:
        await call_in_time(provider.close)
        await call_in_time(provider.close)


def parse_required_event(provider: PaymentProvider, request: WebhookRequest) -> PaymentEvent:
    """Return the event of a webhook; fails if there is none."""
    event = call_plain(provider.parse_webhook, request)
    assert event is not None
    return event
