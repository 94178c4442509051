"""Bank statements: previewing and booking a file of the bank, and booking a single transfer."""

import asyncio
import binascii
from base64 import b64decode
from collections import Counter
from datetime import date, datetime
from typing import Annotated
from uuid import UUID

from litestar import Router, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta

from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.acts.operator_acts import OperatorActs, ReasonRequiredError
from prawko.console.resource import operator_responses
from prawko.console.schemas import Reason
from prawko.kit.context import AppContext
from prawko.kit.errors import AppError
from prawko.kit.http.schemas import RequestModel, ResponseModel
from prawko.kit.text.i18n import Language, translate
from prawko.payments.bank_statement import RecordResult, parse_line, record_transfer
from prawko.payments.errors import (
    MAX_BYTES,
    InvalidTransferError,
    ManualPaymentsUnavailableError,
    UnreadableStatementError,
)
from prawko.payments.jobs import process_payment_events
from prawko.payments.schemas import RecordedTransferOut, StatementLineIn
from prawko.payments.statements.entries import StatementFile
from prawko.payments.statements.service import (
    PreviewedEntry,
    book_entries,
    parse_statement,
    preview_entries,
)

# Base64 of the largest file, with line breaks, and the rest of the body.
MAX_STATEMENT_BODY_BYTES = MAX_BYTES * 3 // 2
MAX_LINES = 10_000
MISSING = "missing"
_DIGEST_LENGTH = 32


class TransferBookingIn(StatementLineIn):
    """A line, and why it is booked; required by the setting REQUIRE_REASONS."""

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


class InvalidStatementError(AppError):
    """The body is not a file with lines of it."""

    status = 422
    key = "invalid_statement"


@post(
    "/preview",
    operation_id="previewStatement",
    summary="Show which payments the lines of a statement pay for",
    status_code=200,
    opt={"malformed": InvalidStatementError},
    responses=operator_responses(
        InvalidStatementError, UnreadableStatementError, ManualPaymentsUnavailableError
    ),
)
async def preview_statement(
    data: JSONBody[StatementFileIn], context: NamedDependency[AppContext]
) -> PreviewOut:
    """What booking each line would do; nothing of the file is stored."""
    file, previews = await _preview(context, data)
    return PreviewOut(
        id="preview", format=file.format.value, lines=[_to_line(one) for one in previews]
    )


@post(
    "/book",
    operation_id="bookStatement",
    summary="Book lines of a statement",
    status_code=200,
    opt={"malformed": InvalidStatementError},
    responses=operator_responses(
        InvalidStatementError,
        UnreadableStatementError,
        ManualPaymentsUnavailableError,
        ReasonRequiredError,
    ),
)
async def book_statement(
    data: JSONBody[StatementBookingIn],
    context: NamedDependency[AppContext],
    acts: NamedDependency[OperatorActs],
) -> BookingOut:
    """Booking a line again changes nothing; the rest of the file is not stored."""
    file, previews = await _preview(context, data)
    chosen = frozenset(data.lines)
    async with acts.open_system() as session:
        booked = await book_entries(context, session, previews, chosen)
        results = Counter(one.result for one in booked)
        await acts.record(
            AdminActionType.STATEMENT_BOOKED,
            reason=data.reason,
            format=file.format.value,
            lines=len(chosen),
            recorded=results[RecordResult.RECORDED],
            unmatched=results[RecordResult.UNMATCHED],
        )
        if booked:
            context.enqueue_on_commit(session, process_payment_events)
    done = {one.index: one for one in booked if one.result is not RecordResult.DUPLICATE}
    outcomes = {one.index: one.outcome.value for one in previews}
    outcomes |= {
        one.index: one.result.value for one in booked if one.result is RecordResult.DUPLICATE
    }
    return BookingOut(
        id="booking",
        booked=[
            BookedLineOut(index=one.index, reference=one.reference, result=one.result.value)
            for one in done.values()
        ],
        refused=[
            RefusedLineOut(index=index, outcome=outcomes.get(index, MISSING))
            for index in sorted(chosen - done.keys())
        ],
    )


@post(
    "/transfers",
    operation_id="bookTransfer",
    summary="Book a line of the bank statement",
    status_code=200,
    opt={"malformed": InvalidTransferError},
    responses=operator_responses(
        InvalidTransferError, ManualPaymentsUnavailableError, ReasonRequiredError
    ),
    tags=["Payments"],
)
async def book_transfer(
    data: JSONBody[TransferBookingIn],
    context: NamedDependency[AppContext],
    acts: NamedDependency[OperatorActs],
    language: NamedDependency[Language],
) -> RecordedTransferOut:
    """Store the line; the worker finds its payment by the title and compares the amount."""
    line = parse_line(data)
    # The reference is free text, and the log is kept: it holds only what finds it again.
    digest = context.key_ring.digest("transfer_reference", line.reference).hex()
    async with acts.open_system() as session:
        result = await record_transfer(context, session, line)
        await acts.record(
            AdminActionType.TRANSFER_BOOKED,
            reason=data.reason,
            result=result.value,
            grosze=line.money.grosze,
            currency=line.money.currency,
            reference_digest=digest[:_DIGEST_LENGTH],
        )
        if result is not RecordResult.DUPLICATE:
            context.enqueue_on_commit(session, process_payment_events)
    return RecordedTransferOut(ok=True, message=translate(f"transfers.{result.value}", language))


async def _preview(
    context: AppContext, data: StatementFileIn
) -> tuple[StatementFile, list[PreviewedEntry]]:
    try:
        content = b64decode("".join(data.content_base64.split()), validate=True)
    except (binascii.Error, ValueError):
        raise InvalidStatementError from None
    file = await asyncio.to_thread(parse_statement, content)
    async with context.database.operator() as session:
        return file, await preview_entries(context, session, file.entries)


def _to_line(preview: PreviewedEntry) -> PreviewLineOut:
    entry, payment = preview.entry, preview.payment
    return PreviewLineOut(
        index=preview.index,
        booked_on=entry.booked_on,
        amount_grosze=entry.grosze,
        currency=entry.currency,
        payer=entry.payer,
        title=entry.title,
        reference=preview.reference,
        matched_reference=payment.reference if payment else None,
        company_id=payment.tenant_id if payment else None,
        company_name=payment.company_name if payment else None,
        expected_grosze=payment.money.grosze if payment else None,
        outcome=preview.outcome.value,
        bookable=preview.is_bookable,
        earlier_reference=preview.earlier.reference if preview.earlier else None,
        earlier_booked_at=preview.earlier.booked_at if preview.earlier else None,
    )


_router = Router(
    "/statements",
    route_handlers=[preview_statement, book_statement],
    tags=["Payments"],
    request_max_body_size=MAX_STATEMENT_BODY_BYTES,
)
ROUTES = (_router, book_transfer)
