"""The settings of the plugin, `CHANNEL_SENDGRID_…`."""

from email.headerregistry import Address
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta
from yarl import URL

from prawko.hooks.environment import SECRET


class Region(StrEnum):
    """Where SendGrid stores mails; an account belongs to one region."""

    GLOBAL = "global"
    EU = "eu"


BASE_URLS = {Region.GLOBAL: "https://api.sendgrid.com", Region.EU: "https://api.eu.sendgrid.com"}


class SendGridSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The account and how to use it.

    `sender` is a name and a verified address. With `sandbox` SendGrid validates mails and sends
    none. `report_key` is the public key of the signed event webhook. `url` replaces the
    region's.
    """

    key: Annotated[str, Meta(description="a key that may send mail"), SECRET]
    sender: Annotated[Address, Meta(description="a verified sender, as `Name <address>`")]
    region: Annotated[
        Region,
        Meta(
            description="`eu` for an account of the European region: mails then stay there, events "
            "still pass through the United States"
        ),
    ] = Region.GLOBAL
    sandbox: Annotated[bool, Meta(description="mails are validated and not sent")] = False
    report_key: Annotated[
        str,
        Meta(
            description="the verification key of the signed event webhook; without it no delivery "
            "reports are accepted"
        ),
    ] = ""
    url: Annotated[URL | None, Meta(description="replaces the region's address")] = None

    @property
    def base_url(self) -> URL:
        """The root of the API."""
        return self.url or URL(BASE_URLS[self.region])
