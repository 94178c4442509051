"""Lists tickets and contact messages together, for operators."""

from datetime import datetime

import msgspec
from sqlalchemy import literal, or_

from prawko.kit.context import AppContext
from prawko.support.models import ContactMessage
from prawko.support.repository import (
    ContactRepository,
    SentTicket,
    list_ticket_keys,
    load_sent_tickets,
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
    pending = ContactMessage.forwarded_at.is_(None)
    async with context.database.system() as session:
        contacts = await ContactRepository(session).get_many(
            or_(pending, literal(include_forwarded))
        )
    async with context.database.planner() as planner:
        keys = await list_ticket_keys(planner, include_forwarded=include_forwarded)
    tickets = await load_sent_tickets(context.database, keys)
    submissions = [*map(_from_contact, contacts), *map(_from_ticket, tickets)]
    return sorted(submissions, key=lambda submission: submission.submitted_at)


def _from_contact(contact: ContactMessage) -> Submission:
    return Submission(
        kind="contact",
        submitted_at=contact.created_at,
        forwarded=contact.forwarded_at is not None,
        sender=f"{contact.name} <{contact.email}>",
        subject=f"{contact.company}, {contact.drivers_count} drivers",
        message=contact.message,
    )


def _from_ticket(sent: SentTicket) -> Submission:
    return Submission(
        kind="ticket",
        submitted_at=sent.ticket.created_at,
        forwarded=sent.ticket.forwarded_at is not None,
        sender=f"{sent.company or '(no name)'} {f'<{sent.email}>' if sent.email else '(has left)'}",
        subject=sent.ticket.subject,
        message=sent.ticket.message,
    )
