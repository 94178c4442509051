"""An order as Stripe's page wants it, and a charge of a saved card."""

from stripe.params import PaymentIntentCreateParams
from stripe.params.checkout import SessionCreateParams

from prawko.hooks.payments import Mandate, Method, Order
from prawko_payments_stripe.answers import CHARGE, ORDER
from prawko_payments_stripe.machine_clock import machine_now

TYPES = {Method.CARD: "card", Method.BLIK: "blik", Method.PRZELEWY24: "p24"}
LONGEST_TITLE = 250
OFF_SESSION = "off_session"


def page(order: Order, *, minutes: int, save: bool) -> SessionCreateParams:
    """A page for an order that nobody has paid; with `save` its card may be charged again."""
    params = _page(order)
    params["customer_email"] = order.payer.email
    params["customer_creation"] = "always" if save else "if_required"
    params["expires_at"] = int(machine_now().timestamp()) + minutes * 60
    if save:
        params["payment_intent_data"]["setup_future_usage"] = OFF_SESSION
    return params


def consent_page(order: Order, mandate: Mandate) -> SessionCreateParams:
    """A page on which the holder of a saved card consents to a charge, or gives another card.

    Nothing of it hangs on the clock, so that asking for it again is the same question: it
    stays open for the 24 hours that Stripe gives every page.
    """
    params = _page(order)
    params["customer"] = names(mandate)[0]
    params["payment_intent_data"]["setup_future_usage"] = OFF_SESSION
    return params


def charge(order: Order, mandate: Mandate) -> PaymentIntentCreateParams:
    """A charge of a saved card whose holder is not there."""
    customer, method = names(mandate)
    return {
        "amount": order.money.grosze,
        "currency": order.money.currency.lower(),
        "customer": customer,
        "payment_method": method,
        "description": order.title,
        "metadata": {CHARGE: order.key},
        "automatic_payment_methods": {"enabled": True, "allow_redirects": "never"},
        "off_session": True,
        "confirm": True,
        "expand": ["latest_charge"],
    }


def token(customer: str, method: str) -> str:
    """What a mandate is stored as."""
    return f"{customer}:{method}"


def names(mandate: Mandate) -> tuple[str, str]:
    """The customer and the way to pay that a mandate stands for."""
    customer, _, method = mandate.token.partition(":")
    if not customer or not method:
        raise ValueError("this is no mandate of Stripe's")
    return customer, method


def _page(order: Order) -> SessionCreateParams:
    return {
        "mode": "payment",
        "client_reference_id": order.key,
        "metadata": {ORDER: order.key},
        "payment_intent_data": {"description": order.title, "metadata": {ORDER: order.key}},
        "line_items": [
            {
                "quantity": 1,
                "price_data": {
                    "currency": order.money.currency.lower(),
                    "unit_amount": order.money.grosze,
                    "product_data": {"name": order.title[:LONGEST_TITLE]},
                },
            }
        ],
        "allowed_payment_method_types": [TYPES[order.method]],
        # Elsewhere the page would show, and take, another currency.
        "adaptive_pricing": {"enabled": False},
        "locale": order.payer.language,
        "success_url": order.return_url,
        "cancel_url": order.return_url,
    }
