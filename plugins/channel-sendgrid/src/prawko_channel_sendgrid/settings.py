"""The SendGrid account to send by."""

from email.headerregistry import Address
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta
from yarl import URL

from prawko.hooks.senders import read_sender


class Region(StrEnum):
    """Where SendGrid keeps the mails; an account is of one of them."""

    GLOBAL = "global"
    EU = "eu"


HOSTS = {Region.GLOBAL: "https://api.sendgrid.com", Region.EU: "https://api.eu.sendgrid.com"}


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """`sender` is what readers see: a name and a verified address. Times are in seconds.

    `sandbox` lets SendGrid check every mail and send none. `report_key` is the public key
    with which the signed event webhook is verified. `url` replaces the region's host.
    """

    key: str
    sender: str
    region: Region = Region.GLOBAL
    sandbox: bool = False
    report_key: str = ""
    url: str = ""
    deadline: Annotated[float, Meta(gt=0, le=25)] = 20.0

    @property
    def address(self) -> URL:
        """Where the API answers."""
        return URL(self.url or HOSTS[self.region])

    @property
    def sender_address(self) -> Address | None:
        """The sender, or None when it cannot be one."""
        return read_sender(self.sender)
