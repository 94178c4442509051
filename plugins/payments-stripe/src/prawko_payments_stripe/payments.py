"""What Stripe says of a page or a charge, as a payment."""

from prawko.hooks.payments import Mandate, Payment, PaymentError, PaymentRef, PaymentState
from prawko_payments_stripe.answers import (
    CHARGE,
    DECLINED,
    ORDER,
    SUCCEEDED,
    Charge,
    Intent,
    Method,
    Session,
    ours,
)
from prawko_payments_stripe.failures import CONSENT
from prawko_payments_stripe.pages import OFF_SESSION, token

ENDED = frozenset({"canceled", DECLINED})


def of_session(session: Session) -> Payment:
    """The payment of an order that was placed on a page."""
    key = ours(session.metadata, ORDER)
    if key is None:
        raise PaymentError("the answer is about no order of ours")
    ref = PaymentRef(key, session.id)
    intent = session.payment_intent
    if isinstance(intent, Intent) and intent.status == SUCCEEDED:
        return _paid(ref, intent)
    if session.payment_status == "paid":
        raise PaymentError("the page is paid and names no payment")
    declined = isinstance(intent, Intent) and intent.status in ENDED
    if session.status == "expired" or (session.status == "complete" and declined):
        reason = _reason(intent) if isinstance(intent, Intent) else ""
        return Payment(
            ref=ref, state=PaymentState.FAILED, money=session.money, reason=reason or "expired"
        )
    return Payment(ref=ref, state=PaymentState.OPEN, money=session.money, url=session.url)


def of_charge(intent: Intent) -> Payment:
    """The payment of an order for which a saved card was charged."""
    key = ours(intent.metadata, CHARGE)
    if key is None:
        raise PaymentError("the answer is about no charge of ours")
    ref = PaymentRef(key, intent.id)
    if intent.status == SUCCEEDED:
        return _paid(ref, intent)
    failed = intent.status in ENDED and not waits_for_consent(intent)
    return Payment(
        ref=ref,
        state=PaymentState.FAILED if failed else PaymentState.OPEN,
        money=intent.money,
        reason=_reason(intent) if failed else "",
    )


def waits_for_consent(intent: Intent) -> bool:
    """Whether a charge was refused because the card's holder must be asked."""
    error = intent.last_payment_error
    return (
        intent.status == DECLINED
        and error is not None
        and CONSENT in {error.code, error.decline_code}
    )


def _paid(ref: PaymentRef, intent: Intent) -> Payment:
    charge = intent.latest_charge
    gone = isinstance(charge, Charge) and charge.refunded
    return Payment(
        ref=ref,
        state=PaymentState.REFUNDED if gone else PaymentState.PAID,
        money=intent.money,
        mandate=_mandate(intent),
    )


def _mandate(intent: Intent) -> Mandate | None:
    method = intent.payment_method
    if intent.setup_future_usage != OFF_SESSION or intent.customer is None or method is None:
        return None
    if isinstance(method, str):
        return Mandate(token(intent.customer, method))
    return Mandate(token(intent.customer, method.id), _label(method))


def _label(method: Method) -> str:
    if method.card is None:
        return method.type
    return f"{method.card.brand.replace('_', ' ').title()} •••• {method.card.last4}"


def _reason(intent: Intent) -> str:
    error = intent.last_payment_error
    return (error.decline_code or error.code or "") if error is not None else ""
