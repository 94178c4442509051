"""JSON of payments, discrepancies, refunds and bank statements."""

from datetime import date, datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from prawko.console.schemas import LocalizedText, Reason
from prawko.kit.http.schemas import STORABLE, RequestModel, ResponseModel
from prawko.payments.schemas import MAX_GROSZE
from prawko.payments.statements.files import MAX_BYTES

MAX_NOTE_LENGTH = 500
# Base64 of the largest file, with line breaks, and the rest of the body.
MAX_STATEMENT_BODY_BYTES = MAX_BYTES * 3 // 2
MAX_LINES = 10_000


class PaymentOut(ResponseModel):
    """A payment; the company's name is empty if it was erased."""

    id: UUID
    company_id: UUID
    company_name: str
    provider: str
    method: str
    amount_grosze: int
    refunded_grosze: int
    currency: str
    state: str
    reference: str
    created_at: datetime
    finished_at: datetime | None


class DiscrepancyOut(ResponseModel):
    """Money that does not match an order. `refunded_grosze` is made once it is resolved."""

    id: UUID
    kind: str
    detail: LocalizedText
    detected_at: datetime
    provider: str
    reference: str
    amount_grosze: int
    refunded_grosze: int | None
    refundable: bool
    currency: str
    company_id: UUID | None
    company_name: str
    resolved_at: datetime | None
    resolution_note: str | None


class RefundOut(ResponseModel):
    """A refund: requested, refunded, or made elsewhere than here."""

    id: UUID
    payment_id: UUID | None
    company_id: UUID | None
    company_name: str
    provider: str
    reference: str
    amount_grosze: int
    currency: str
    state: str
    created_at: datetime


class ResolutionIn(RequestModel):
    """How a discrepancy was settled; the note is the reason, too."""

    note: Annotated[str, Meta(min_length=1, max_length=MAX_NOTE_LENGTH, pattern=STORABLE)]
    reason: Reason | None = None


class RefundIn(RequestModel):
    """The amount to refund, in grosze."""

    amount_grosze: Annotated[int, Meta(ge=1, le=MAX_GROSZE)]
    reason: Reason | None = None


class StatementFileIn(RequestModel):
    """A file of the bank; its format is recognised by its content."""

    content_base64: str
    filename: Annotated[str, Meta(max_length=200)] = ""
    format: Annotated[str, Meta(max_length=50)] | None = None


class StatementBookingIn(StatementFileIn, kw_only=True):
    """The file again, and the indexes of the lines to book."""

    lines: Annotated[list[int], Meta(max_length=MAX_LINES)]
    reason: Reason | None = None


class PreviewLineOut(ResponseModel):
    """A line of the file, the payment that its title names, and what booking it would do.

    A line that was probably booked, from a file of another format, has that earlier booking.
    """

    index: int
    booked_on: date
    amount_grosze: int
    currency: str
    payer: str
    title: str
    reference: str
    matched_reference: str | None
    company_id: UUID | None
    company_name: str | None
    expected_grosze: int | None
    outcome: str
    bookable: bool
    earlier_reference: str | None
    earlier_booked_at: datetime | None


class PreviewOut(ResponseModel):
    """The lines of a file."""

    id: str
    format: str
    lines: list[PreviewLineOut]


class BookedLineOut(ResponseModel):
    """A line that was booked, under the bank's reference of it."""

    index: int
    reference: str
    result: str


class RefusedLineOut(ResponseModel):
    """A line that was not booked, and why."""

    index: int
    outcome: str


class BookingOut(ResponseModel):
    """The results of booking the chosen lines."""

    id: str
    booked: list[BookedLineOut]
    refused: list[RefusedLineOut]
