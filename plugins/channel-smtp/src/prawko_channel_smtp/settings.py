"""The settings of the plugin, `CHANNEL_SMTP_…`."""

from email.headerregistry import Address
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from prawko.hooks.environment import SECRET


class TlsMode(StrEnum):
    """How the connection is encrypted; the server's certificate is always verified."""

    STARTTLS = "starttls"
    TLS = "tls"
    NONE = "none"


DEFAULT_PORTS = {TlsMode.STARTTLS: 587, TlsMode.TLS: 465, TlsMode.NONE: 25}


class SmtpSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The mail server and how to use it.

    `ca_file` is a bundle of authorities for a server whose certificate is not publicly trusted.
    """

    host: Annotated[str, Meta(description="the mail server")]
    sender: Annotated[Address, Meta(description="the sender, as `Name <address>`")]
    port: Annotated[
        Annotated[int, Meta(ge=1, le=65535)] | None,
        Meta(description="its port; empty: the usual one of `TLS`"),
    ] = None
    tls: Annotated[
        TlsMode,
        Meta(description="`starttls`, `tls`, or `none` on this machine"),
    ] = TlsMode.STARTTLS
    username: Annotated[str, Meta(description="the login, with its password")] = ""
    password: Annotated[str, Meta(description="the login's password"), SECRET] = ""
    ca_file: Annotated[
        str,
        Meta(description="authorities of a server whose certificate is not publicly trusted"),
    ] = ""

    @property
    def effective_port(self) -> int:
        """The configured port, or the usual one."""
        return self.port or DEFAULT_PORTS[self.tls]
