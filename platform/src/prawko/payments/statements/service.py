"""Reads statement files, previews what booking one would do, and books the chosen entries.

The format of a file is recognised by its content.
"""

from collections.abc import Collection, Sequence
from enum import StrEnum

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.hooks.payments import Money
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.text.encodings import decode_text
from prawko.payments.bank_statement import (
    NO_REFERENCE,
    RecordResult,
    StatementLine,
    manual_providers,
    match_title,
    record_transfer,
)
from prawko.payments.errors import (
    MAX_BYTES,
    StatementProblem,
    UnreadableStatementError,
)
from prawko.payments.models import BookedEntry
from prawko.payments.state_machine import PAID_STATES
from prawko.payments.statements.bank_csv import parse_bank_csv
from prawko.payments.statements.camt053 import parse_camt053
from prawko.payments.statements.entries import (
    StatementEntry,
    StatementFile,
    StatementFormat,
    entry_content,
    entry_references,
)
from prawko.payments.statements.mt940 import is_mt940, parse_mt940
from prawko.payments.statements.repository import KnownPayment, StatementRepository
from prawko_tenants.sessions import SystemSession

NO_TITLE = "-"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class EntryOutcome(StrEnum):
    """The outcomes of booking an entry."""

    MATCH = "match"  # it pays for the payment that its title names
    AMOUNT_DIFFERS = "amount_differs"  # a discrepancy
    ALREADY_PAID = "already_paid"  # a discrepancy: the payment was received before
    UNKNOWN = "unknown"  # a discrepancy: the title names no payment of ours
    PROBABLY_BOOKED = "probably_booked"  # twice the money, if it is the entry of another format
    DUPLICATE = "duplicate"  # nothing: this very entry was booked before
    OUTGOING = "outgoing"  # nothing: it is a debit


class PreviewedEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry, the reference under which it is booked, and the payment that its title names.

    `earlier` was booked under another reference and has the same `fingerprint`.
    """

    index: int
    entry: StatementEntry
    reference: str
    payment: KnownPayment | None
    outcome: EntryOutcome
    fingerprint: bytes
    earlier: BookedEntry | None = None

    @property
    def is_bookable(self) -> bool:
        """Whether booking it has an effect."""
        return self.outcome not in {EntryOutcome.DUPLICATE, EntryOutcome.OUTGOING}


class EntryBooking(msgspec.Struct, frozen=True):
    """An entry that was booked now, or by somebody else at the same time."""

    index: int
    reference: str
    result: RecordResult


def parse_statement(content: bytes) -> StatementFile:
    """Return the entries of a statement file. Raises UnreadableStatementError for any other."""
    if len(content) > MAX_BYTES:
        raise UnreadableStatementError(StatementProblem.TOO_LARGE)
    if not content.strip():
        raise UnreadableStatementError(StatementProblem.EMPTY)
    if _is_xml(content):
        return StatementFile(format=StatementFormat.CAMT053, entries=parse_camt053(content))
    text = decode_text(content)
    if text is None:
        raise UnreadableStatementError(StatementProblem.NOT_TEXT)
    if is_mt940(text):
        return StatementFile(format=StatementFormat.MT940, entries=parse_mt940(text))
    file = parse_bank_csv(text)
    if file is None:
        raise UnreadableStatementError(StatementProblem.UNKNOWN_FORMAT)
    return file


async def preview_entries(
    context: AppContext, session: AsyncSession, entries: Sequence[StatementEntry]
) -> list[PreviewedEntry]:
    """Compare the entries with the payments: three statements, however many entries.

    Needs a session that sees the payments of all companies. Raises
    ManualPaymentsUnavailableError.
    """
    providers = manual_providers(context)
    names = [provider.name for provider in providers]
    references = entry_references(entries)
    titles = [match_title(context, providers, entry.title) for entry in entries]
    repository = StatementRepository(session)
    named = {reference for _, reference in titles if reference != NO_REFERENCE}
    payments = {
        (payment.provider, payment.reference): payment
        for payment in await repository.list_payments(names, sorted(named))
    }
    booked = await repository.list_booked(names, references)
    fingerprints = [
        context.key_ring.digest("booked_entry", entry_content(entry, named_reference))
        for entry, (_, named_reference) in zip(entries, titles, strict=True)
    ]
    # What is booked under a reference of this file is an entry of it: that line is the duplicate.
    earlier = {
        one.fingerprint: one
        for one in reversed(await repository.list_booked_entries(fingerprints))
        if one.reference not in references
    }
    previews = []
    for index, entry in enumerate(entries):
        provider, named_reference = titles[index]
        reference, fingerprint = references[index], fingerprints[index]
        payment = payments.get((provider.name, named_reference)) if entry.grosze > 0 else None
        outcome = _decide_outcome(
            entry, payment, is_booked=reference in booked, may_be_booked=fingerprint in earlier
        )
        is_doubtful = outcome is EntryOutcome.PROBABLY_BOOKED
        previews.append(
            PreviewedEntry(
                index=index, entry=entry, reference=reference, payment=payment, outcome=outcome,
                fingerprint=fingerprint, earlier=earlier[fingerprint] if is_doubtful else None,
            )
        )  # fmt: skip
    return previews


def _decide_outcome(
    entry: StatementEntry, payment: KnownPayment | None, *, is_booked: bool, may_be_booked: bool
) -> EntryOutcome:
    if entry.grosze < 0:
        return EntryOutcome.OUTGOING
    if is_booked:
        return EntryOutcome.DUPLICATE
    if may_be_booked:
        return EntryOutcome.PROBABLY_BOOKED
    if payment is None:
        return EntryOutcome.UNKNOWN
    if payment.state in PAID_STATES:
        return EntryOutcome.ALREADY_PAID
    is_equal = payment.money == Money(entry.grosze, entry.currency)
    return EntryOutcome.MATCH if is_equal else EntryOutcome.AMOUNT_DIFFERS


async def book_entries(
    context: AppContext,
    session: SystemSession,
    previews: Sequence[PreviewedEntry],
    indexes: Collection[int],
) -> list[EntryBooking]:
    """Book the chosen entries that are bookable; the worker finds their payments.

    Booking an entry again changes nothing.
    """
    repository, booked = StatementRepository(session), []
    for preview in previews:
        if preview.index in indexes and preview.is_bookable:
            line = StatementLine(
                title=preview.entry.title or NO_TITLE,
                money=Money(preview.entry.grosze, preview.entry.currency),
                reference=preview.reference,
            )
            result = await record_transfer(context, session, line)
            if result is not RecordResult.DUPLICATE:
                await repository.add_booked_entry(preview.reference, preview.fingerprint, utc_now())
            booked.append(EntryBooking(preview.index, preview.reference, result))
    return booked


def _is_xml(content: bytes) -> bool:
    start = content[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    is_utf16 = content.startswith(_UTF16_MARKS) and b"<\0" in content[:8] + b"\0"
    return start.startswith(b"<") or is_utf16
