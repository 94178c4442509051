"""The JSON of the operator's call."""

from typing import Annotated

from msgspec import Meta

from prawko.base.schemas import Incoming, Outgoing

MOST_TITLE = 500
MOST_REFERENCE = 100
MOST_GROSZE = 10**12

# Told to the client, not enforced by the decoder: `booking` has a sentence for each field.
Title = Annotated[
    str, Meta(extra_json_schema={"extra": {"min_length": 1, "max_length": MOST_TITLE}})
]
Grosze = Annotated[
    int | None, Meta(extra_json_schema={"extra": {"minimum": 1, "maximum": MOST_GROSZE}})
]
Currency = Annotated[str, Meta(extra_json_schema={"extra": {"pattern": "^[A-Z]{3}$"}})]
Reference = Annotated[
    str, Meta(extra_json_schema={"extra": {"min_length": 1, "max_length": MOST_REFERENCE}})
]


class StatementLineIn(Incoming):
    """One line of the bank statement. `amount` is in grosze, `reference` the bank's own."""

    title: Title = ""
    amount: Grosze = None
    currency: Currency = "PLN"
    reference: Reference = ""


class BookedOut(Outgoing):
    """Kept, and what that means, in words."""

    ok: bool
    message: str
