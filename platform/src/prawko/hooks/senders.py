"""The sender that readers of mails see, as a setting names it."""

from email.headerregistry import Address
from email.utils import parseaddr


def read_sender(setting: str) -> Address | None:
    """`Name <address>`, or an address alone; None where it cannot be one."""
    name, address = parseaddr(setting)
    local, at, domain = address.rpartition("@")
    if not (local and at and domain and address.isascii() and address.isprintable()):
        return None
    return Address(name, local, domain)
