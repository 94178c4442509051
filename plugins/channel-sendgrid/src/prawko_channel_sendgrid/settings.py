"""The settings of the plugin, `CHANNEL_SENDGRID_…`."""

from email.headerregistry import Address
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta
from yarl import URL


class Region(StrEnum):
    """Where SendGrid stores mails; an account belongs to one region."""

    GLOBAL = "global"
    EU = "eu"


BASE_URLS = {Region.GLOBAL: "https://api.sendgrid.com", Region.EU: "https://api.eu.sendgrid.com"}


class SendGridSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The account and how to use it.

    `sender` is a name and a verified address. With `sandbox` SendGrid validates mails and sends
    none. `report_key` is the public key of the signed event webhook. `url` replaces the
    region's. `deadline` is in seconds for a whole call.
    """

    key: str
    sender: Address
    region: Region = Region.GLOBAL
    sandbox: bool = False
    report_key: str = ""
    url: URL | None = None
    deadline: Annotated[float, Meta(gt=0, le=25)] = 20.0

    @property
    def base_url(self) -> URL:
        """The root of the API."""
        return self.url or URL(BASE_URLS[self.region])
