"""A payment provider in memory, with its payers, for tests of the platform."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import msgspec

from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment
from prawko.hooks.payments import (
    Mandate,
    Money,
    NextAction,
    PaymentError,
    PaymentEvent,
    PaymentEventKind,
    PaymentMethod,
    PaymentProvider,
    PaymentRef,
    PaymentRequest,
    PaymentState,
    ProviderCapabilities,
    ProviderPayment,
    Refund,
    RefundState,
)
from prawko.hooks.webhooks import MalformedWebhookError, WebhookRequest, WebhookVerificationError
from prawko_testing.clock import utc_now

_SIGNATURE = "x-fake-signature"
_CANCELLABLE = frozenset({PaymentState.OPEN, PaymentState.FAILED})


class _WebhookBody(msgspec.Struct):
    id: str
    kind: PaymentEventKind
    key: str
    money: Money
    refund_key: str | None = None


class FakePaymentProvider:
    """Offers every method; its name is `fake`.

    `pay`, `fail`, `dispute`, `give_consent` and `refuse_consent` act as the payer. `failure` is
    raised by every call; `declines_charges` makes charges fail permanently, `requires_consent`
    makes them wait for the payer's consent.
    """

    name = "fake"
    capabilities = ProviderCapabilities(
        methods=frozenset(PaymentMethod),
        recurring_methods=frozenset({PaymentMethod.CARD}),
        accepts_blik_codes=True,
        can_cancel=True,
    )

    def __init__(self, secret: bytes = b"fake") -> None:
        self.requests: dict[str, PaymentRequest] = {}
        self.payments: dict[str, ProviderPayment] = {}
        self.refunds: dict[str, tuple[str, Money]] = {}
        self.charge_counts: Counter[str] = Counter()
        self.failure: Exception | None = None
        self.declines_charges = False
        self.requires_consent = False
        self._secret = secret

    async def available_methods(self, amount: Money) -> frozenset[PaymentMethod]:  # noqa: ARG002
        self._raise_failure()
        return self.capabilities.methods

    async def create_payment(self, request: PaymentRequest) -> NextAction:
        self._raise_failure()
        payment = self._create(request)
        return NextAction(
            ref=payment.ref, url=f"https://pay.test/{request.reference}", expires_in_seconds=900
        )

    def parse_webhook(self, request: WebhookRequest) -> PaymentEvent | None:
        signature = request.headers.get(_SIGNATURE, "")
        if not hmac.compare_digest(signature.encode(), self._sign(request.body).encode()):
            raise WebhookVerificationError("the signature is missing or invalid")
        try:
            body = msgspec.json.decode(request.body, type=_WebhookBody)
        except (msgspec.MsgspecError, ValueError):
            raise MalformedWebhookError("the webhook cannot be parsed") from None
        if body.key not in self.requests:
            return None
        ref = self.payments[body.key].ref
        return PaymentEvent(
            event_id=body.id,
            kind=body.kind,
            ref=ref,
            occurred_at=request.received_at,
            money=body.money,
            refund_reference=body.refund_key,
        )

    async def capture(self, event: PaymentEvent, *, expected: Money) -> ProviderPayment | None:
        self._raise_failure()
        payment = self.payments.get(event.ref.reference)
        if payment and payment.state is PaymentState.AUTHORIZED and payment.money == expected:
            return self._set_state(payment, PaymentState.PAID)
        return payment

    async def query_status(self, ref: PaymentRef) -> ProviderPayment | None:
        self._raise_failure()
        return self.payments.get(ref.reference)

    async def cancel(self, ref: PaymentRef) -> ProviderPayment | None:
        self._raise_failure()
        payment = self.payments.get(ref.reference)
        if payment and payment.state in _CANCELLABLE:
            return self._set_state(payment, PaymentState.FAILED)
        return payment

    async def refund(self, ref: PaymentRef, amount: Money, *, refund_reference: str) -> Refund:
        self._raise_failure()
        payment = self.payments.get(ref.reference)
        if refund_reference in self.refunds:
            return Refund(RefundState.SUCCEEDED)
        if payment is None or payment.state is not PaymentState.PAID:
            return Refund(RefundState.FAILED, "nothing was paid")
        rest = payment.money.grosze - self.refunded_amount(ref)
        if amount.currency != payment.money.currency or amount.grosze > rest:
            return Refund(RefundState.FAILED, "the amount exceeds the rest")
        self.refunds[refund_reference] = (ref.reference, amount)
        if amount.grosze == rest:
            self._set_state(payment, PaymentState.REFUNDED)
        return Refund(RefundState.SUCCEEDED)

    async def charge(self, mandate: Mandate, request: PaymentRequest) -> ProviderPayment:
        self._raise_failure()
        if self.declines_charges or mandate.token not in self.requests:
            raise PaymentError("the card was declined", permanent=True)
        if request.reference not in self.payments:
            payment = self._create(request)
            if self.requires_consent:
                url = f"https://bank.test/consent/{request.reference}"
                payment = msgspec.structs.replace(payment, url=url)
                return self._set_state(payment, PaymentState.OPEN)
            self.charge_counts[request.reference] += 1
            self._set_state(payment, PaymentState.PAID)
        return self.payments[request.reference]

    async def close(self) -> None:
        """Do nothing: there are no connections."""

    async def pay(self, next_action: NextAction, money: Money | None = None) -> WebhookRequest:
        """Pay as the payer, the requested amount or `money`; return the provider's webhook."""
        reference = next_action.ref.reference
        saves = self.requests[reference].save_payment_method
        payment = self.payments[reference]
        paid = msgspec.structs.replace(
            payment,
            money=money or payment.money,
            mandate=Mandate(reference, "•••• 4242") if saves else None,
        )
        return self._notify(self._set_state(paid, PaymentState.AUTHORIZED), PaymentEventKind.PAID)

    async def fail(self, next_action: NextAction) -> WebhookRequest:
        """Fail as the payer, whose bank declines; return the provider's webhook."""
        payment = self.payments[next_action.ref.reference]
        return self._notify(self._set_state(payment, PaymentState.FAILED), PaymentEventKind.FAILED)

    def dispute(self, next_action: NextAction) -> WebhookRequest:
        """Dispute a payment at the bank, as the payer; return the provider's webhook."""
        payment = self.payments[next_action.ref.reference]
        return self._notify(
            self._set_state(payment, PaymentState.DISPUTED), PaymentEventKind.DISPUTED
        )

    def give_consent(self, reference: str) -> None:
        """Consent as the payer to an open charge."""
        self.charge_counts[reference] += 1
        self._set_state(self.payments[reference], PaymentState.PAID)

    def refuse_consent(self, reference: str) -> None:
        """Refuse an open charge as the payer."""
        self._set_state(self.payments[reference], PaymentState.FAILED)

    @property
    def paid_amounts(self) -> dict[str, int]:
        """How many grosze were paid and captured, by reference."""
        return {
            reference: payment.money.grosze
            for reference, payment in self.payments.items()
            if payment.state is PaymentState.PAID
        }

    @property
    def charges_per_payment(self) -> list[int]:
        """How often each payment was charged to a mandate, in order."""
        return list(self.charge_counts.values())

    def refunded_amount(self, ref: PaymentRef) -> int:
        """Return how many grosze of a payment were refunded."""
        return sum(
            money.grosze for reference, money in self.refunds.values() if reference == ref.reference
        )

    def charge_count(self, request: PaymentRequest) -> int:
        """Return how often a saved card was charged for a request."""
        return self.charge_counts[request.reference]

    def signed_request(
        self, body: bytes, headers: Mapping[str, str] | None = None
    ) -> WebhookRequest:
        """Return a webhook with this body, signed, or with these headers instead."""
        if headers is None:
            headers = {_SIGNATURE: self._sign(body)}
        return WebhookRequest(headers=headers, query={}, body=body, received_at=utc_now())

    def _notify(self, payment: ProviderPayment, kind: PaymentEventKind) -> WebhookRequest:
        reference = payment.ref.reference
        body = _WebhookBody(id=f"{kind}-{reference}", kind=kind, key=reference, money=payment.money)
        return self.signed_request(msgspec.json.encode(body))

    def _create(self, request: PaymentRequest) -> ProviderPayment:
        if request.reference in self.requests:
            raise ValueError("the payment was created before")
        self.requests[request.reference] = request
        ref = PaymentRef(request.reference, f"fake-{len(self.requests)}")
        self.payments[request.reference] = ProviderPayment(
            ref=ref, state=PaymentState.OPEN, money=request.money
        )
        return self.payments[request.reference]

    def _set_state(self, payment: ProviderPayment, state: PaymentState) -> ProviderPayment:
        changed = msgspec.structs.replace(payment, state=state)
        self.payments[payment.ref.reference] = changed
        return changed

    def _sign(self, body: bytes) -> str:
        return hmac.new(self._secret, body, hashlib.sha256).hexdigest()

    def _raise_failure(self) -> None:
        if self.failure is not None:
            raise self.failure


def payment_plugin(*providers: PaymentProvider) -> Any:
    """Return a plugin that offers exactly these providers."""

    @hookimpl
    def payment_providers(environment: Environment) -> list[PaymentProvider]:  # noqa: ARG001
        return list(providers)

    return SimpleNamespace(payment_providers=payment_providers)
