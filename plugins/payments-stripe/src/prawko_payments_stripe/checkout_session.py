"""Builds the parameters of Checkout sessions and of charges of saved cards."""

from stripe.params import PaymentIntentCreateParams
from stripe.params.checkout import SessionCreateParams

from prawko.hooks.payments import Mandate, PaymentMethod, PaymentRequest
from prawko_payments_stripe.clock import utc_now
from prawko_payments_stripe.responses import CHARGE_METADATA, ORDER_METADATA

STRIPE_METHOD_TYPES = {
    PaymentMethod.CARD: "card",
    PaymentMethod.BLIK: "blik",
    PaymentMethod.PRZELEWY24: "p24",
}
MAX_DESCRIPTION_LENGTH = 250
OFF_SESSION = "off_session"


def checkout_params(
    request: PaymentRequest, *, minutes: int, save_payment_method: bool
) -> SessionCreateParams:
    """Return the parameters of a session, which may save its card for later charges."""
    params = _base_params(request)
    params["customer_email"] = request.payer.email
    params["customer_creation"] = "always" if save_payment_method else "if_required"
    params["expires_at"] = int(utc_now().timestamp()) + minutes * 60
    if save_payment_method:
        params["payment_intent_data"]["setup_future_usage"] = OFF_SESSION
    return params


def authentication_params(request: PaymentRequest, mandate: Mandate) -> SessionCreateParams:
    """Return the parameters of a session to consent to a charge, or to enter another card.

    They do not depend on the time, so that a retry is idempotent; the session stays open for
    Stripe's default of 24 hours.
    """
    params = _base_params(request)
    params["customer"] = parse_mandate_token(mandate)[0]
    params["payment_intent_data"]["setup_future_usage"] = OFF_SESSION
    return params


def charge_params(request: PaymentRequest, mandate: Mandate) -> PaymentIntentCreateParams:
    """Return the parameters of a charge of a saved card whose holder is not present."""
    customer, method = parse_mandate_token(mandate)
    return {
        "amount": request.money.grosze,
        "currency": request.money.currency.lower(),
        "customer": customer,
        "payment_method": method,
        "description": request.description,
        "metadata": {CHARGE_METADATA: request.reference},
        "automatic_payment_methods": {"enabled": True, "allow_redirects": "never"},
        "off_session": True,
        "confirm": True,
        "expand": ["latest_charge"],
    }


def format_mandate_token(customer: str, method: str) -> str:
    """Return the token of a mandate."""
    return f"{customer}:{method}"


def parse_mandate_token(mandate: Mandate) -> tuple[str, str]:
    """Return the customer and the payment method of a mandate. Raises ValueError."""
    customer, _, method = mandate.token.partition(":")
    if not customer or not method:
        raise ValueError("the mandate is not one of Stripe's")
    return customer, method


def _base_params(request: PaymentRequest) -> SessionCreateParams:
    return {
        "mode": "payment",
        "client_reference_id": request.reference,
        "metadata": {ORDER_METADATA: request.reference},
        "payment_intent_data": {
            "description": request.description,
            "metadata": {ORDER_METADATA: request.reference},
        },
        "line_items": [
            {
                "quantity": 1,
                "price_data": {
                    "currency": request.money.currency.lower(),
                    "unit_amount": request.money.grosze,
                    "product_data": {"name": request.description[:MAX_DESCRIPTION_LENGTH]},
                },
            }
        ],
        "allowed_payment_method_types": [STRIPE_METHOD_TYPES[request.method]],
        # Otherwise the page may convert to another currency.
        "adaptive_pricing": {"enabled": False},
        "locale": request.payer.language,
        "success_url": request.return_url,
        "cancel_url": request.return_url,
    }
