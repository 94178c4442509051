"""The settings of the plugin, `CHANNEL_SMTP_…`."""

from email.headerregistry import Address
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta


class TlsMode(StrEnum):
    """How the connection is encrypted; the server's certificate is always verified."""

    STARTTLS = "starttls"
    TLS = "tls"
    NONE = "none"


DEFAULT_PORTS = {TlsMode.STARTTLS: 587, TlsMode.TLS: 465, TlsMode.NONE: 25}


class SmtpSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The mail server and how to use it.

    `ca_file` is a bundle of authorities for a server whose
    certificate is not publicly trusted. `deadline` is in seconds for a whole mail.
    """

    host: str
    sender: Address
    port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    tls: TlsMode = TlsMode.STARTTLS
    username: str = ""
    password: str = ""
    ca_file: str = ""
    deadline: Annotated[float, Meta(gt=0, le=25)] = 20.0

    @property
    def effective_port(self) -> int:
        """The configured port, or the usual one."""
        return self.port or DEFAULT_PORTS[self.tls]
