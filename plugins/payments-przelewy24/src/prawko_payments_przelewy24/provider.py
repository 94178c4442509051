"""The Przelewy24 payment provider."""

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.payments import (
    Money,
    NextAction,
    PaymentError,
    PaymentEvent,
    PaymentEventKind,
    PaymentMethod,
    PaymentRef,
    PaymentRequest,
    PaymentState,
    ProviderCapabilities,
    ProviderPayment,
    Refund,
    RefundState,
    TransferInstructions,
)
from prawko.hooks.webhooks import WebhookRequest
from prawko_payments_przelewy24 import webhooks
from prawko_payments_przelewy24.client import DuplicateRefundError, Przelewy24Client
from prawko_payments_przelewy24.registration import MINUTES_TO_BEGIN, registration_fields
from prawko_payments_przelewy24.responses import Przelewy24RequestError, Transaction
from prawko_payments_przelewy24.settings import Przelewy24Settings

PAYMENT_STATES = {
    0: PaymentState.OPEN,
    1: PaymentState.AUTHORIZED,  # an "advance": paid, but the payer's until we verify it
    2: PaymentState.PAID,
    3: PaymentState.REFUNDED,
}
REFUND_STATES = {
    1: RefundState.SUCCEEDED,
    2: RefundState.PENDING,
    3: RefundState.PENDING,
    4: RefundState.FAILED,
}
METHODS_BY_GROUP = {"Blik": PaymentMethod.BLIK, "TraditionalTransfer": PaymentMethod.TRANSFER}
INSUFFICIENT_FUNDS = "Insufficient funds"


class Przelewy24Provider:
    """Takes payments as transactions, which expire and cannot be cancelled."""

    name = "przelewy24"

    def __init__(self, settings: Przelewy24Settings) -> None:
        self._settings = settings
        self._client = Przelewy24Client(settings)
        methods = {PaymentMethod.PRZELEWY24, PaymentMethod.BLIK}
        if settings.transfers:
            methods.add(PaymentMethod.TRANSFER)
        self.capabilities = ProviderCapabilities(
            methods=frozenset(methods), accepts_blik_codes=settings.blik_codes
        )

    async def available_methods(self, amount: Money) -> frozenset[PaymentMethod]:
        active = [method for method in await self._client.list_methods(amount) if method.status]
        methods = {
            METHODS_BY_GROUP[method.group] for method in active if method.group in METHODS_BY_GROUP
        }
        if active:
            methods.add(PaymentMethod.PRZELEWY24)
        return self.capabilities.methods & methods

    async def create_payment(self, request: PaymentRequest) -> NextAction:
        accepts_code = request.method is PaymentMethod.BLIK and self._settings.blik_codes
        if request.method not in self.capabilities.methods or (
            request.blik_code is not None and not accepts_code
        ):
            raise ValueError(f"the method {request.method} is not offered in this way")
        token = await self._client.register(registration_fields(request, self._settings))
        if request.method is PaymentMethod.TRANSFER:
            return await self._register_transfer(request, token)
        seconds = MINUTES_TO_BEGIN * 60
        if request.blik_code is not None:
            order_id = await self._client.charge_blik(token, request.blik_code)
            return NextAction(
                ref=PaymentRef(request.reference, str(order_id)), expires_in_seconds=seconds
            )
        return NextAction(
            ref=PaymentRef(request.reference),
            url=self._client.payment_url(token),
            expires_in_seconds=seconds,
        )

    def parse_webhook(self, request: WebhookRequest) -> PaymentEvent | None:
        return webhooks.parse_webhook(request, self._settings)

    async def capture(self, event: PaymentEvent, *, expected: Money) -> ProviderPayment | None:
        payment = await self.query_status(event.ref)
        amounts = {money for money in (event.money, event.requested_money) if money is not None}
        if (
            payment is None
            or payment.state is not PaymentState.AUTHORIZED
            or event.kind is not PaymentEventKind.PAID
            or {payment.money, *amounts} != {expected}
        ):
            return payment
        order_id = int(payment.ref.provider_ref or 0)
        if await self._client.verify(event.ref.reference, order_id, expected):
            return _as_paid(payment)
        payment = await self.query_status(event.ref)  # another process may have verified it
        if payment is not None and payment.state is PaymentState.PAID:
            return payment
        raise Przelewy24RequestError("a payment of the expected amount could not be verified")

    async def query_status(self, ref: PaymentRef) -> ProviderPayment | None:
        transaction = await self._client.find_transaction(ref.reference)
        return None if transaction is None else _to_provider_payment(transaction)

    async def cancel(self, ref: PaymentRef) -> ProviderPayment | None:
        return await self.query_status(ref)

    async def refund(self, ref: PaymentRef, amount: Money, *, refund_reference: str) -> Refund:
        if ref.provider_ref is None:
            payment = await self.query_status(ref)
            if payment is None or payment.ref.provider_ref is None:
                return Refund(RefundState.FAILED, "nothing was paid")
            ref = payment.ref
        order_id = int(ref.provider_ref or 0)
        try:
            reason = await self._client.refund(ref.reference, order_id, refund_reference, amount)
        except DuplicateRefundError:
            return await self._refund_status(order_id, refund_reference)
        if reason is None:
            return Refund(RefundState.PENDING)
        if INSUFFICIENT_FUNDS in reason:
            raise ProviderAccountError(f"the balance of our account is too low: {reason}")
        return Refund(RefundState.FAILED, reason)

    async def check(self) -> str:
        """Ask what the account accepts at present."""
        methods = await self.available_methods(Money(100_00))
        return f"accepts {', '.join(sorted(methods)) or 'nothing'}"

    async def close(self) -> None:
        await self._client.close()

    async def _register_transfer(self, request: PaymentRequest, token: str) -> NextAction:
        offline = await self._client.register_offline(token)
        if (offline.session_id, offline.amount) != (request.reference, request.money.grosze):
            raise PaymentError("the response is about another payment")
        return NextAction(
            ref=PaymentRef(request.reference, str(offline.order_id)),
            transfer=TransferInstructions(
                title=offline.statement,
                iban=offline.iban,
                owner=offline.iban_owner,
                address=offline.iban_owner_address,
            ),
        )

    async def _refund_status(self, order_id: int, refund_reference: str) -> Refund:
        for refund in await self._client.list_refunds(order_id):
            if refund.request_id == refund_reference and refund.status in REFUND_STATES:
                return Refund(REFUND_STATES[refund.status])
        raise PaymentError("the refund was requested before and is not listed yet")


def _to_provider_payment(transaction: Transaction) -> ProviderPayment:
    if transaction.status not in PAYMENT_STATES:
        raise PaymentError(f"the transaction has an unknown status {transaction.status}")
    provider_ref = str(transaction.order_id) if transaction.order_id else None
    state = PAYMENT_STATES[transaction.status]
    if state is PaymentState.AUTHORIZED and provider_ref is None:
        raise PaymentError("the transaction is paid and has no id")
    return ProviderPayment(
        ref=PaymentRef(transaction.session_id, provider_ref),
        state=state,
        money=Money(transaction.amount, transaction.currency),
    )


def _as_paid(payment: ProviderPayment) -> ProviderPayment:
    return ProviderPayment(ref=payment.ref, state=PaymentState.PAID, money=payment.money)
