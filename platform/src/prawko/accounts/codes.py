"""One-time codes: how they look and how a person may type them (reading R16)."""

import secrets
from datetime import timedelta

# 32 letters and digits that nobody mistakes for one another: no 0/O, 1/I.
ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
EMAIL_CODE_LENGTH = 6
EMAIL_CODE_LIFE = timedelta(minutes=15)
EMAIL_CODE_TRIES = 10


def new_email_code() -> str:
    """Six characters, about 30 random bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(EMAIL_CODE_LENGTH))


def as_typed(code: str) -> str:
    """A code as it was sent, whatever blanks and small letters a person typed."""
    return "".join(code.split()).upper()
