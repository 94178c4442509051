"""The settings of the plugin, `TRANSFER_…`."""

from typing import Annotated

import msgspec
from msgspec import Meta


class TransferSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The bank account.

    `owner` and `address` are the recipient of the transfer. Every title is `prefix` and the
    payment's reference.
    """

    iban: Annotated[str, Meta(description="the account that customers pay on by bank transfer")]
    owner: Annotated[str, Meta(max_length=70), Meta(description="the account's owner")]
    address: Annotated[str, Meta(max_length=140), Meta(description="the owner's address")]
    prefix: Annotated[
        str,
        Meta(pattern=r"\A[A-Z0-9]{2,12}\Z"),
        Meta(
            description="prefix of every transfer title, before the payment's reference: 2 to 12 "
            "capitals and digits"
        ),
    ] = "PRAWKO"
