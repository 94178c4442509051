"""The settings of the plugin, `TRANSFER_…`."""

from typing import Annotated

import msgspec
from msgspec import Meta


class TransferSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The bank account.

    `owner` and `address` are the recipient of the transfer. Every title is `prefix` and the
    payment's reference. `days` is how long a payment stays open: a transfer may take days.
    """

    iban: str
    owner: Annotated[str, Meta(max_length=70)]
    address: Annotated[str, Meta(max_length=140)]
    prefix: Annotated[str, Meta(pattern=r"\A[A-Z0-9]{2,12}\Z")] = "PRAWKO"
    days: Annotated[int, Meta(ge=1, le=90)] = 14
