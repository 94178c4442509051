"""The settings of the plugin, `PAYMENTS_PRZELEWY24_…`."""

from typing import Annotated

import msgspec
from msgspec import Meta
from yarl import URL


class Przelewy24Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The account and how to use it.

    `key` is the API key, `crc` the key of signatures; `pos` defaults to `merchant`. `events` is
    our webhook URL. `blik_codes` and `transfers` are services that Przelewy24 enables on
    request. `minutes` is how long a payment can be begun, `deadline` in seconds for a whole
    call.
    """

    merchant: Annotated[int, Meta(gt=0)]
    key: str
    crc: str
    events: Annotated[str, Meta(max_length=250)]
    pos: Annotated[int, Meta(ge=0)] = 0
    blik_codes: bool = False
    transfers: bool = False
    minutes: Annotated[int, Meta(ge=1, le=99)] = 30
    url: URL = URL("https://secure.przelewy24.pl")
    deadline: Annotated[float, Meta(gt=0, le=25)] = 20.0

    @property
    def effective_pos_id(self) -> int:
        """The point of sale that logs in."""
        return self.pos or self.merchant
