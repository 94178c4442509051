"""The operators' calls about tickets and contact messages."""

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from prawko.accounts.guards import OPERATOR_ERRORS
from prawko.base.context import AppContext
from prawko.base.error_responses import error_responses
from prawko.base.errors import NotFoundError
from prawko.console.action_log import ActionLog, ReasonIn
from prawko.console.errors import InvalidListQueryError
from prawko.console.list_page import page_response
from prawko.console.list_query import ListParameters, parse_record_id
from prawko.console.support.errors import (
    InvalidAnswerError,
    SenderUnknownError,
    SubmissionClosedError,
    SubmissionOpenError,
)
from prawko.console.support.schemas import AnswerIn, SubmissionDetailOut, SubmissionOut
from prawko.console.support.service import ContactDeskService, TicketDeskService

_LIST_ERRORS = error_responses(*OPERATOR_ERRORS, InvalidListQueryError)
_READ_ERRORS = error_responses(*OPERATOR_ERRORS, NotFoundError)
_ANSWER_ERRORS = error_responses(
    *OPERATOR_ERRORS, NotFoundError, InvalidAnswerError, SubmissionClosedError, SenderUnknownError
)


def provide_ticket_desk(context: NamedDependency[AppContext]) -> TicketDeskService:
    """Return the service of tickets."""
    return TicketDeskService(context)


def provide_contact_desk(context: NamedDependency[AppContext]) -> ContactDeskService:
    """Return the service of contact messages."""
    return ContactDeskService(context)


class TicketController(Controller):
    """Tickets of customers."""

    path = "/tickets"
    tags = ("Support",)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "desk": Provide(provide_ticket_desk, sync_to_thread=False)
    }

    @get(operation_id="listTickets", responses=_LIST_ERRORS)
    async def list_submissions(
        self,
        desk: NamedDependency[TicketDeskService],
        list_parameters: NamedDependency[ListParameters],
    ) -> Response[list[SubmissionOut]]:
        query, page = await desk.list_submissions(list_parameters)
        return page_response("tickets", query, page, SubmissionOut)

    @get("/{ticket_id:str}", operation_id="getTicket", responses=_READ_ERRORS)
    async def get_submission(
        self, ticket_id: FromPath[str], desk: NamedDependency[TicketDeskService]
    ) -> SubmissionDetailOut:
        return await desk.get_submission(parse_record_id(ticket_id))

    @post(
        "/{ticket_id:str}/answer",
        operation_id="answerTicket",
        summary="Mail an answer to the sender",
        status_code=200,
        opt={"malformed": InvalidAnswerError},
        responses=_ANSWER_ERRORS,
    )
    async def answer(
        self,
        ticket_id: FromPath[str],
        data: JSONBody[AnswerIn],
        desk: NamedDependency[TicketDeskService],
        actions: NamedDependency[ActionLog],
    ) -> SubmissionDetailOut:
        """The text is not kept once it is sent."""
        id_ = parse_record_id(ticket_id)
        return await desk.answer(actions, id_, data.text, data.reason)

    @post(
        "/{ticket_id:str}/close",
        operation_id="closeTicket",
        status_code=200,
        responses=error_responses(*OPERATOR_ERRORS, NotFoundError, SubmissionClosedError),
    )
    async def close(
        self,
        ticket_id: FromPath[str],
        data: JSONBody[ReasonIn],
        desk: NamedDependency[TicketDeskService],
        actions: NamedDependency[ActionLog],
    ) -> SubmissionDetailOut:
        return await desk.close(actions, parse_record_id(ticket_id), data.reason)

    @post(
        "/{ticket_id:str}/reopen",
        operation_id="reopenTicket",
        status_code=200,
        responses=error_responses(*OPERATOR_ERRORS, NotFoundError, SubmissionOpenError),
    )
    async def reopen(
        self,
        ticket_id: FromPath[str],
        data: JSONBody[ReasonIn],
        desk: NamedDependency[TicketDeskService],
        actions: NamedDependency[ActionLog],
    ) -> SubmissionDetailOut:
        return await desk.reopen(actions, parse_record_id(ticket_id), data.reason)


class ContactMessageController(Controller):
    """Messages of visitors."""

    path = "/contact-messages"
    tags = ("Support",)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "desk": Provide(provide_contact_desk, sync_to_thread=False)
    }

    @get(operation_id="listContactMessages", responses=_LIST_ERRORS)
    async def list_submissions(
        self,
        desk: NamedDependency[ContactDeskService],
        list_parameters: NamedDependency[ListParameters],
    ) -> Response[list[SubmissionOut]]:
        query, page = await desk.list_submissions(list_parameters)
        return page_response("contact-messages", query, page, SubmissionOut)

    @get("/{message_id:str}", operation_id="getContactMessage", responses=_READ_ERRORS)
    async def get_submission(
        self, message_id: FromPath[str], desk: NamedDependency[ContactDeskService]
    ) -> SubmissionDetailOut:
        return await desk.get_submission(parse_record_id(message_id))

    @post(
        "/{message_id:str}/answer",
        operation_id="answerContactMessage",
        summary="Mail an answer to the sender",
        status_code=200,
        opt={"malformed": InvalidAnswerError},
        responses=_ANSWER_ERRORS,
    )
    async def answer(
        self,
        message_id: FromPath[str],
        data: JSONBody[AnswerIn],
        desk: NamedDependency[ContactDeskService],
        actions: NamedDependency[ActionLog],
    ) -> SubmissionDetailOut:
        """The text is not kept once it is sent."""
        id_ = parse_record_id(message_id)
        return await desk.answer(actions, id_, data.text, data.reason)

    @post(
        "/{message_id:str}/close",
        operation_id="closeContactMessage",
        status_code=200,
        responses=error_responses(*OPERATOR_ERRORS, NotFoundError, SubmissionClosedError),
    )
    async def close(
        self,
        message_id: FromPath[str],
        data: JSONBody[ReasonIn],
        desk: NamedDependency[ContactDeskService],
        actions: NamedDependency[ActionLog],
    ) -> SubmissionDetailOut:
        return await desk.close(actions, parse_record_id(message_id), data.reason)

    @post(
        "/{message_id:str}/reopen",
        operation_id="reopenContactMessage",
        status_code=200,
        responses=error_responses(*OPERATOR_ERRORS, NotFoundError, SubmissionOpenError),
    )
    async def reopen(
        self,
        message_id: FromPath[str],
        data: JSONBody[ReasonIn],
        desk: NamedDependency[ContactDeskService],
        actions: NamedDependency[ActionLog],
    ) -> SubmissionDetailOut:
        return await desk.reopen(actions, parse_record_id(message_id), data.reason)
