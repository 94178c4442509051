"""Shows what people wrote, and answers, closes and opens it again."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from uuid import UUID

import msgspec

from prawko.accounts.acts.action_log import ActionLog
from prawko.accounts.acts.models import AdminActionType
from prawko.console.list_page import ListPage
from prawko.console.list_query import ListParameters, ListQuery
from prawko.console.support.errors import (
    InvalidAnswerError,
    SenderUnknownError,
    SubmissionClosedError,
    SubmissionOpenError,
)
from prawko.console.support.queries import (
    DIALECT,
    SubmissionQueries,
    lock_contact_message,
    lock_ticket,
)
from prawko.console.support.schemas import SubmissionDetailOut
from prawko.kit.context import AppContext
from prawko.kit.errors import NotFoundError
from prawko.support.answers import enqueue_answer, parse_answer
from prawko.support.models import ContactMessage, SupportTicket
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import SystemSession, TenantSession

_ActSession = TenantSession | SystemSession
Submission = SupportTicket | ContactMessage


class TicketDeskService:
    """The tickets of customers; every act is a transaction on one company's rows."""

    answer_action = AdminActionType.TICKET_ANSWERED
    close_action = AdminActionType.TICKET_CLOSED
    reopen_action = AdminActionType.TICKET_REOPENED

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
        if answer is None:
            raise InvalidAnswerError
        if not (await self.get_submission(submission_id)).email:
            raise SenderUnknownError
        async with self._open(actions, submission_id, self.answer_action, reason) as opened:
            session, submission = opened
            if submission.closed_at is not None:
                raise SubmissionClosedError
            context = self._context
            submission.answered_at = context.clock.now()
            await enqueue_answer(session, submission, answer, context.key_ring)
        return await self.get_submission(submission_id)

    async def close(
        self, actions: ActionLog, submission_id: UUID, reason: str | None
    ) -> SubmissionDetailOut:
        """Close one. Raises NotFoundError and SubmissionClosedError."""
        now = self._context.clock.now()
        async with self._open(actions, submission_id, self.close_action, reason) as opened:
            submission = opened[1]
            if submission.closed_at is not None:
                raise SubmissionClosedError
            submission.closed_at = now
        return await self.get_submission(submission_id)

    async def reopen(
        self, actions: ActionLog, submission_id: UUID, reason: str | None
    ) -> SubmissionDetailOut:
        """Open a closed one again. Raises NotFoundError and SubmissionOpenError."""
        async with self._open(actions, submission_id, self.reopen_action, reason) as opened:
            submission = opened[1]
            if submission.closed_at is None:
                raise SubmissionOpenError
            submission.closed_at = submission.answered_at = None
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
            ticket = await lock_ticket(session, submission_id)
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

    answer_action = AdminActionType.CONTACT_ANSWERED
    close_action = AdminActionType.CONTACT_CLOSED
    reopen_action = AdminActionType.CONTACT_REOPENED

    async def _list(self, queries: SubmissionQueries, query: ListQuery) -> ListPage:
        return await queries.list_contacts(query)

    async def _get(self, queries: SubmissionQueries, submission_id: UUID) -> object | None:
        return await queries.get_contact(submission_id)

    @asynccontextmanager
    async def _open(
        self, actions: ActionLog, submission_id: UUID, action: AdminActionType, reason: str | None
    ) -> AsyncGenerator[tuple[_ActSession, Submission]]:
        async with actions.open_system() as session:
            message = await lock_contact_message(session, submission_id)
            if message is None:
                raise NotFoundError
            yield session, message
            await actions.record(
                action, reason=reason, requires_reason=False, contact_message=submission_id
            )
