"""Books a line of the bank statement: the operator's word becomes an event like any provider's.

It is worked on by the same job, which compares the sum with the order's. The title is read and
not kept: it was written by a payer, who may have put anything into it.
"""

import re
from enum import StrEnum

import msgspec

from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.deliveries.inbox import Arrived, Inbox
from prawko.hooks.payments import BookedProvider, EventKind, Money, PaymentEvent, PaymentRef
from prawko.payments.errors import InvalidTransferError, NoTransfersError
from prawko.payments.offers import chosen
from prawko.payments.operator_schemas import (
    MOST_GROSZE,
    MOST_REFERENCE,
    MOST_TITLE,
    StatementLineIn,
)
from prawko_tenants.sessions import SystemSession

_CURRENCY = re.compile("[A-Z]{3}", re.ASCII)
NO_KEY = ""  # of a title that names no order: nothing has this key, so operators get a finding


class Booked(StrEnum):
    """What came of it; the sentence stands under `transfers.<word>`."""

    KEPT = "kept"
    UNKNOWN = "unknown"  # kept as well, for a person to look into
    REPEATED = "repeated"


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the statement that can be booked."""

    title: str
    money: Money
    reference: str


def read_line(data: StatementLineIn) -> Line:
    """The line, or InvalidTransferError with a sentence for each field."""
    reference, title = data.reference.strip(), data.title.strip()
    fields = {}
    if not 0 < len(title) <= MOST_TITLE:
        fields["title"] = "transfers.title"
    if data.amount is None or not 0 < data.amount <= MOST_GROSZE:
        fields["amount"] = "transfers.amount"
    if not _CURRENCY.fullmatch(data.currency):
        fields["currency"] = "transfers.currency"
    if not 0 < len(reference) <= MOST_REFERENCE or not reference.isprintable():
        fields["reference"] = "transfers.reference"
    if fields or data.amount is None:
        raise InvalidTransferError(fields=fields, most=MOST_REFERENCE)
    return Line(title=title, money=Money(data.amount, data.currency), reference=reference)


async def book(tools: Tools, session: SystemSession, line: Line) -> Booked:
    """Keep a line for the provider that knows its title; the same reference counts once.

    A title that names no order, or orders of several providers, is kept with the first of them.
    Raises NoTransfersError.
    """
    providers = _providers(tools)
    if not providers:
        raise NoTransfersError
    known = [(one, key) for one in providers if (key := one.key_in(line.title)) is not None]
    provider, key = known[0] if known else (providers[0], NO_KEY)
    event = PaymentEvent(
        event_id=f"booked:{line.reference}",
        kind=EventKind.PAID,
        ref=PaymentRef(key, line.reference),
        at=machine_now(),
        money=line.money,
    )
    arrived = Arrived(event.event_id, msgspec.json.encode(event))
    new = await Inbox(session).keep(provider.name, [arrived], tools.vault, machine_now())
    if not new:
        return Booked.REPEATED
    return Booked.KEPT if known else Booked.UNKNOWN


def _providers(tools: Tools) -> list[BookedProvider]:
    """Those whose payments a person books, the chosen ones first: money comes late, too."""
    loaded = tools.plugins.payments.values()
    found = dict.fromkeys([*chosen(tools), *loaded])
    return [provider for provider in found if isinstance(provider, BookedProvider)]
