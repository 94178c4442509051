"""Simulates a payment provider with cards, BLIK and Przelewy24; no money is charged."""

import asyncio
import re
import sqlite3
from collections.abc import Callable
from enum import StrEnum
from typing import ParamSpec, TypeVar

from prawko.hooks.payments import (
    Mandate,
    Money,
    NextAction,
    PaymentError,
    PaymentEvent,
    PaymentMethod,
    PaymentRef,
    PaymentRequest,
    PaymentState,
    ProviderCapabilities,
    ProviderPayment,
    Refund,
    RefundState,
)
from prawko.hooks.webhooks import WebhookRequest
from prawko.kit.clock import utc_now
from prawko_demo.payments import events, webhook
from prawko_demo.payments.store import ChargeBehaviour, ChargeResult, SandboxPayment, SandboxStore

P = ParamSpec("P")
T = TypeVar("T")

WEBHOOK_PATH = "/api/webhooks/sandbox"
HOSTED_PAGE_PATH = "/dev/pay/"
PAGE_LIFETIME_SECONDS = 30 * 60
BLIK_CONSENT_SECONDS = 1.0  # until the payer confirms a BLIK code in the bank's app
CARD_LABEL = "Visa •••• 4242"
_BLIK_CODE = re.compile("[0-9]{6}", re.ASCII)
_BLIK_SUCCESS_PREFIX = "777"
_PAID_STATES = frozenset({PaymentState.PAID, PaymentState.REFUNDED})


class PageButton(StrEnum):
    """The buttons of the hosted page, named by the result of the payment."""

    PAID = "paid"
    FAILED = "failed"
    ABANDONED = "abandoned"


class PaymentEndedError(Exception):
    """The payment has ended already, with another result."""


