"""Shows what people wrote, and answers, closes and opens it again."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from uuid import UUID

import msgspec
from sqlalchemy import select

from prawko.base.context import AppContext
from prawko.base.errors import NotFoundError
from prawko.console.action_log import ActionLog
from prawko.console.list_page import ListPage
from prawko.console.list_query import ListParameters, ListQuery
from prawko.console.models import AdminActionType
from prawko.console.support.errors import SenderUnknownError
from prawko.console.support.queries import DIALECT, SubmissionQueries
from prawko.console.support.schemas import SubmissionDetailOut
from prawko.deliveries.jobs import deliver_pending
from prawko.support.answers import (
    Submission,
    close_submission,
    enqueue_answer,
    parse_answer,
    reopen_submission,
)
from prawko.support.models import ContactMessage, SupportTicket
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import SystemSession, TenantSession

_ActSession = TenantSession | SystemSession


class TicketDeskService:
    """The tickets of customers; every act is a transaction on one company's rows."""

    actions_taken = (
        AdminActionType.TICKET_ANSWERED,
        AdminActionType.TICKET_CLOSED,
        AdminActionType.TICKET_REOPENED,
    )

    def __init__(self, context: AppContext) -> None:
        self._context = context

    async def list_submissions(self, parameters: ListParameters) -> tuple[ListQuery, ListPage]:
        """Return a page, without texts."""
        query = DIALECT.parse(parameters)
        async with self._context.database.operator() as session:
            return query, await self._list(SubmissionQueries(session), query)

    async def get_submission(self, submission_id: UUID) -> SubmissionDetailOut:
        """Return one with its text. Raises NotFoundError."""
        async with self._context.database.operator() as session:
            row = await self._get(SubmissionQueries(session), submission_id)
        if row is None:
            raise NotFoundError
        return msgspec.convert(row, SubmissionDetailOut, from_attributes=True)

    async def answer(
        self, actions: ActionLog, submission_id: UUID, text: str, reason: str | None
    ) -> SubmissionDetailOut:
        """Mail an answer to the sender.

        Raises NotFoundError, InvalidAnswerError, SubmissionClosedError and SenderUnknownError.
        """
        answer = parse_answer(text)
        if not (await self.get_submission(submission_id)).email:
            raise SenderUnknownError
        async with self._open(actions, submission_id, self.actions_taken[0], reason) as opened:
            session, submission = opened
            context = self._context
            await enqueue_answer(session, submission, answer, context.key_ring, context.clock.now())
            context.enqueue_on_commit(session, deliver_pending)
        return await self.get_submission(submission_id)

    async def close(
        self, actions: ActionLog, submission_id: UUID, reason: str | None
    ) -> SubmissionDetailOut:
        """Close one. Raises NotFoundError and SubmissionClosedError."""
        now = self._context.clock.now()
        async with self._open(actions, submission_id, self.actions_taken[1], reason) as opened:
            close_submission(opened[1], now)
        return await self.get_submission(submission_id)

    async def reopen(
        self, actions: ActionLog, submission_id: UUID, reason: str | None
    ) -> SubmissionDetailOut:
        """Open a closed one again. Raises NotFoundError and SubmissionOpenError."""
        async with self._open(actions, submission_id, self.actions_taken[2], reason) as opened:
            reopen_submission(opened[1])
        return await self.get_submission(submission_id)

    async def _list(self, queries: SubmissionQueries, query: ListQuery) -> ListPage:
        return await queries.list_tickets(query)

    async def _get(self, queries: SubmissionQueries, submission_id: UUID) -> object | None:
        return await queries.get_ticket(submission_id)

    @asynccontextmanager
    async def _open(
        self, actions: ActionLog, submission_id: UUID, action: AdminActionType, reason: str | None
    ) -> AsyncGenerator[tuple[_ActSession, Submission]]:
        """Lock a ticket in the transaction of an act, which is recorded."""
        company_id = (await self.get_submission(submission_id)).company_id
        if company_id is None:
            raise NotFoundError
        tenant_id = TenantId(company_id)
        async with actions.open_company(tenant_id) as session:
            statement = select(SupportTicket).where(SupportTicket.id == submission_id)
            ticket = await session.scalar(statement.with_for_update())
            if ticket is None:
                raise NotFoundError
            yield session, ticket
            await actions.record(
                action,
                tenant_id=tenant_id,
                target_user_id=ticket.user_id,
                reason=reason,
                requires_reason=False,
                ticket=submission_id,
            )


class ContactDeskService(TicketDeskService):
    """The contact messages of visitors, who belong to no company."""

    actions_taken = (
        AdminActionType.CONTACT_ANSWERED,
        AdminActionType.CONTACT_CLOSED,
        AdminActionType.CONTACT_REOPENED,
    )

    async def _list(self, queries: SubmissionQueries, query: ListQuery) -> ListPage:
        return await queries.list_contacts(query)

    async def _get(self, queries: SubmissionQueries, submission_id: UUID) -> object | None:
        return await queries.get_contact(submission_id)

    @asynccontextmanager
    async def _open(
        self, actions: ActionLog, submission_id: UUID, action: AdminActionType, reason: str | None
    ) -> AsyncGenerator[tuple[_ActSession, Submission]]:
        async with actions.open_system() as session:
            statement = select(ContactMessage).where(ContactMessage.id == submission_id)
            message = await session.scalar(statement.with_for_update())
            if message is None:
                raise NotFoundError
            yield session, message
            await actions.record(
                action, reason=reason, requires_reason=False, contact_message=submission_id
            )
