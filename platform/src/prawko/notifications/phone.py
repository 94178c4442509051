"""Phone numbers and the codes that prove them (spec, section 5; reading R16). Pure."""

import re
import secrets
from datetime import datetime, timedelta

from prawko.notifications.errors import InvalidPhoneError, MalformedPhoneCodeError

CODE_DIGITS = 6
CODE_LIFE = timedelta(minutes=10)
CODE_TRIES = 5
RESEND_AFTER = timedelta(seconds=30)

PHONE_PATTERN = r"^\+48[0-9]{9}$"
CODE_PATTERN = r"^[0-9]{6}$"
_PHONE = re.compile(r"\+48[0-9]{9}")
_CODE = re.compile(r"[0-9]{6}")


def parse_phone(typed: str) -> str:
    """A Polish number, `+48` and nine digits. Raises InvalidPhoneError."""
    number = typed.strip()
    if not number:
        raise InvalidPhoneError(fields={"phoneNumber": "phone.number.missing"})
    if not _PHONE.fullmatch(number):
        raise InvalidPhoneError(fields={"phoneNumber": "phone.number.malformed"})
    return number


def parse_code(typed: str) -> str:
    """Six digits, whatever blanks a person typed. Raises MalformedPhoneCodeError."""
    code = "".join(typed.split())
    if not code:
        raise MalformedPhoneCodeError(fields={"code": "phone.code.missing"})
    if not _CODE.fullmatch(code):
        raise MalformedPhoneCodeError(fields={"code": "phone.code.malformed"})
    return code


def new_code() -> str:
    """Six random digits."""
    return "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))


def wait_before_next(made_at: datetime | None, now: datetime) -> timedelta:
    """How long the next code has to wait after the one made at `made_at`; zero when it need not.

    A code from the far future holds up nobody: the demo's clock was set back.
    """
    if made_at is None or abs(now - made_at) >= RESEND_AFTER:
        return timedelta(0)
    return min(made_at + RESEND_AFTER - now, RESEND_AFTER)
