"""The JSON of invoices."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from prawko.base.schemas import Outgoing
from prawko.invoices.state import State

StateText = Annotated[str, Meta(extra_json_schema={"extra": {"enum": list(State)}})]


class InvoiceOut(Outgoing):
    """One invoice of the list. Amounts are grosze.

    `ksefState` is how far its structured document is on its way to the state's system; null
    where none is written.
    """

    id: UUID
    number: str
    issued_at: datetime
    net: int
    vat: int
    gross: int
    currency: str
    pdf_ready: bool
    ksef_state: StateText | None
