"""SQL of tickets and contact messages."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.email_address import normalise_email
from prawko.support.validation import ContactDraft, TicketDraft
from prawko_tenants.ids import ContactMessageId, TenantId, TicketId, UserId, new_id
from prawko_tenants.sessions import PlannerSession

BATCH_SIZE = 500

_INSERT_TICKET = text("""
    INSERT INTO support_ticket (tenant_id, id, user_id, subject, message, claimed_email,
                                claimed_company, created_at)
    VALUES (:tenant_id, :id, :user_id, :subject, :message, :claimed_email, :claimed_company, :now)
""")
_INSERT_CONTACT = text("""
    INSERT INTO contact_message (id, name, email, email_key, company, drivers_count, message,
                                 created_at)
    VALUES (:id, :name, :email, :email_key, :company, :drivers_count, :message, :now)
""")
_SELECT_PENDING_TICKET_IDS = text("""
    SELECT tenant_id, id FROM support_ticket WHERE forwarded_at IS NULL
     ORDER BY tenant_id, id LIMIT :limit
""")
_SELECT_TICKET_IDS = text("""
    SELECT tenant_id, id FROM support_ticket WHERE forwarded_at IS NULL OR :include_forwarded
     ORDER BY tenant_id, id
""")
_LOCK_PENDING_CONTACTS = text("""
    SELECT id FROM contact_message WHERE forwarded_at IS NULL ORDER BY id LIMIT :limit
       FOR UPDATE SKIP LOCKED
""")
_MARK_TICKETS_FORWARDED = text("""
    UPDATE support_ticket SET forwarded_at = :now
     WHERE tenant_id = :tenant_id AND id = ANY(:ids) AND forwarded_at IS NULL
    RETURNING id
""")
_MARK_CONTACTS_FORWARDED = text(
    "UPDATE contact_message SET forwarded_at = :now WHERE id = ANY(:ids)"
)
_SELECT_TICKETS = text("""
    SELECT s.id, s.subject, s.message, s.claimed_email, s.claimed_company, s.created_at,
           s.forwarded_at, u.email, t.company_name AS company
      FROM support_ticket s JOIN tenant t ON t.id = s.tenant_id
      LEFT JOIN user_account u ON u.id = s.user_id
     WHERE s.tenant_id = :tenant_id AND s.id = ANY(:ids)
""")
_SELECT_CONTACTS = text("""
    SELECT id, name, email, company, drivers_count, message, created_at, forwarded_at
      FROM contact_message WHERE id = ANY(:ids)
""")
_SELECT_ALL_CONTACTS = text("""
    SELECT id, name, email, company, drivers_count, message, created_at, forwarded_at
      FROM contact_message WHERE forwarded_at IS NULL OR :include_forwarded ORDER BY id
""")


class StoredTicket(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket with its account's current data; `email` is None when the account is gone."""

    id: TicketId
    subject: str
    message: str
    claimed_email: str
    claimed_company: str
    created_at: datetime
    forwarded_at: datetime | None
    email: str | None
    company: str


class StoredContact(msgspec.Struct, frozen=True, kw_only=True):
    """A contact message."""

    id: ContactMessageId
    name: str
    email: str
    company: str
    drivers_count: int
    message: str
    created_at: datetime
    forwarded_at: datetime | None


class SupportRepository:
    """Reads and writes tickets and contact messages in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add_ticket(
        self, tenant_id: TenantId, user_id: UserId, ticket: TicketDraft, now: datetime
    ) -> TicketId:
        """Insert a ticket of the bound company."""
        ticket_id = TicketId(new_id())
        ids = {"tenant_id": tenant_id, "id": ticket_id, "user_id": user_id, "now": now}
        await self._session.execute(_INSERT_TICKET, {**ids, **msgspec.structs.asdict(ticket)})
        return ticket_id

    async def add_contact(self, contact: ContactDraft, now: datetime) -> ContactMessageId:
        """Insert a contact message."""
        message_id = ContactMessageId(new_id())
        ids = {"id": message_id, "email_key": normalise_email(contact.email), "now": now}
        await self._session.execute(_INSERT_CONTACT, {**ids, **msgspec.structs.asdict(contact)})
        return message_id

    async def lock_pending_contacts(self) -> list[ContactMessageId]:
        """Lock up to 500 messages that were not forwarded yet, and return their ids."""
        return list(await self._session.scalars(_LOCK_PENDING_CONTACTS, {"limit": BATCH_SIZE}))

    async def mark_contacts_forwarded(self, ids: Sequence[UUID], now: datetime) -> None:
        """Mark contact messages as forwarded."""
        await self._session.execute(_MARK_CONTACTS_FORWARDED, {"ids": list(ids), "now": now})

    async def mark_tickets_forwarded(
        self, tenant_id: TenantId, ids: Sequence[UUID], now: datetime
    ) -> list[TicketId]:
        """Mark tickets of the bound company as forwarded; return those that were not before."""
        params = {"tenant_id": tenant_id, "ids": list(ids), "now": now}
        return list(await self._session.scalars(_MARK_TICKETS_FORWARDED, params))

    async def get_tickets(self, tenant_id: TenantId, ids: Sequence[UUID]) -> list[StoredTicket]:
        """Return tickets of the bound company."""
        rows = await self._session.execute(
            _SELECT_TICKETS, {"tenant_id": tenant_id, "ids": list(ids)}
        )
        return [msgspec.convert(dict(row), StoredTicket) for row in rows.mappings()]

    async def get_contacts(self, ids: Sequence[UUID]) -> list[StoredContact]:
        """Return contact messages."""
        rows = await self._session.execute(_SELECT_CONTACTS, {"ids": list(ids)})
        return [msgspec.convert(dict(row), StoredContact) for row in rows.mappings()]

    async def list_contacts(self, *, include_forwarded: bool) -> list[StoredContact]:
        """Return contact messages, oldest first: those not forwarded yet, or all."""
        rows = await self._session.execute(
            _SELECT_ALL_CONTACTS, {"include_forwarded": include_forwarded}
        )
        return [msgspec.convert(dict(row), StoredContact) for row in rows.mappings()]


async def list_ticket_ids(
    planner: PlannerSession, *, include_forwarded: bool
) -> list[tuple[TenantId, TicketId]]:
    """Return the tickets of all companies by id: those not forwarded yet, or all."""
    rows = await planner.execute(_SELECT_TICKET_IDS, {"include_forwarded": include_forwarded})
    return [(row.tenant_id, row.id) for row in rows]


async def list_pending_ticket_ids(planner: PlannerSession) -> list[tuple[TenantId, TicketId]]:
    """Return up to 500 tickets that were not forwarded yet, by id."""
    rows = await planner.execute(_SELECT_PENDING_TICKET_IDS, {"limit": BATCH_SIZE})
    return [(row.tenant_id, row.id) for row in rows]
