"""The Stripe payment provider.

A payment is a Checkout session (`cs_…`), a charge of a saved card a payment intent (`pi_…`) or,
if the card's holder must consent, a session again. The metadata of each contain our reference.
"""

from prawko.hooks.errors import ProviderAccountError
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
from prawko.hooks.urls import parse_secure_url
from prawko.hooks.webhooks import WebhookRequest
from prawko_payments_stripe import checkout_session, payment_mapping, webhooks
from prawko_payments_stripe.client import StripeGateway
from prawko_payments_stripe.errors import (
    FINAL_REFUND_ERRORS,
    INSUFFICIENT_FUNDS,
    AuthenticationRequiredError,
    StripeRequestError,
)
from prawko_payments_stripe.responses import (
    CHARGE_METADATA,
    ORDER_METADATA,
    REFUND_METADATA,
    SUCCEEDED,
    CheckoutSession,
    StripePaymentIntent,
    StripeRefund,
    our_reference,
)
from prawko_payments_stripe.settings import StripeSettings

SESSION_PREFIX, INTENT_PREFIX = "cs_", "pi_"
MINUTES_TO_PAY = 60  # on Stripe's page, which may be open for 31 to 1439
MIN_AMOUNTS = {"PLN": 200}  # Stripe's minimum, in grosze
REFUND_STATES = {
    "succeeded": RefundState.SUCCEEDED,
    "pending": RefundState.PENDING,
    "requires_action": RefundState.PENDING,
    "failed": RefundState.FAILED,
    "canceled": RefundState.FAILED,
}


