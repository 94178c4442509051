"""Previews what booking a statement file would do, and books the chosen entries."""

from collections.abc import Collection, Sequence
from enum import StrEnum

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base.context import AppContext
from prawko.hooks.payments import Money
from prawko.payments.bank_statement import (
    NO_REFERENCE,
    RecordResult,
    StatementLine,
    manual_providers,
    match_title,
    record_transfer,
)
from prawko.payments.state_machine import PaymentRecordState
from prawko.payments.statements.entries import StatementEntry, entry_references
from prawko.payments.statements.repository import KnownPayment, StatementRepository
from prawko_tenants.sessions import SystemSession

_PAID_STATES = frozenset({PaymentRecordState.PAID, PaymentRecordState.REFUNDED})
NO_TITLE = "-"


class EntryOutcome(StrEnum):
    """What booking an entry would do."""

    MATCH = "match"  # it pays for the payment that its title names
    AMOUNT_DIFFERS = "amount_differs"  # a discrepancy
    ALREADY_PAID = "already_paid"  # a discrepancy: the payment was received before
    UNKNOWN = "unknown"  # a discrepancy: the title names no payment of ours
    DUPLICATE = "duplicate"  # nothing: this very entry was booked before
    OUTGOING = "outgoing"  # nothing: it is a debit


class PreviewedEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry, the reference under which it is booked, and the payment that its title names."""

    index: int
    entry: StatementEntry
    reference: str
    payment: KnownPayment | None
    outcome: EntryOutcome

    @property
    def is_bookable(self) -> bool:
        """Whether booking it has an effect."""
        return self.outcome not in {EntryOutcome.DUPLICATE, EntryOutcome.OUTGOING}


class BookedEntry(msgspec.Struct, frozen=True):
    """An entry that was booked now, or by somebody else at the same time."""

    index: int
    reference: str
    result: RecordResult


async def preview_entries(
    context: AppContext, session: AsyncSession, entries: Sequence[StatementEntry]
) -> list[PreviewedEntry]:
    """Compare the entries with the payments: two statements, however many entries.

    Needs a session that sees the payments of all companies. Raises
    ManualPaymentsUnavailableError.
    """
    providers = manual_providers(context)
    names = [provider.name for provider in providers]
    references = entry_references(entries)
    titles = [match_title(providers, entry.title) for entry in entries]
    repository = StatementRepository(session)
    named = {reference for _, reference in titles if reference != NO_REFERENCE}
    payments = {
        (payment.provider, payment.reference): payment
        for payment in await repository.list_payments(names, sorted(named))
    }
    booked = await repository.list_booked(names, references)
    previews = []
    for index, (entry, reference, (provider, named_reference)) in enumerate(
        zip(entries, references, titles, strict=True)
    ):
        payment = payments.get((provider.name, named_reference)) if entry.grosze > 0 else None
        outcome = _decide_outcome(entry, payment, is_booked=reference in booked)
        previews.append(
            PreviewedEntry(
                index=index, entry=entry, reference=reference, payment=payment, outcome=outcome
            )
        )
    return previews


def _decide_outcome(
    entry: StatementEntry, payment: KnownPayment | None, *, is_booked: bool
) -> EntryOutcome:
    if entry.grosze < 0:
        return EntryOutcome.OUTGOING
    if is_booked:
        return EntryOutcome.DUPLICATE
    if payment is None:
        return EntryOutcome.UNKNOWN
    if payment.state in _PAID_STATES:
        return EntryOutcome.ALREADY_PAID
    if payment.money != Money(entry.grosze, entry.currency):
        return EntryOutcome.AMOUNT_DIFFERS
    return EntryOutcome.MATCH


async def book_entries(
    context: AppContext,
    session: SystemSession,
    previews: Sequence[PreviewedEntry],
    indexes: Collection[int],
) -> list[BookedEntry]:
    """Book the chosen entries that are bookable; the worker finds their payments.

    Booking an entry again changes nothing.
    """
    booked = []
    for preview in previews:
        if preview.index in indexes and preview.is_bookable:
            line = StatementLine(
                title=preview.entry.title or NO_TITLE,
                money=Money(preview.entry.grosze, preview.entry.currency),
                reference=preview.reference,
            )
            result = await record_transfer(context, session, line)
            booked.append(BookedEntry(preview.index, preview.reference, result))
    return booked
