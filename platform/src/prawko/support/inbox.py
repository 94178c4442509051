"""All that people wrote, side by side, for operators."""

from datetime import datetime
from itertools import groupby

import msgspec

from prawko.base.jobs import Tools
from prawko.support.repository import KeptContact, KeptTicket, SupportRepository, tickets_by_id


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket or a visitor's message."""

    kind: str
    at: datetime
    passed_on: bool
    sender: str
    about: str
    message: str


async def written(tools: Tools, *, mailed_too: bool) -> list[Written]:
    """Everything that waits to be mailed, oldest first; or what was mailed, too."""
    async with tools.database.system() as session:
        contacts = await SupportRepository(session).all_contacts(passed_on_too=mailed_too)
    found = [_contact(one) for one in contacts]
    async with tools.database.planner() as planner:
        tickets = await tickets_by_id(planner, passed_on_too=mailed_too)
    async with tools.database.batch() as session:
        for tenant_id, company in groupby(tickets, key=lambda ticket: ticket[0]):
            await session.bind(tenant_id)
            ids = [ticket_id for _, ticket_id in company]
            kept = await SupportRepository(session).tickets(tenant_id, ids)
            found += [_ticket(one) for one in kept]
    return sorted(found, key=lambda one: one.at)


def _contact(one: KeptContact) -> Written:
    return Written(
        kind="contact",
        at=one.created_at,
        passed_on=one.passed_on_at is not None,
        sender=f"{one.name} <{one.email}>",
        about=f"{one.company}, {one.drivers_count} drivers",
        message=one.message,
    )


def _ticket(one: KeptTicket) -> Written:
    return Written(
        kind="ticket",
        at=one.created_at,
        passed_on=one.passed_on_at is not None,
        sender=f"{one.company or '(no name)'} <{one.email or 'left'}>",
        about=one.subject,
        message=one.message,
    )
