"""Validates and normalises e-mail addresses."""

import re

MAX_LENGTH = 254
# Catches typing errors only: whether the address exists, the verification code shows.
_PATTERN = re.compile(
    r"[^\s@<>\"(),:;\\\[\]]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+", re.IGNORECASE | re.ASCII
)
_PRINTABLE_ASCII = re.compile(r"[!-~]+")
# The same for clients, in syntax that every regular-expression dialect has.
OPENAPI_PATTERN = r"^[!#-'*+./0-9=?A-Z^-~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$"


def parse_email(text: str) -> str | None:
    """Return the address without surrounding blanks; None when it is malformed."""
    address = text.strip()
    is_valid = _PATTERN.fullmatch(address) and _PRINTABLE_ASCII.fullmatch(address)
    return address if is_valid and len(address) <= MAX_LENGTH else None


def normalise_email(address: str) -> str:
    """Return the key under which the address is unique: lower case (docs/rules.md R27)."""
    return address.lower()
