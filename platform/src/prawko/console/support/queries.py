"""Reads tickets of all companies and contact messages, with a session of the operators."""

from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Integer, Uuid, case, cast, func, literal, null, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.models import UserAccount
from prawko.console.list_page import AnyRow, AnySelect, ListPage, fetch_page
from prawko.console.list_query import (
    FilterIds,
    ListDialect,
    ListQuery,
    SearchText,
    SortOrder,
)
from prawko.support.models import ContactMessage, SupportTicket
from prawko_tenants.models import Tenant


class SubmissionState(StrEnum):
    """The states of a ticket or contact message, by what operators did with it."""

    OPEN = "open"
    ANSWERED = "answered"
    CLOSED = "closed"


DIALECT = ListDialect(
    sortable=frozenset({"createdAt"}),
    filters={
        "id": FilterIds,
        "q": SearchText,
        "state": SubmissionState,
        "companyId": UUID,
    },
    default_sort=SortOrder("createdAt", is_descending=True),
)


class SubmissionQueries:
    """Each list is two statements."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_tickets(self, query: ListQuery) -> ListPage:
        """Return a page of tickets, without their texts."""
        statement = _select_tickets()
        if company := query.filters.get("companyId"):
            statement = statement.where(SupportTicket.tenant_id == company)
        return await self._fetch(
            statement,
            query,
            SupportTicket,
            (SupportTicket.subject, UserAccount.email, Tenant.company_name),
        )

    async def list_contacts(self, query: ListQuery) -> ListPage:
        """Return a page of contact messages, without their texts."""
        if query.filters.get("companyId"):
            return ListPage([], 0)
        return await self._fetch(
            _select_contacts(),
            query,
            ContactMessage,
            (ContactMessage.name, ContactMessage.email, ContactMessage.company),
        )

    async def get_ticket(self, ticket_id: UUID) -> AnyRow | None:
        """Return a ticket with its text."""
        statement = _select_tickets().add_columns(SupportTicket.message)
        row = await self._session.execute(statement.where(SupportTicket.id == ticket_id))
        return row.one_or_none()

    async def get_contact(self, message_id: UUID) -> AnyRow | None:
        """Return a contact message with its text."""
        statement = _select_contacts().add_columns(ContactMessage.message)
        row = await self._session.execute(statement.where(ContactMessage.id == message_id))
        return row.one_or_none()

    async def _fetch(
        self,
        statement: AnySelect,
        query: ListQuery,
        model: Any,
        searched: tuple[Any, ...],
    ) -> ListPage:
        if state := query.filters.get("state"):
            statement = statement.where(_state_of(model) == state.value)
        if text := query.filters.get("q"):
            statement = statement.where(
                or_(*(column.icontains(text, autoescape=True) for column in searched))
            )
        columns: dict[str, Any] = {"createdAt": model.created_at}
        return await fetch_page(self._session, statement, query, columns, model.id)


def _state_of(model: Any) -> ColumnElement[str]:
    return case(
        (model.closed_at.is_not(None), SubmissionState.CLOSED.value),
        (model.answered_at.is_not(None), SubmissionState.ANSWERED.value),
        else_=SubmissionState.OPEN.value,
    )


def _select_tickets() -> AnySelect:
    company_name = func.coalesce(Tenant.company_name, "")
    return (
        select(
            SupportTicket.id,
            SupportTicket.created_at,
            func.coalesce(UserAccount.email, "").label("sender"),
            UserAccount.email,
            SupportTicket.tenant_id.label("company_id"),
            company_name.label("company_name"),
            SupportTicket.subject,
            cast(null(), Integer).label("drivers_count"),
            _state_of(SupportTicket).label("state"),
            SupportTicket.answered_at,
            SupportTicket.closed_at,
        )
        .outerjoin(UserAccount, UserAccount.id == SupportTicket.user_id)
        .outerjoin(Tenant, Tenant.id == SupportTicket.tenant_id)
    )


def _select_contacts() -> AnySelect:
    return select(
        ContactMessage.id,
        ContactMessage.created_at,
        ContactMessage.name.label("sender"),
        ContactMessage.email,
        cast(null(), Uuid).label("company_id"),
        ContactMessage.company.label("company_name"),
        literal("").label("subject"),
        ContactMessage.drivers_count,
        _state_of(ContactMessage).label("state"),
        ContactMessage.answered_at,
        ContactMessage.closed_at,
    )


async def lock_ticket(session: AsyncSession, ticket_id: UUID) -> SupportTicket | None:
    """Return a ticket of the session's company, locked until the transaction ends."""
    statement = select(SupportTicket).where(SupportTicket.id == ticket_id)
    return await session.scalar(statement.with_for_update())


async def lock_contact_message(session: AsyncSession, message_id: UUID) -> ContactMessage | None:
    """Return a contact message, locked until the transaction ends."""
    statement = select(ContactMessage).where(ContactMessage.id == message_id)
    return await session.scalar(statement.with_for_update())
