"""An order as Przelewy24 wants it registered, within the lengths that it takes."""

import re

from prawko.hooks.payments import Method, Order, PaymentError
from prawko_payments_przelewy24.settings import Settings

LONGEST_EMAIL = 50
LONGEST_NAME = 40
LONGEST_TITLE = 1024
LONGEST_ADDRESS = 250
LONGEST_AGENT = 255
ONLY_BLIK = 8192
BLIK_CODE = re.compile("[0-9]{6}", re.ASCII)


def registration(order: Order, settings: Settings) -> dict[str, object]:
    """The fields of an order, unsigned.

    Raises PaymentError where the payer must change something, ValueError where we must.
    """
    payer = order.payer
    if len(payer.email) > LONGEST_EMAIL:
        raise PaymentError(f"an e-mail over {LONGEST_EMAIL} characters", permanent=True)
    if len(order.return_url) > LONGEST_ADDRESS:
        raise ValueError("the address to return to is too long")
    fields: dict[str, object] = {
        "sessionId": order.key,
        "amount": order.money.grosze,
        "currency": order.money.currency,
        "description": order.title[:LONGEST_TITLE],
        "email": payer.email,
        "client": payer.name[:LONGEST_NAME],
        "country": "PL",
        "language": payer.language,
        "urlReturn": order.return_url,
        "urlStatus": settings.events,
        "encoding": "UTF-8",
        "timeLimit": 0 if order.method is Method.TRANSFER else settings.minutes,
    }
    if order.blik_code is not None:
        fields["additional"] = {"PSU": _browser(order)}
    elif order.method is Method.BLIK:
        fields["channel"] = ONLY_BLIK
    return fields


def _browser(order: Order) -> dict[str, str]:
    if not BLIK_CODE.fullmatch(order.blik_code or ""):
        raise PaymentError("a BLIK code is six digits", permanent=True)
    payer = order.payer
    if payer.ip is None or payer.agent is None:
        raise ValueError("a BLIK code is typed in a browser")
    return {"IP": payer.ip, "userAgent": payer.agent[:LONGEST_AGENT]}
