"""Stores tickets and contact messages; a job forwards them to the operators by mail."""

from msgspec.structs import asdict

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity
from prawko.accounts.email_address import mailbox_of, normalise_email
from prawko.kit.context import AppContext
from prawko.kit.rate_limit import GLOBAL_SUBJECT, client_network
from prawko.support.models import ContactMessage, SupportTicket
from prawko.support.repository import ContactRepository, TicketRepository
from prawko.support.schemas import ContactMessageIn, TicketIn
from prawko.support.validation import parse_contact, parse_ticket
from prawko_tenants.sessions import SystemSession, TenantSession


class SupportService:
    """Stores tickets and contact messages; each method returns whether it stored one.

    A form with the hidden field filled in comes from a robot: it is dropped, with the same answer.
    """

    def __init__(self, context: AppContext) -> None:
        self._throttle = context.throttle
        self._clock = context.clock

    async def submit_ticket(
        self, session: TenantSession, identity: Identity, client_info: ClientInfo, form: TicketIn
    ) -> bool:
        """Store a customer's ticket. Raises InvalidTicketError and TooManyRequestsError."""
        ticket = parse_ticket(form)
        await self._throttle.hit(limits.TICKETS_PER_USER, str(identity.user_id))
        await self._throttle.hit(limits.TICKETS_PER_COMPANY, str(identity.tenant_id))
        if form.website:
            return False
        now = self._clock.now()
        stored = await TicketRepository(session).add(
            SupportTicket(user_id=identity.user_id, created_at=now, **asdict(ticket))
        )
        await record_event(
            session, AuditEvent.TICKET_SENT, identity, client_info, now, ticket=stored.id
        )
        return True

    async def submit_contact(
        self, session: SystemSession, client_info: ClientInfo, form: ContactMessageIn
    ) -> bool:
        """Store a visitor's message. Raises InvalidContactMessageError and TooManyRequestsError."""
        contact = parse_contact(form)
        await self._throttle.hit(limits.CONTACT_PER_NETWORK, client_network(client_info.ip))
        if form.website:  # before the shared limits, which robots must not use up
            return False
        email_key = normalise_email(contact.email)
        await self._throttle.hit(limits.CONTACT_PER_EMAIL, mailbox_of(contact.email))
        await self._throttle.hit(limits.CONTACT_TOTAL, GLOBAL_SUBJECT)
        await ContactRepository(session).add(
            ContactMessage(email_key=email_key, created_at=self._clock.now(), **asdict(contact))
        )
        return True
