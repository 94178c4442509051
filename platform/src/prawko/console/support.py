"""Tickets of customers and messages of visitors: answering, closing and opening them again."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Integer, Uuid, case, cast, false, func, literal, null, select

from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.acts.operator_acts import ActSession, OperatorActs
from prawko.accounts.models import UserAccount
from prawko.console.resource import (
    COMPANY_NAME,
    Act,
    AnyColumn,
    Filter,
    Resource,
    create_router,
    ids_filter,
    text_filter,
    value_filter,
)
from prawko.console.schemas import Reason, ReasonIn
from prawko.kit.errors import AppError, NotFoundError
from prawko.kit.http.schemas import RequestModel, ResponseModel
from prawko.support.answer_mails import enqueue_answer, parse_answer
from prawko.support.models import ContactMessage, SupportTicket
from prawko_tenants.ids import TenantId
from prawko_tenants.models import Tenant

SubmissionRow = SupportTicket | ContactMessage


class SubmissionState(StrEnum):
    """The states of a ticket or contact message, by what operators did with it."""

    OPEN = "open"
    ANSWERED = "answered"
    CLOSED = "closed"


class SubmissionOut(ResponseModel):
    """A ticket or contact message in a list, without its text."""

    id: UUID
    created_at: datetime
    sender: str
    email: str | None
    company_id: UUID | None
    company_name: str
    subject: str
    drivers_count: int | None
    state: str
    probable_spam: bool
    answered_at: datetime | None
    closed_at: datetime | None


class SubmissionDetailOut(SubmissionOut):
    """A ticket or contact message with its text."""

    message: str


class AnswerIn(RequestModel):
    """An answer, which is mailed and not kept."""

    text: str
    reason: Reason | None = None


class InvalidAnswerError(AppError):
    """The answer is empty or too long."""

    status = 422
    key = "invalid_answer"


class SenderUnknownError(AppError):
    """The account that sent the ticket was deleted."""

    status = 409
    key = "sender_unknown"


class SubmissionClosedError(AppError):
    """A closed ticket or message has to be opened again first."""

    status = 409
    key = "submission_closed"


class SubmissionOpenError(AppError):
    """Only a closed ticket or message can be opened again."""

    status = 409
    key = "submission_open"


@asynccontextmanager
async def open_ticket(
    acts: OperatorActs, ticket_id: UUID, action: AdminActionType, reason: str | None
) -> AsyncGenerator[tuple[ActSession, SubmissionRow]]:
    """Lock a ticket in the transaction of an act on its company's rows, which is recorded."""
    company_id = (await TICKETS.read(acts.context, ticket_id)).company_id
    if company_id is None:
        raise NotFoundError
    tenant_id = TenantId(company_id)
    async with acts.open_company(tenant_id) as session:
        statement = select(SupportTicket).where(SupportTicket.id == ticket_id)
        ticket = await session.scalar(statement.with_for_update())
        if ticket is None:
            raise NotFoundError
        yield session, ticket
        await acts.record(
            action,
            tenant_id=tenant_id,
            target_user_id=ticket.user_id,
            reason=reason,
            requires_reason=False,
            ticket=ticket_id,
        )


@asynccontextmanager
async def open_contact_message(
    acts: OperatorActs, message_id: UUID, action: AdminActionType, reason: str | None
) -> AsyncGenerator[tuple[ActSession, SubmissionRow]]:
    """Lock a visitor's message, which is of no company, in the transaction of a recorded act."""
    async with acts.open_system() as session:
        statement = select(ContactMessage).where(ContactMessage.id == message_id)
        message = await session.scalar(statement.with_for_update())
        if message is None:
            raise NotFoundError
        yield session, message
        await acts.record(action, reason=reason, requires_reason=False, contact_message=message_id)


OpenSubmission = Callable[
    [OperatorActs, UUID, AdminActionType, str | None],
    AbstractAsyncContextManager[tuple[ActSession, SubmissionRow]],
]


