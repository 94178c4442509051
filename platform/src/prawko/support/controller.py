"""HTTP calls of help and contact (docs/rules.md P17)."""

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.guards import VERIFIED_EMAIL_ERRORS, requires_verified_email
from prawko.accounts.schemas import MessageOut
from prawko.kit.context import AppContext
from prawko.kit.errors import TooManyRequestsError
from prawko.kit.http.error_responses import error_responses
from prawko.kit.text.i18n import Language, translate
from prawko.support.jobs import forward_to_operators
from prawko.support.schemas import ContactMessageIn, TicketIn
from prawko.support.service import SupportService
from prawko.support.validation import InvalidContactMessageError, InvalidTicketError
from prawko_tenants.sessions import SystemSession, TenantSession


class SupportController(Controller):
    """Accepts tickets of customers and messages of visitors."""

    path = "/api"
    tags = ("Help",)

    @post(
        "/help/ticket",
        operation_id="sendTicket",
        guards=[requires_verified_email],
        opt={"malformed": InvalidTicketError},
        responses=error_responses(*VERIFIED_EMAIL_ERRORS, InvalidTicketError, TooManyRequestsError),
    )
    async def send_ticket(
        self,
        data: JSONBody[TicketIn],
        identity: NamedDependency[Identity],
        session: NamedDependency[TenantSession],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
        language: NamedDependency[Language],
    ) -> MessageOut:
        await SupportService(context).submit_ticket(session, identity, client, data)
        context.enqueue_on_commit(session, forward_to_operators)
        return MessageOut(ok=True, message=translate("support.ticket.sent", language))

    @post(
        "/contact",
        operation_id="sendContactMessage",
        opt={"malformed": InvalidContactMessageError},
        responses=error_responses(InvalidContactMessageError, TooManyRequestsError),
    )
    async def send_contact_message(
        self,
        data: JSONBody[ContactMessageIn],
        system_session: NamedDependency[SystemSession],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
        language: NamedDependency[Language],
    ) -> MessageOut:
        await SupportService(context).submit_contact(system_session, client, data)
        context.enqueue_on_commit(system_session, forward_to_operators)
        return MessageOut(ok=True, message=translate("support.contact.sent", language))