class SandboxProvider:
    """A provider whose payments end as the hosted page's buttons say.

    It posts a webhook for each result and answers status queries. Webhooks carry the system time.
    """

    name = "sandbox"
    capabilities = ProviderCapabilities(
        methods=frozenset({PaymentMethod.CARD, PaymentMethod.BLIK, PaymentMethod.PRZELEWY24}),
        recurring_methods=frozenset({PaymentMethod.CARD}),
        accepts_blik_codes=True,
        can_cancel=True,
    )

    def __init__(self, store: SandboxStore, url: str, secret: bytes) -> None:
        self._store = store
        self._url = url
        self._secret = secret
        self._blik_consents: set[asyncio.Task[None]] = set()
        self.blik_consent_seconds = BLIK_CONSENT_SECONDS
        self.post_webhook = webhook.post_webhook

    async def available_methods(self, amount: Money) -> frozenset[PaymentMethod]:  # noqa: ARG002 (for any amount)
        await _run_in_thread(self._store.list_newest, 0)
        return self.capabilities.methods

    async def create_payment(self, request: PaymentRequest) -> NextAction:
        has_code = request.blik_code is not None
        if request.method not in self.capabilities.methods or (
            has_code and request.method is not PaymentMethod.BLIK
        ):
            raise ValueError(f"the sandbox cannot be paid by {request.method} in this way")
        if request.blik_code is not None:
            return await self._start_blik(request, request.blik_code)
        payment = await _run_in_thread(self._store.insert, request, PaymentState.OPEN)
        return NextAction(
            ref=_payment_ref(payment),
            url=self.page_url(payment.key),
            expires_in_seconds=PAGE_LIFETIME_SECONDS,
        )

    def parse_webhook(self, request: WebhookRequest) -> PaymentEvent | None:
        return events.parse_event(request, self._secret)

    async def capture(self, event: PaymentEvent, *, expected: Money) -> ProviderPayment | None:
        def capture(payment: SandboxPayment) -> None:
            if payment.state is PaymentState.AUTHORIZED and payment.money == expected:
                payment.state = PaymentState.PAID

        return _provider_payment(
            await _run_in_thread(self._store.update, event.ref.reference, capture)
        )

    async def query_status(self, ref: PaymentRef) -> ProviderPayment | None:
        return _provider_payment(await _run_in_thread(self._store.get, ref.reference))

    async def cancel(self, ref: PaymentRef) -> ProviderPayment | None:
        def cancel(payment: SandboxPayment) -> None:
            if payment.state is PaymentState.OPEN:
                payment.state, payment.reason = PaymentState.FAILED, "cancelled"

        return _provider_payment(await _run_in_thread(self._store.update, ref.reference, cancel))

    async def refund(self, ref: PaymentRef, amount: Money, *, refund_reference: str) -> Refund:
        errors: list[str] = []

        def refund(payment: SandboxPayment) -> None:
            left = payment.grosze - sum(payment.refunds.values())
            if refund_reference in payment.refunds:
                return
            if payment.state not in _PAID_STATES:
                errors.append("nothing was paid")
            elif amount.currency != payment.currency or amount.grosze > left:
                errors.append("the amount is more than what is left")
            else:
                payment.refunds[refund_reference] = amount.grosze
                if amount.grosze == left:
                    payment.state = PaymentState.REFUNDED

        payment = await _run_in_thread(self._store.update, ref.reference, refund)
        if payment is None or errors:
            return Refund(RefundState.FAILED, (errors or ["nothing was paid"])[0])
        return Refund(RefundState.SUCCEEDED)

    async def charge(self, mandate: Mandate, request: PaymentRequest) -> ProviderPayment:
        payment, result = await _run_in_thread(self._store.charge_card, request, mandate.token)
        if result is ChargeResult.SILENT:
            raise PaymentError("no answer")
        charged = _provider_payment(payment)
        if charged is None or charged.state is PaymentState.FAILED:
            raise PaymentError(payment.reason, permanent=True)
        if charged.state is PaymentState.OPEN:
            return ProviderPayment(
                ref=charged.ref,
                state=charged.state,
                money=charged.money,
                url=self.page_url(payment.key),
            )
        return charged

    async def close(self) -> None:
        for consent in self._blik_consents:
            consent.cancel()
        await asyncio.gather(*self._blik_consents, return_exceptions=True)

    def page_url(self, key: str) -> str:
        """Return the URL of the hosted page of a payment."""
        return f"{self._url}{HOSTED_PAGE_PATH}{key}"

    async def get_payment(self, key: str) -> SandboxPayment | None:
        """Return a payment in the sandbox's own form."""
        return await _run_in_thread(self._store.get, key)

    async def list_newest(self, limit: int) -> list[SandboxPayment]:
        """Return the latest payments, newest first."""
        return await _run_in_thread(self._store.list_newest, limit)

    async def press_button(self, key: str, button: PageButton) -> SandboxPayment | None:
        """End an open payment as a button of the hosted page does; None if there is none.

        The same button again changes nothing. Raises PaymentEndedError for another one.
        """

        def press(payment: SandboxPayment) -> None:
            is_paid = payment.state in {PaymentState.AUTHORIZED, *_PAID_STATES}
            if payment.state is PaymentState.OPEN:
                if button is PageButton.PAID:
                    payment.state = PaymentState.AUTHORIZED
                else:
                    payment.state, payment.reason = PaymentState.FAILED, button.value
            elif is_paid is not (button is PageButton.PAID) or (
                not is_paid and payment.reason != button
            ):
                raise PaymentEndedError(payment.reason or payment.state)

        return await _run_in_thread(self._store.update, key, press)

    async def send_webhooks(self, payment: SandboxPayment, times: int = 1) -> list[int]:
        """Post the webhook of a payment's state `times` times; return the responses' statuses."""
        statuses = []
        for _ in range(times):
            now = utc_now()
            body = events.encode_event(payment, now)
            headers = events.signature_headers(body, self._secret, now)
            statuses.append(await self.post_webhook(f"{self._url}{WEBHOOK_PATH}", body, headers))
        return statuses

    async def get_charge_behaviour(self) -> ChargeBehaviour:
        """Return the result of the next charges of saved cards."""
        return await _run_in_thread(self._store.get_charge_behaviour)

    async def set_charge_behaviour(self, behaviour: ChargeBehaviour) -> None:
        """Set the result of the next charges of saved cards."""
        await _run_in_thread(self._store.set_charge_behaviour, behaviour)

    async def _start_blik(self, request: PaymentRequest, code: str) -> NextAction:
        if not _BLIK_CODE.fullmatch(code) or not code.startswith(_BLIK_SUCCESS_PREFIX):
            raise PaymentError("the BLIK code is wrong", permanent=True)
        payment = await _run_in_thread(self._store.insert, request, PaymentState.OPEN)
        consent = asyncio.create_task(self._confirm_blik(payment.key))
        self._blik_consents.add(consent)
        consent.add_done_callback(self._blik_consents.discard)
        return NextAction(ref=_payment_ref(payment), expires_in_seconds=PAGE_LIFETIME_SECONDS)

    async def _confirm_blik(self, key: str) -> None:
        """Pay as the payer does in the bank's app."""
        await asyncio.sleep(self.blik_consent_seconds)
        payment = await self.press_button(key, PageButton.PAID)
        if payment is not None:
            await self.send_webhooks(payment)


async def _run_in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return await asyncio.to_thread(function, *args, **kwargs)
    except (sqlite3.Error, OSError) as error:
        raise PaymentError(f"the sandbox is unavailable: {type(error).__name__}") from None


def _payment_ref(payment: SandboxPayment) -> PaymentRef:
    return PaymentRef(payment.key, payment.ref)


def _provider_payment(payment: SandboxPayment | None) -> ProviderPayment | None:
    if payment is None:
        return None
    is_saved = payment.save and payment.state in {PaymentState.AUTHORIZED, PaymentState.PAID}
    return ProviderPayment(
        ref=_payment_ref(payment),
        state=payment.state,
        money=payment.money,
        mandate=Mandate(payment.key, CARD_LABEL) if is_saved else None,
        reason=payment.reason,
    )
