"""The bank account to be paid on."""

from typing import Annotated

import msgspec
from msgspec import Meta


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """`owner` and `address` are what a payer writes beside the number.

    `prefix` begins every title, before the order's key. `days` is how long an order waits for
    its money, which may take a weekend on its way.
    """

    iban: str
    owner: Annotated[str, Meta(max_length=70)]
    address: Annotated[str, Meta(max_length=140)]
    prefix: Annotated[str, Meta(pattern=r"\A[A-Z0-9]{2,12}\Z")] = "PRAWKO"
    days: Annotated[int, Meta(ge=1, le=90)] = 14
