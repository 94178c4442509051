"""Response models of invoices."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from prawko.invoices.models import InvoiceState
from prawko.kit.http.schemas import ResponseModel, openapi_constraints

InvoiceStateText = Annotated[str, openapi_constraints(enum=list(InvoiceState))]


class InvoiceOut(ResponseModel):
    """An invoice of the list. Amounts in grosze.

    `ksefState` is the state of its structured invoice; null if it has none.
    """

    id: UUID
    number: str
    issued_at: datetime
    net: int
    vat: int
    gross: int
    currency: str
    pdf_ready: bool
    ksef_state: InvoiceStateText | None
