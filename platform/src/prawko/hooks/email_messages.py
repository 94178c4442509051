"""The common parts of the mails of all channels: sender, Message-ID, headers."""

import hashlib
from collections.abc import Mapping
from email.headerregistry import Address
from email.utils import parseaddr

_DIGEST_LENGTH = 32

AUTOMATED_HEADERS: Mapping[str, str] = {
    "Auto-Submitted": "auto-generated",
    "X-Auto-Response-Suppress": "All",
}
"""Headers that keep auto-responders from answering."""


def parse_sender(setting: str) -> Address | None:
    """Parse `Name <address>` or a bare address; None if it is neither."""
    name, address = parseaddr(setting)
    local, at, domain = address.rpartition("@")
    if not (local and at and domain and address.isascii() and address.isprintable()):
        return None
    return Address(name, local, domain)


def create_message_id(idempotency_key: str, sender: Address) -> str:
    """Return the Message-ID of a mail, the same for the same key.

    A mail that a carrier sends twice then appears once in most mail programs.
    """
    digest = hashlib.sha256(idempotency_key.encode()).hexdigest()[:_DIGEST_LENGTH]
    return f"<{digest}@{sender.domain}>"
