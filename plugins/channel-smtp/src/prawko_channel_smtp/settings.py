"""The mail server to hand mails to."""

from email.headerregistry import Address
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from prawko.hooks.senders import read_sender

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Tls(StrEnum):
    """How the connection is protected; the server's certificate is always verified."""

    STARTTLS = "starttls"
    TLS = "tls"
    NONE = "none"


PORTS = {Tls.STARTTLS: 587, Tls.TLS: 465, Tls.NONE: 25}


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """`sender` is what readers see: a name and an address. Times are in seconds.

    `ca_file` names the authority of a server whose certificate is not publicly trusted.
    """

    host: str
    sender: str
    port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    tls: Tls = Tls.STARTTLS
    username: str = ""
    password: str = ""
    ca_file: str = ""
    deadline: Annotated[float, Meta(gt=0, le=25)] = 20.0

    @property
    def port_number(self) -> int:
        """The port given, else the usual one."""
        return self.port or PORTS[self.tls]

    @property
    def sender_address(self) -> Address | None:
        """The sender, or None when it cannot be one."""
        return read_sender(self.sender)
