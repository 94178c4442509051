"""The operators' calls about tickets and contact messages."""

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from prawko.accounts.acts.action_log import ActionLog
from prawko.accounts.guards import OPERATOR_ERRORS
from prawko.console.list_query import parse_record_id
from prawko.console.resource_handlers import (
    act_handler,
    list_handler,
    read_handler,
    service_dependency,
)
from prawko.console.support.errors import (
    InvalidAnswerError,
    SenderUnknownError,
    SubmissionClosedError,
    SubmissionOpenError,
)
from prawko.console.support.schemas import AnswerIn, SubmissionDetailOut, SubmissionOut
from prawko.console.support.service import ContactDeskService, TicketDeskService
from prawko.kit.errors import NotFoundError
from prawko.kit.http.error_responses import error_responses


def answer_handler(operation_id: str) -> HTTPRouteHandler:
    """Return the handler that mails an answer; its text is not kept once it is sent."""

    @post(
        "/{record_id:str}/answer",
        operation_id=operation_id,
        summary="Mail an answer to the sender",
        status_code=200,
        opt={"malformed": InvalidAnswerError},
        responses=error_responses(
            *OPERATOR_ERRORS,
            NotFoundError,
            InvalidAnswerError,
            SubmissionClosedError,
            SenderUnknownError,
        ),
    )
    async def answer(
        _: Controller,
        record_id: FromPath[str],
        data: JSONBody[AnswerIn],
        service: NamedDependency[TicketDeskService],
        actions: NamedDependency[ActionLog],
    ) -> SubmissionDetailOut:
        return await service.answer(actions, parse_record_id(record_id), data.text, data.reason)

    return answer


class TicketController(Controller):
    """Tickets of customers."""

    path = "/tickets"
    tags = ("Support",)
    dependencies = service_dependency(TicketDeskService)

    list_tickets = list_handler(
        "tickets", TicketDeskService.list_submissions, SubmissionOut, operation_id="listTickets"
    )
    get_ticket = read_handler(
        TicketDeskService.get_submission, SubmissionDetailOut, operation_id="getTicket"
    )
    answer = answer_handler("answerTicket")
    close = act_handler(
        TicketDeskService.close,
        SubmissionDetailOut,
        SubmissionClosedError,
        operation_id="closeTicket",
    )
    reopen = act_handler(
        TicketDeskService.reopen,
        SubmissionDetailOut,
        SubmissionOpenError,
        operation_id="reopenTicket",
    )


class ContactMessageController(Controller):
    """Messages of visitors."""

    path = "/contact-messages"
    tags = ("Support",)
    dependencies = service_dependency(ContactDeskService)

    list_messages = list_handler(
        "contact-messages",
        ContactDeskService.list_submissions,
        SubmissionOut,
        operation_id="listContactMessages",
    )
    get_message = read_handler(
        ContactDeskService.get_submission, SubmissionDetailOut, operation_id="getContactMessage"
    )
    answer = answer_handler("answerContactMessage")
    close = act_handler(
        ContactDeskService.close,
        SubmissionDetailOut,
        SubmissionClosedError,
        operation_id="closeContactMessage",
    )
    reopen = act_handler(
        ContactDeskService.reopen,
        SubmissionDetailOut,
        SubmissionOpenError,
        operation_id="reopenContactMessage",
    )
