"""The settings of the plugin, `PAYMENTS_PRZELEWY24_…`."""

from typing import Annotated

import msgspec
from msgspec import Meta
from yarl import URL

from prawko.hooks.environment import SECRET


class Przelewy24Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The account and how to use it.

    `key` is the API key, `crc` the key of signatures; `pos` defaults to `merchant`. `events` is
    our webhook URL. `blik_codes` and `transfers` are services that Przelewy24 enables on
    request.
    """

    merchant: Annotated[int, Meta(gt=0), Meta(description="the account's number")]
    key: Annotated[str, Meta(description="the API key"), SECRET]
    crc: Annotated[str, Meta(description="the CRC key of the signatures"), SECRET]
    events: Annotated[
        str,
        Meta(max_length=250),
        Meta(description="`https://<panel>/api/webhooks/przelewy24`"),
    ]
    pos: Annotated[
        int,
        Meta(ge=0),
        Meta(description="the number of the point of sale; 0: the merchant's"),
    ] = 0
    blik_codes: Annotated[
        bool,
        Meta(
            description="BLIK codes entered on our page, a service that Przelewy24 enables on "
            "request"
        ),
    ] = False
    transfers: Annotated[
        bool,
        Meta(
            description="transfers with a title of theirs, a service that Przelewy24 enables on "
            "request"
        ),
    ] = False
    url: Annotated[
        URL,
        Meta(description="`https://sandbox.przelewy24.pl` for its sandbox"),
    ] = URL("https://secure.przelewy24.pl")

    @property
    def effective_pos_id(self) -> int:
        """The point of sale that logs in."""
        return self.pos or self.merchant
