"""The contract of payment providers whose payments an operator records, as tests.

    class TestContract(ManualPaymentContract): ...

Needs pytest and anyio.
"""

# ruff: noqa: S101 (tests are made of assertions)

import inspect

import pytest

from prawko.hooks.payments import (
    ManualProvider,
    Money,
    NextAction,
    PaymentEvent,
    PaymentEventKind,
    PaymentMethod,
    PaymentRef,
    PaymentState,
    RefundState,
)
from prawko.hooks.webhooks import WebhookRequest
from prawko_testing.clock import utc_now
from prawko_testing.plugin_calls import call_in_time, call_plain
from prawko_testing.provider_contract import PRICE, PayFn, PaymentProviderContract, sample_request

MAX_TITLE_LENGTH = 140  # of a Polish bank transfer
MISREAD_DIGITS = str.maketrans("01", "OL")


class ManualPaymentContract(PaymentProviderContract):
    """The contract of a provider without status queries and webhooks."""

    covers_manual_payments = True

    @pytest.fixture
    def pay(self) -> PayFn:
        """Make a payment and return the event of the operator's record."""

        async def pay(action: NextAction) -> PaymentEvent:
            return bank_transfer_event(action.ref, PRICE)

        return pay

    @pytest.fixture
    def forged_requests(self) -> list[WebhookRequest]:
        """Any webhook at all: no server sends one."""
        return [
            WebhookRequest(headers=headers, query={}, body=body, received_at=utc_now())
            for headers in ({}, {"x-signature": "0" * 64})
            for body in (b"", b"{}", b'{"key":"0","money":{"grosze":18327,"currency":"PLN"}}')
        ]

    @pytest.mark.parametrize("money", [Money(18326), Money(18328), Money(18327, "EUR")])
    async def test_another_amount_stays_authorized(
        self, provider: ManualProvider, method: PaymentMethod, money: Money
    ) -> None:
        action = await call_in_time(provider.create_payment, sample_request(method))

        payment = await call_in_time(
            provider.capture, bank_transfer_event(action.ref, money), expected=PRICE
        )

        assert payment is not None
        assert (payment.state, payment.money) == (PaymentState.AUTHORIZED, money)

    async def test_a_payment_has_transfer_instructions(
        self, provider: ManualProvider, method: PaymentMethod
    ) -> None:
        action = await call_in_time(provider.create_payment, sample_request(method))

        assert action.transfer is not None
        assert action.transfer.iban
        assert action.transfer.owner
        assert 0 < len(action.transfer.title) <= MAX_TITLE_LENGTH

    async def test_a_reference_is_extracted_however_the_title_was_typed(
        self, provider: ManualProvider, method: PaymentMethod
    ) -> None:
        for _ in range(20):
            action = await call_in_time(provider.create_payment, sample_request(method))
            assert action.transfer is not None
            title = action.transfer.title
            for typed in (
                title,
                title.lower(),
                title.replace(" ", ""),
                title.replace(" ", "-"),
                f"  {title.replace(' ', '   ')}\n",
                title.translate(MISREAD_DIGITS),
                f"Opłata za lipiec, {title}, dziękuję!",
            ):
                assert call_plain(provider.extract_reference, typed) == action.ref.reference, typed

    async def test_a_title_without_a_reference_gives_none(self, provider: ManualProvider) -> None:
        assert not inspect.iscoroutinefunction(provider.extract_reference)
        for title in ("", " ", "\0", "faktura 12/2026", "Zażółć gęślą jaźń", "7F3K", "PLN 183,27"):
            assert call_plain(provider.extract_reference, title) is None, title

    async def test_queries_return_nothing_and_refunds_are_made_by_hand(
        self, provider: ManualProvider, method: PaymentMethod
    ) -> None:
        action = await call_in_time(provider.create_payment, sample_request(method))
        await call_in_time(provider.capture, bank_transfer_event(action.ref, PRICE), expected=PRICE)

        assert await call_in_time(provider.query_status, action.ref) is None
        if not provider.capabilities.can_refund:
            refund = await call_in_time(provider.refund, action.ref, PRICE, refund_reference="r1")
            assert (refund.state, bool(refund.reason)) == (RefundState.FAILED, True)


def bank_transfer_event(ref: PaymentRef, money: Money) -> PaymentEvent:
    """Return the event that the platform makes of a recorded transfer."""
    return PaymentEvent(
        event_id=f"transfer:{ref.reference}",
        kind=PaymentEventKind.PAID,
        ref=ref,
        occurred_at=utc_now(),
        money=money,
    )
