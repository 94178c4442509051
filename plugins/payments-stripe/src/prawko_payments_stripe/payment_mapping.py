"""Maps Stripe's sessions and payment intents to payments."""

from prawko.hooks.payments import Mandate, PaymentError, PaymentRef, PaymentState, ProviderPayment
from prawko_payments_stripe.checkout_session import OFF_SESSION, format_mandate_token
from prawko_payments_stripe.errors import AUTHENTICATION_REQUIRED
from prawko_payments_stripe.responses import (
    CHARGE_METADATA,
    DECLINED,
    ORDER_METADATA,
    SUCCEEDED,
    CheckoutSession,
    CustomerPaymentMethod,
    StripeCharge,
    StripePaymentIntent,
    our_reference,
)

FINAL_STATUSES = frozenset({"canceled", DECLINED})


def payment_from_session(session: CheckoutSession) -> ProviderPayment:
    """Return the payment of a Checkout session. Raises PaymentError."""
    reference = our_reference(session.metadata, ORDER_METADATA)
    if reference is None:
        raise PaymentError("the session has no reference of ours")
    ref = PaymentRef(reference, session.id)
    intent = session.payment_intent
    if isinstance(intent, StripePaymentIntent) and intent.status == SUCCEEDED:
        return _paid_payment(ref, intent)
    if session.payment_status == "paid":
        raise PaymentError("the session is paid and names no payment")
    is_declined = isinstance(intent, StripePaymentIntent) and intent.status in FINAL_STATUSES
    if session.status == "expired" or (session.status == "complete" and is_declined):
        reason = _failure_reason(intent) if isinstance(intent, StripePaymentIntent) else ""
        return ProviderPayment(
            ref=ref, state=PaymentState.FAILED, money=session.money, reason=reason or "expired"
        )
    return ProviderPayment(ref=ref, state=PaymentState.OPEN, money=session.money, url=session.url)


def payment_from_charge(intent: StripePaymentIntent) -> ProviderPayment:
    """Return the payment of a charge of a saved card. Raises PaymentError."""
    reference = our_reference(intent.metadata, CHARGE_METADATA)
    if reference is None:
        raise PaymentError("the charge has no reference of ours")
    ref = PaymentRef(reference, intent.id)
    if intent.status == SUCCEEDED:
        return _paid_payment(ref, intent)
    has_failed = intent.status in FINAL_STATUSES and not requires_authentication(intent)
    return ProviderPayment(
        ref=ref,
        state=PaymentState.FAILED if has_failed else PaymentState.OPEN,
        money=intent.money,
        reason=_failure_reason(intent) if has_failed else "",
    )


def requires_authentication(intent: StripePaymentIntent) -> bool:
    """Return whether a charge was declined because the card's holder must consent."""
    error = intent.last_payment_error
    return (
        intent.status == DECLINED
        and error is not None
        and AUTHENTICATION_REQUIRED in {error.code, error.decline_code}
    )


def _paid_payment(ref: PaymentRef, intent: StripePaymentIntent) -> ProviderPayment:
    return ProviderPayment(
        ref=ref,
        state=_paid_state(intent.latest_charge),
        money=intent.money,
        mandate=_to_mandate(intent),
    )


def _paid_state(charge: StripeCharge | str | None) -> PaymentState:
    if not isinstance(charge, StripeCharge):
        return PaymentState.PAID
    if charge.refunded:
        return PaymentState.REFUNDED
    return PaymentState.DISPUTED if charge.disputed else PaymentState.PAID


def _to_mandate(intent: StripePaymentIntent) -> Mandate | None:
    method = intent.payment_method
    if intent.setup_future_usage != OFF_SESSION or intent.customer is None or method is None:
        return None
    if isinstance(method, str):
        return Mandate(format_mandate_token(intent.customer, method))
    return Mandate(format_mandate_token(intent.customer, method.id), _card_label(method))


def _card_label(method: CustomerPaymentMethod) -> str:
    if method.card is None:
        return method.type
    return f"{method.card.brand.replace('_', ' ').title()} •••• {method.card.last4}"


def _failure_reason(intent: StripePaymentIntent) -> str:
    error = intent.last_payment_error
    return (error.decline_code or error.code or "") if error is not None else ""
