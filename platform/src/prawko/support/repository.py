"""The repositories of tickets and contact messages."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from uuid import UUID

import msgspec
from sqlalchemy import literal, or_, select, update

from prawko.accounts.models import UserAccount
from prawko.kit.database import Repository
from prawko.kit.text.i18n import Language
from prawko.support.models import ContactMessage, SupportTicket
from prawko_tenants.engine import Database
from prawko_tenants.ids import ContactMessageId, TenantId
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import PlannerSession

BATCH_SIZE = 500

TicketKey = tuple[TenantId, UUID]


class SentTicket(msgspec.Struct, frozen=True):
    """A ticket with its account's current data; `email` is None when the sender has left."""

    ticket: SupportTicket
    email: str | None
    company: str
    language: Language | None = None


class TicketRepository(Repository[SupportTicket]):
    """Reads and writes the bound company's tickets in the caller's transaction."""

    model_type = SupportTicket

    async def mark_forwarded(self, ids: Sequence[UUID], now: datetime) -> Sequence[UUID]:
        """Mark tickets as forwarded; return the ids of those that were not before."""
        statement = (
            update(SupportTicket)
            .where(SupportTicket.id.in_(ids), SupportTicket.forwarded_at.is_(None))
            .values(forwarded_at=now)
            .returning(SupportTicket.id)
        )
        return (await self.session.scalars(statement)).all()

    async def list_sent(self, ids: Sequence[UUID]) -> list[SentTicket]:
        """Return tickets with their senders."""
        rows = await self.session.execute(
            select(SupportTicket, UserAccount.email, Tenant.company_name, UserAccount.language)
            .join(Tenant, Tenant.id == SupportTicket.tenant_id)
            .outerjoin(UserAccount, UserAccount.id == SupportTicket.user_id)
            .where(SupportTicket.id.in_(ids))
        )
        return [SentTicket(*row) for row in rows]


class ContactRepository(Repository[ContactMessage]):
    """Reads and writes contact messages in the caller's transaction."""

    model_type = ContactMessage

    async def lock_pending(self) -> Sequence[ContactMessageId]:
        """Lock up to BATCH_SIZE messages that were not forwarded yet, and return their ids."""
        statement = (
            select(ContactMessage.id)
            .where(ContactMessage.forwarded_at.is_(None))
            .order_by(ContactMessage.id)
            .limit(BATCH_SIZE)
            .with_for_update(skip_locked=True)
        )
        return (await self.session.scalars(statement)).all()

    async def mark_forwarded(self, ids: Sequence[ContactMessageId], now: datetime) -> None:
        """Mark messages as forwarded."""
        await self.session.execute(
            update(ContactMessage).where(ContactMessage.id.in_(ids)).values(forwarded_at=now)
        )


async def list_ticket_keys(
    planner: PlannerSession, *, include_forwarded: bool = False, limit: int | None = None
) -> list[TicketKey]:
    """Return the tickets of all companies by id: those not forwarded yet, or all."""
    statement = (
        select(SupportTicket.tenant_id, SupportTicket.id)
        .where(or_(SupportTicket.forwarded_at.is_(None), literal(include_forwarded)))
        .order_by(SupportTicket.tenant_id, SupportTicket.id)
        .limit(limit)
    )
    return [(row.tenant_id, row.id) for row in await planner.execute(statement)]


def group_by_company(keys: Iterable[TicketKey]) -> list[tuple[TenantId, list[UUID]]]:
    """Return the ids of the tickets of each company."""
    groups = groupby(sorted(keys), key=lambda key: key[0])
    return [(tenant_id, [ticket_id for _, ticket_id in group]) for tenant_id, group in groups]


async def load_sent_tickets(database: Database, keys: Iterable[TicketKey]) -> list[SentTicket]:
    """Return tickets of several companies, company by company in one transaction."""
    tickets: list[SentTicket] = []
    async with database.batch() as session:
        for tenant_id, ids in group_by_company(keys):
            await session.switch_tenant(tenant_id)
            tickets += await TicketRepository(session).list_sent(ids)
    return tickets