def create_acts(
    noun: str,
    open_submission: OpenSubmission,
    answered: AdminActionType,
    closed: AdminActionType,
    reopened: AdminActionType,
) -> tuple[Act, ...]:
    """Return the acts on a ticket or message: `answer`, `close` and `reopen`."""

    async def answer(acts: OperatorActs, record_id: UUID, data: AnswerIn) -> None:
        text = parse_answer(data.text)
        if text is None:
            raise InvalidAnswerError
        async with open_submission(acts, record_id, answered, data.reason) as opened:
            session, submission = opened
            if isinstance(submission, SupportTicket) and submission.user_id is None:
                raise SenderUnknownError
            if submission.closed_at is not None:
                raise SubmissionClosedError
            submission.answered_at = acts.context.clock.now()
            await enqueue_answer(session, submission, text, acts.context.key_ring)

    async def close(acts: OperatorActs, record_id: UUID, data: ReasonIn) -> None:
        now = acts.context.clock.now()
        async with open_submission(acts, record_id, closed, data.reason) as (_, submission):
            if submission.closed_at is not None:
                raise SubmissionClosedError
            submission.closed_at = now

    async def reopen(acts: OperatorActs, record_id: UUID, data: ReasonIn) -> None:
        async with open_submission(acts, record_id, reopened, data.reason) as (_, submission):
            if submission.closed_at is None:
                raise SubmissionOpenError
            submission.closed_at = submission.answered_at = None

    return (
        Act(
            "answer",
            f"answer{noun}",
            answer,
            (InvalidAnswerError, SubmissionClosedError, SenderUnknownError),
            "Mail an answer to the sender",
            malformed=InvalidAnswerError,
        ),
        Act("close", f"close{noun}", close, (SubmissionClosedError,)),
        Act("reopen", f"reopen{noun}", reopen, (SubmissionOpenError,)),
    )


def _state_of(model: Any) -> ColumnElement[str]:
    return case(
        (model.closed_at.is_not(None), SubmissionState.CLOSED.value),
        (model.answered_at.is_not(None), SubmissionState.ANSWERED.value),
        else_=SubmissionState.OPEN.value,
    )


def _columns_of(model: Any) -> tuple[AnyColumn, ...]:
    state = _state_of(model).label("state")
    return (
        model.id, model.created_at, state, model.probable_spam, model.answered_at, model.closed_at
    )  # fmt: skip


def _filters_of(model: Any) -> dict[str, Filter]:
    return {
        "id": ids_filter(model.id),
        "state": value_filter(_state_of(model), SubmissionState),
        "probableSpam": value_filter(model.probable_spam, bool),
    }


TICKETS = Resource(
    name="tickets",
    tag="Support",
    list_id="listTickets",
    read_id="getTicket",
    out=SubmissionOut,
    detail=SubmissionDetailOut,
    detail_columns=(SupportTicket.message,),
    statement=select(
        *_columns_of(SupportTicket),
        func.coalesce(UserAccount.email, "").label("sender"),
        UserAccount.email,
        SupportTicket.tenant_id.label("company_id"),
        COMPANY_NAME,
        SupportTicket.subject,
        cast(null(), Integer).label("drivers_count"),
    )
    .outerjoin(UserAccount, UserAccount.id == SupportTicket.user_id)
    .outerjoin(Tenant, Tenant.id == SupportTicket.tenant_id),
    id_column=SupportTicket.id,
    columns={"createdAt": SupportTicket.created_at},
    filters=_filters_of(SupportTicket)
    | {
        "q": text_filter(SupportTicket.subject, UserAccount.email, Tenant.company_name),
        "companyId": value_filter(SupportTicket.tenant_id),
    },
    acts=create_acts(
        "Ticket",
        open_ticket,
        AdminActionType.TICKET_ANSWERED,
        AdminActionType.TICKET_CLOSED,
        AdminActionType.TICKET_REOPENED,
    ),
)

CONTACT_MESSAGES = Resource(
    name="contact-messages",
    tag="Support",
    list_id="listContactMessages",
    read_id="getContactMessage",
    out=SubmissionOut,
    detail=SubmissionDetailOut,
    detail_columns=(ContactMessage.message,),
    statement=select(
        *_columns_of(ContactMessage),
        ContactMessage.name.label("sender"),
        ContactMessage.email,
        cast(null(), Uuid).label("company_id"),
        ContactMessage.company.label("company_name"),
        literal("").label("subject"),
        ContactMessage.drivers_count,
    ),
    id_column=ContactMessage.id,
    columns={"createdAt": ContactMessage.created_at},
    filters=_filters_of(ContactMessage)
    | {
        "q": text_filter(ContactMessage.name, ContactMessage.email, ContactMessage.company),
        "companyId": Filter(UUID, lambda _: false()),  # visitors belong to no company
    },
    acts=create_acts(
        "ContactMessage",
        open_contact_message,
        AdminActionType.CONTACT_ANSWERED,
        AdminActionType.CONTACT_CLOSED,
        AdminActionType.CONTACT_REOPENED,
    ),
)
ROUTES = (create_router(TICKETS), create_router(CONTACT_MESSAGES))
