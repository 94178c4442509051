"""Stores tickets and contact messages, and lists them; a job mails them to the operators."""

from datetime import datetime

import msgspec
from msgspec.structs import asdict

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity
from prawko.accounts.email_address import mailbox_of, normalise_email
from prawko.kit.context import AppContext
from prawko.kit.rate_limit import GLOBAL_SUBJECT, client_network
from prawko.support.models import ContactMessage, SupportTicket
from prawko.support.repository import (
    ContactRepository,
    SentTicket,
    TicketRepository,
    list_ticket_keys,
    load_sent_tickets,
)
from prawko.support.schemas import ContactMessageIn, TicketIn
from prawko.support.validation import parse_contact, parse_ticket
from prawko_tenants.sessions import SystemSession, TenantSession


class SupportService:
    """Stores tickets and contact messages.

    One with the hidden field filled in is marked as probable spam and gets the same answer: robots
    fill it in, and password managers of people as well.
    """

    def __init__(self, context: AppContext) -> None:
        self._throttle = context.throttle
        self._clock = context.clock

    async def submit_ticket(
        self, session: TenantSession, identity: Identity, client_info: ClientInfo, form: TicketIn
    ) -> None:
        """Store a customer's ticket. Raises InvalidTicketError and TooManyRequestsError."""
        ticket = parse_ticket(form)
        await self._throttle.hit(limits.TICKETS_PER_USER, str(identity.user_id))
        await self._throttle.hit(limits.TICKETS_PER_COMPANY, str(identity.tenant_id))
        now = self._clock.now()
        stored = await TicketRepository(session).add(
            SupportTicket(
                user_id=identity.user_id,
                created_at=now,
                probable_spam=bool(form.website),
                **asdict(ticket),
            )
        )
        await record_event(
            session, AuditEvent.TICKET_SENT, identity, client_info, now, ticket=stored.id
        )

    async def submit_contact(
        self, session: SystemSession, client_info: ClientInfo, form: ContactMessageIn
    ) -> None:
        """Store a visitor's message. Raises InvalidContactMessageError and TooManyRequestsError."""
        contact = parse_contact(form)
        await self._throttle.hit(limits.CONTACT_PER_NETWORK, client_network(client_info.ip))
        email_key = normalise_email(contact.email)
        await self._throttle.hit(limits.CONTACT_PER_EMAIL, mailbox_of(contact.email))
        # Robots must not use up the total of people.
        total = limits.CONTACT_PROBABLE_SPAM if form.website else limits.CONTACT_TOTAL
        await self._throttle.hit(total, GLOBAL_SUBJECT)
        await ContactRepository(session).add(
            ContactMessage(
                email_key=email_key,
                created_at=self._clock.now(),
                probable_spam=bool(form.website),
                **asdict(contact),
            )
        )


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket or a contact message."""

    kind: str
    submitted_at: datetime
    forwarded: bool
    probable_spam: bool
    sender: str
    subject: str
    message: str


async def list_submissions(context: AppContext, *, include_forwarded: bool) -> list[Submission]:
    """Return the submissions not forwarded yet, or all; oldest first."""
    conditions = () if include_forwarded else (ContactMessage.forwarded_at.is_(None),)
    async with context.database.system() as session:
        contacts = await ContactRepository(session).get_many(*conditions)
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
        probable_spam=contact.probable_spam,
        sender=f"{contact.name} <{contact.email}>",
        subject=f"{contact.company}, {contact.drivers_count} drivers",
        message=contact.message,
    )


def _from_ticket(sent: SentTicket) -> Submission:
    return Submission(
        kind="ticket",
        submitted_at=sent.ticket.created_at,
        forwarded=sent.ticket.forwarded_at is not None,
        probable_spam=sent.ticket.probable_spam,
        sender=f"{sent.company or '(no name)'} {f'<{sent.email}>' if sent.email else '(has left)'}",
        subject=sent.ticket.subject,
        message=sent.ticket.message,
    )
