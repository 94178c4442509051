"""Builds the fields of a registered transaction, within Przelewy24's limits of length."""

import re

from prawko.hooks.payments import PaymentError, PaymentMethod, PaymentRequest
from prawko_payments_przelewy24.settings import Przelewy24Settings

MINUTES_TO_BEGIN = 30  # of a payer; Przelewy24 takes 1 to 99
MAX_EMAIL_LENGTH = 50
MAX_NAME_LENGTH = 40
MAX_DESCRIPTION_LENGTH = 1024
MAX_URL_LENGTH = 250
MAX_USER_AGENT_LENGTH = 255
BLIK_ONLY_CHANNEL = 8192
BLIK_CODE_PATTERN = re.compile("[0-9]{6}", re.ASCII)


def registration_fields(request: PaymentRequest, settings: Przelewy24Settings) -> dict[str, object]:
    """Return the fields of a transaction, unsigned.

    Raises a permanent PaymentError for invalid data of the payer, ValueError for ours.
    """
    payer = request.payer
    if len(payer.email) > MAX_EMAIL_LENGTH:
        raise PaymentError(
            f"the e-mail address exceeds {MAX_EMAIL_LENGTH} characters", permanent=True
        )
    if len(request.return_url) > MAX_URL_LENGTH:
        raise ValueError("the return URL is too long")
    fields: dict[str, object] = {
        "sessionId": request.reference,
        "amount": request.money.grosze,
        "currency": request.money.currency,
        "description": request.description[:MAX_DESCRIPTION_LENGTH],
        "email": payer.email,
        "client": payer.name[:MAX_NAME_LENGTH],
        "country": "PL",
        "language": payer.language,
        "urlReturn": request.return_url,
        "urlStatus": settings.events,
        "encoding": "UTF-8",
        "timeLimit": 0 if request.method is PaymentMethod.TRANSFER else MINUTES_TO_BEGIN,
    }
    if request.blik_code is not None:
        fields["additional"] = {"PSU": _browser_fields(request)}
    elif request.method is PaymentMethod.BLIK:
        fields["channel"] = BLIK_ONLY_CHANNEL
    return fields


def _browser_fields(request: PaymentRequest) -> dict[str, str]:
    if not BLIK_CODE_PATTERN.fullmatch(request.blik_code or ""):
        raise PaymentError("a BLIK code is six digits", permanent=True)
    payer = request.payer
    if payer.ip is None or payer.user_agent is None:
        raise ValueError("a BLIK code needs the browser's IP address and user agent")
    return {"IP": payer.ip, "userAgent": payer.user_agent[:MAX_USER_AGENT_LENGTH]}
