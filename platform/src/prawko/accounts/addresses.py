"""E-mail addresses: what we accept, and how two are compared."""

import re

MAX_LENGTH = 254
# Enough to catch a slip of the hand; whether it exists, the code that we send will tell.
_PATTERN = re.compile(
    r"[^\s@<>\"(),:;\\\[\]]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+", re.IGNORECASE | re.ASCII
)
_PRINTABLE = re.compile(r"[!-~]+")
# The same for clients, in what every dialect of patterns knows.
TOLD_PATTERN = r"^[!#-'*+./0-9=?A-Z^-~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$"


def parse_email(text: str) -> str | None:
    """The address without blanks around it, or None when it cannot be one."""
    address = text.strip()
    looks_right = _PATTERN.fullmatch(address) and _PRINTABLE.fullmatch(address)
    return address if looks_right and len(address) <= MAX_LENGTH else None


def email_key(address: str) -> str:
    """Addresses compare without case (reading R27)."""
    return address.lower()
