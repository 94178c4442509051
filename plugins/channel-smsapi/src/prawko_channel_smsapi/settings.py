"""The SMSAPI account to send by."""

from typing import Annotated

import msgspec
from msgspec import Meta
from yarl import URL


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """`sender` is a name the account was allowed; without one, the account's default.

    `test` lets SMSAPI check every message and send none. `reports` is the address of our
    panel that it calls with what became of a message, its key included. Times are in seconds.
    """

    token: str
    sender: Annotated[str, Meta(max_length=11)] = ""
    test: bool = False
    reports: str = ""
    url: str = "https://api.smsapi.pl"
    deadline: Annotated[float, Meta(gt=0, le=25)] = 20.0

    @property
    def address(self) -> URL:
        """Where the API answers."""
        return URL(self.url)