class StripeProvider:
    """Takes payments that are captured at once: none is ever AUTHORIZED."""

    name = "stripe"

    def __init__(self, settings: StripeSettings) -> None:
        self._settings = settings
        self._client = StripeGateway(settings)
        methods = {PaymentMethod.CARD}
        if settings.blik:
            methods.add(PaymentMethod.BLIK)
        if settings.przelewy24:
            methods.add(PaymentMethod.PRZELEWY24)
        self.capabilities = ProviderCapabilities(
            methods=frozenset(methods),
            recurring_methods=frozenset({PaymentMethod.CARD}),
            can_cancel=True,
        )

    async def available_methods(self, amount: Money) -> frozenset[PaymentMethod]:
        configurations = await self._client.list_configurations()
        if amount.grosze < MIN_AMOUNTS.get(amount.currency, 0):
            return frozenset()
        available: set[PaymentMethod] = set()
        for configuration in configurations:
            if configuration.is_effective:
                methods = {
                    PaymentMethod.CARD: configuration.card,
                    PaymentMethod.BLIK: configuration.blik,
                    PaymentMethod.PRZELEWY24: configuration.p24,
                }
                available |= {
                    method for method, status in methods.items() if status and status.available
                }
        return self.capabilities.methods & available

    async def create_payment(self, request: PaymentRequest) -> NextAction:
        if request.method not in self.capabilities.methods or request.blik_code is not None:
            raise ValueError(f"the method {request.method} is not offered in this way")
        save = request.save_payment_method and request.method in self.capabilities.recurring_methods
        params = checkout_session.checkout_params(
            request, minutes=MINUTES_TO_PAY, save_payment_method=save
        )
        session = await self._client.create_session(params, f"order-{request.reference}")
        method_types = session.payment_method_types
        method_type = checkout_session.STRIPE_METHOD_TYPES[request.method]
        if method_types and method_type not in method_types:
            await self._client.expire_session(session.id)
            raise ProviderAccountError(f"{request.method} is not enabled")
        return NextAction(
            ref=PaymentRef(request.reference, session.id),
            url=_session_url(session),
            expires_in_seconds=MINUTES_TO_PAY * 60,
        )

    async def charge(self, mandate: Mandate, request: PaymentRequest) -> ProviderPayment:
        try:
            payment = await self._charge_once(mandate, request)
        except AuthenticationRequiredError:
            payment = await self._request_authentication(mandate, request)
        except StripeRequestError as error:
            if error.is_missing:  # the card was removed in Stripe's dashboard
                raise PaymentError(str(error), permanent=True) from None
            raise
        if payment.state is PaymentState.FAILED:
            raise PaymentError(f"the charge has failed: {payment.reason}", permanent=True)
        return payment

    def parse_webhook(self, request: WebhookRequest) -> PaymentEvent | None:
        return webhooks.parse_webhook(request, self._settings)

    async def capture(self, event: PaymentEvent, *, expected: Money) -> ProviderPayment | None:  # noqa: ARG002
        return await self.query_status(event.ref)

    async def query_status(self, ref: PaymentRef) -> ProviderPayment | None:
        source = await self._find(ref)
        if source is None:
            return None
        if isinstance(source, CheckoutSession):
            return payment_mapping.payment_from_session(source)
        return payment_mapping.payment_from_charge(source)

    async def cancel(self, ref: PaymentRef) -> ProviderPayment | None:
        payment = await self.query_status(ref)
        if payment is None or payment.state is not PaymentState.OPEN:
            return payment
        provider_ref = payment.ref.provider_ref or ""
        if provider_ref.startswith(SESSION_PREFIX):
            await self._client.expire_session(provider_ref)
        else:
            await self._client.cancel_intent(provider_ref)
        return await self.query_status(payment.ref)

    async def refund(self, ref: PaymentRef, amount: Money, *, refund_reference: str) -> Refund:
        source = await self._find(ref)
        intent = source.payment_intent if isinstance(source, CheckoutSession) else source
        if not isinstance(intent, StripePaymentIntent) or intent.status != SUCCEEDED:
            return Refund(RefundState.FAILED, "nothing was paid")
        for refund in await self._client.list_refunds(intent.id):
            if our_reference(refund.metadata, REFUND_METADATA) == refund_reference:
                return _to_refund(refund)
        rest = intent.money.grosze - intent.refunded_grosze
        if amount.currency != intent.money.currency or amount.grosze > rest:
            return Refund(
                RefundState.FAILED, f"only {rest} {intent.money.currency} can be refunded"
            )
        try:
            return _to_refund(
                await self._client.create_refund(intent.id, ref.reference, amount, refund_reference)
            )
        except StripeRequestError as error:
            if error.code in INSUFFICIENT_FUNDS:
                raise ProviderAccountError(
                    f"the balance of our account is too low: {error}"
                ) from None
            if error.code in FINAL_REFUND_ERRORS or error.param == "amount":
                return Refund(RefundState.FAILED, str(error))
            raise

    async def check(self) -> str:
        """Ask what the account accepts at present."""
        methods = await self.available_methods(Money(100_00))
        return f"accepts {', '.join(sorted(methods)) or 'nothing'}"

    async def close(self) -> None:
        await self._client.close()

    async def _charge_once(self, mandate: Mandate, request: PaymentRequest) -> ProviderPayment:
        # Stripe forgets idempotency keys after a day; a retry may come later than that.
        customer, _ = checkout_session.parse_mandate_token(mandate)
        intent = await self._client.find_charge(customer, request.reference)
        if intent is None:
            params = checkout_session.charge_params(request, mandate)
            intent = await self._client.create_charge(params, f"charge-{request.reference}")
        if payment_mapping.requires_authentication(intent):
            raise AuthenticationRequiredError
        return payment_mapping.payment_from_charge(intent)

    async def _request_authentication(
        self, mandate: Mandate, request: PaymentRequest
    ) -> ProviderPayment:
        customer, _ = checkout_session.parse_mandate_token(mandate)
        session = await self._client.find_session_of_customer(customer, request.reference)
        if session is None:
            params = checkout_session.authentication_params(request, mandate)
            session = await self._client.create_session(params, f"consent-{request.reference}")
        payment = payment_mapping.payment_from_session(session)
        if payment.state is PaymentState.OPEN:
            _session_url(session)
        return payment

    async def _find(self, ref: PaymentRef) -> CheckoutSession | StripePaymentIntent | None:
        """Return the object with both ids, or with our reference if Stripe's id is unknown."""
        provider_ref = ref.provider_ref or ""
        if provider_ref.startswith(SESSION_PREFIX):
            session = await self._client.get_session(provider_ref)
            return (
                session
                if session and our_reference(session.metadata, ORDER_METADATA) == ref.reference
                else None
            )
        if provider_ref.startswith(INTENT_PREFIX):
            intent = await self._client.get_intent(provider_ref)
            return await self._resolve_intent(intent, ref.reference) if intent else None
        if not ref.reference:
            return None
        return await self._find_by_reference(ref.reference)

    async def _find_by_reference(
        self, reference: str
    ) -> CheckoutSession | StripePaymentIntent | None:
        """Find by our reference alone: among recent sessions, then by a search of intents.

        A session has an intent only once its payer has tried, and searches lag by a minute; a
        session older than a day has been paid or has expired.
        """
        if (session := await self._client.find_session(reference)) is not None:
            return session
        intents = await self._client.search_intents(reference)
        return await self._resolve_intent(intents[0], reference) if intents else None

    async def _resolve_intent(
        self, intent: StripePaymentIntent, reference: str
    ) -> CheckoutSession | StripePaymentIntent | None:
        """Return the session of an intent, or the intent; without a reference, of any of ours."""
        order_reference = our_reference(intent.metadata, ORDER_METADATA)
        if order_reference is not None and reference in {"", order_reference}:
            return await self._client.find_session_of_intent(intent.id, order_reference)
        charge_reference = our_reference(intent.metadata, CHARGE_METADATA)
        if charge_reference is None or reference not in {"", charge_reference}:
            return None
        reference = charge_reference
        if payment_mapping.requires_authentication(intent) and intent.customer is not None:
            return await self._client.find_session_of_customer(intent.customer, reference) or intent
        return intent


def _session_url(session: CheckoutSession) -> str:
    if session.url is None or parse_secure_url(session.url) is None:
        raise PaymentError("Stripe's session has no URL")
    return session.url


def _to_refund(refund: StripeRefund) -> Refund:
    if refund.status not in REFUND_STATES:
        raise PaymentError(f"the refund has an unknown status {refund.status}")
    return Refund(REFUND_STATES[refund.status], refund.failure_reason or "")
