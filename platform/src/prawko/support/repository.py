"""SQL of tickets and contact messages."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.addresses import email_key
from prawko.support.reading import Contact, Ticket
from prawko_tenants.ids import ContactMessageId, TenantId, TicketId, UserId, new_id
from prawko_tenants.sessions import PlannerSession

MOST_AT_ONCE = 500

_ADD_TICKET = text("""
    INSERT INTO support_ticket (tenant_id, id, user_id, subject, message, said_email,
                                said_company, created_at)
    VALUES (:tenant_id, :id, :user_id, :subject, :message, :said_email, :said_company, :now)
""")
_ADD_CONTACT = text("""
    INSERT INTO contact_message (id, name, email, email_key, company, drivers_count, message,
                                 created_at)
    VALUES (:id, :name, :email, :email_key, :company, :drivers_count, :message, :now)
""")
_WAITING_TICKETS = text("""
    SELECT tenant_id, id FROM support_ticket WHERE passed_on_at IS NULL
     ORDER BY tenant_id, id LIMIT :most
""")
_TICKETS_BY_ID = text("""
    SELECT tenant_id, id FROM support_ticket WHERE passed_on_at IS NULL OR :all
     ORDER BY tenant_id, id
""")
_WAITING_CONTACTS = text("""
    SELECT id FROM contact_message WHERE passed_on_at IS NULL ORDER BY id LIMIT :most
       FOR UPDATE SKIP LOCKED
""")
_TICKETS_PASSED_ON = text("""
    UPDATE support_ticket SET passed_on_at = :now
     WHERE tenant_id = :tenant_id AND id = ANY(:ids) AND passed_on_at IS NULL
    RETURNING id
""")
_CONTACTS_PASSED_ON = text("UPDATE contact_message SET passed_on_at = :now WHERE id = ANY(:ids)")
_TICKETS = text("""
    SELECT s.id, s.subject, s.message, s.said_email, s.said_company, s.created_at,
           s.passed_on_at, u.email, t.company_name AS company
      FROM support_ticket s JOIN tenant t ON t.id = s.tenant_id
      LEFT JOIN user_account u ON u.id = s.user_id
     WHERE s.tenant_id = :tenant_id AND s.id = ANY(:ids)
""")
_CONTACTS = text("""
    SELECT id, name, email, company, drivers_count, message, created_at, passed_on_at
      FROM contact_message WHERE id = ANY(:ids)
""")
_ALL_CONTACTS = text("""
    SELECT id, name, email, company, drivers_count, message, created_at, passed_on_at
      FROM contact_message WHERE passed_on_at IS NULL OR :all ORDER BY id
""")


class KeptTicket(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket beside its account as it is now; `email` is None when the person has left."""

    id: TicketId
    subject: str
    message: str
    said_email: str
    said_company: str
    created_at: datetime
    passed_on_at: datetime | None
    email: str | None
    company: str


class KeptContact(msgspec.Struct, frozen=True, kw_only=True):
    """A visitor's message."""

    id: ContactMessageId
    name: str
    email: str
    company: str
    drivers_count: int
    message: str
    created_at: datetime
    passed_on_at: datetime | None


class SupportRepository:
    """Reads and writes what people wrote to us, in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add_ticket(
        self, tenant_id: TenantId, user_id: UserId, ticket: Ticket, now: datetime
    ) -> TicketId:
        """Keep a ticket of the bound company."""
        ticket_id = TicketId(new_id())
        who = {"tenant_id": tenant_id, "id": ticket_id, "user_id": user_id, "now": now}
        await self._session.execute(_ADD_TICKET, {**who, **msgspec.structs.asdict(ticket)})
        return ticket_id

    async def add_contact(self, contact: Contact, now: datetime) -> ContactMessageId:
        """Keep a visitor's message."""
        message_id = ContactMessageId(new_id())
        known = {"id": message_id, "email_key": email_key(contact.email), "now": now}
        await self._session.execute(_ADD_CONTACT, {**known, **msgspec.structs.asdict(contact)})
        return message_id

    async def hold_waiting_contacts(self) -> list[ContactMessageId]:
        """Messages whose mail was not ordered yet, held until the end of the transaction."""
        return list(await self._session.scalars(_WAITING_CONTACTS, {"most": MOST_AT_ONCE}))

    async def contacts_passed_on(self, ids: Sequence[UUID], now: datetime) -> None:
        """Their mails are ordered."""
        await self._session.execute(_CONTACTS_PASSED_ON, {"ids": list(ids), "now": now})

    async def tickets_passed_on(
        self, tenant_id: TenantId, ids: Sequence[UUID], now: datetime
    ) -> list[TicketId]:
        """Mark tickets of the bound company; returns those that nobody else has marked."""
        found = {"tenant_id": tenant_id, "ids": list(ids), "now": now}
        return list(await self._session.scalars(_TICKETS_PASSED_ON, found))

    async def tickets(self, tenant_id: TenantId, ids: Sequence[UUID]) -> list[KeptTicket]:
        """Tickets of the bound company."""
        rows = await self._session.execute(_TICKETS, {"tenant_id": tenant_id, "ids": list(ids)})
        return [msgspec.convert(dict(row), KeptTicket) for row in rows.mappings()]

    async def contacts(self, ids: Sequence[UUID]) -> list[KeptContact]:
        """Visitors' messages."""
        rows = await self._session.execute(_CONTACTS, {"ids": list(ids)})
        return [msgspec.convert(dict(row), KeptContact) for row in rows.mappings()]

    async def all_contacts(self, *, passed_on_too: bool) -> list[KeptContact]:
        """Every visitor's message, oldest first; or those alone that still wait."""
        rows = await self._session.execute(_ALL_CONTACTS, {"all": passed_on_too})
        return [msgspec.convert(dict(row), KeptContact) for row in rows.mappings()]


async def tickets_by_id(
    planner: PlannerSession, *, passed_on_too: bool
) -> list[tuple[TenantId, TicketId]]:
    """The tickets of all companies by id, or those alone that wait."""
    rows = await planner.execute(_TICKETS_BY_ID, {"all": passed_on_too})
    return [(row.tenant_id, row.id) for row in rows]


async def waiting_tickets(planner: PlannerSession) -> list[tuple[TenantId, TicketId]]:
    """Some that wait, by id: the planner reads no more of them."""
    rows = await planner.execute(_WAITING_TICKETS, {"most": MOST_AT_ONCE})
    return [(row.tenant_id, row.id) for row in rows]
