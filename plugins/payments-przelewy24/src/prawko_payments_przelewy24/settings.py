"""The Przelewy24 account to be paid on."""

from typing import Annotated

import msgspec
from msgspec import Meta
from yarl import URL


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """`key` is the account's API key, `crc` signs; `pos` is the merchant's number unless set.

    `events` is the address of our panel that Przelewy24 calls. `blik_codes` and `transfers` are
    services that an account has only once Przelewy24 was asked for them. `minutes` is how long
    a payer may take to begin, `deadline` the seconds of a call.
    """

    merchant: Annotated[int, Meta(gt=0)]
    key: str
    crc: str
    events: Annotated[str, Meta(max_length=250)]
    pos: Annotated[int, Meta(ge=0)] = 0
    blik_codes: bool = False
    transfers: bool = False
    minutes: Annotated[int, Meta(ge=1, le=99)] = 30
    url: str = "https://secure.przelewy24.pl"
    deadline: Annotated[float, Meta(gt=0, le=25)] = 20.0

    @property
    def address(self) -> URL:
        """Where the API answers and payers go."""
        return URL(self.url)

    @property
    def shop(self) -> int:
        """The number that we sign in with."""
        return self.pos or self.merchant
