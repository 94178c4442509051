"""Validates phone numbers and codes, and generates codes (docs/rules.md P6, P7, R16)."""

import re
import secrets
from datetime import datetime, timedelta

from prawko.accounts.errors import InvalidPhoneError, MalformedPhoneCodeError

CODE_DIGITS = 6
RESEND_DELAY = timedelta(seconds=30)

PHONE_PATTERN = r"^\+48[0-9]{9}$"
CODE_PATTERN = r"^[0-9]{6}$"
_PHONE = re.compile(r"\+48[0-9]{9}")
_CODE = re.compile(r"[0-9]{6}")


def parse_phone(raw: str) -> str:
    """Return a Polish number, `+48` and nine digits. Raises InvalidPhoneError."""
    number = raw.strip()
    if not number:
        raise InvalidPhoneError(fields={"phoneNumber": "phone.number.missing"})
    if not _PHONE.fullmatch(number):
        raise InvalidPhoneError(fields={"phoneNumber": "phone.number.malformed"})
    return number


def parse_phone_code(raw: str) -> str:
    """Return the six digits without the blanks between them. Raises MalformedPhoneCodeError."""
    code = "".join(raw.split())
    if not code:
        raise MalformedPhoneCodeError(fields={"code": "phone.code.missing"})
    if not _CODE.fullmatch(code):
        raise MalformedPhoneCodeError(fields={"code": "phone.code.malformed"})
    return code


def new_phone_code() -> str:
    """Return six random digits."""
    return "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))


def resend_wait(last_code_at: datetime | None, now: datetime) -> timedelta:
    """Return how long to wait before the next code; zero when it may be sent now.

    A `last_code_at` far in the future is ignored: the demo's clock was set back.
    """
    if last_code_at is None or abs(now - last_code_at) >= RESEND_DELAY:
        return timedelta(0)
    return min(last_code_at + RESEND_DELAY - now, RESEND_DELAY)
