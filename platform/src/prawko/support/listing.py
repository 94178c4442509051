"""Lists tickets and contact messages together, for operators."""

from datetime import datetime
from itertools import groupby

import msgspec

from prawko.base.context import AppContext
from prawko.support.repository import (
    StoredContact,
    StoredTicket,
    SupportRepository,
    list_ticket_ids,
)


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket or a contact message."""

    kind: str
    submitted_at: datetime
    forwarded: bool
    sender: str
    subject: str
    message: str


async def list_submissions(context: AppContext, *, include_forwarded: bool) -> list[Submission]:
    """Return the submissions not forwarded yet, or all; oldest first."""
    async with context.database.system() as session:
        contacts = await SupportRepository(session).list_contacts(
            include_forwarded=include_forwarded
        )
    submissions = [_from_contact(contact) for contact in contacts]
    async with context.database.planner() as planner:
        ticket_ids = await list_ticket_ids(planner, include_forwarded=include_forwarded)
    async with context.database.batch() as session:
        for tenant_id, group in groupby(ticket_ids, key=lambda pair: pair[0]):
            await session.switch_tenant(tenant_id)
            ids = [ticket_id for _, ticket_id in group]
            tickets = await SupportRepository(session).get_tickets(tenant_id, ids)
            submissions += [_from_ticket(ticket) for ticket in tickets]
    return sorted(submissions, key=lambda submission: submission.submitted_at)


def _from_contact(contact: StoredContact) -> Submission:
    return Submission(
        kind="contact",
        submitted_at=contact.created_at,
        forwarded=contact.forwarded_at is not None,
        sender=f"{contact.name} <{contact.email}>",
        subject=f"{contact.company}, {contact.drivers_count} drivers",
        message=contact.message,
    )


def _from_ticket(ticket: StoredTicket) -> Submission:
    return Submission(
        kind="ticket",
        submitted_at=ticket.created_at,
        forwarded=ticket.forwarded_at is not None,
        sender=f"{ticket.company or '(no name)'} <{ticket.email or 'left'}>",
        subject=ticket.subject,
        message=ticket.message,
    )
