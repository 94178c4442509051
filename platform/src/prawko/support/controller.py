"""The calls of help and contact (spec, section 7)."""

from litestar import Controller, post
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody

from prawko.accounts.activity import Origin
from prawko.accounts.guards import verified_email
from prawko.accounts.identity import Identity
from prawko.base.after_commit import AfterCommit
from prawko.base.errors import AuthRequiredError, EmailUnverifiedError, TooManyRequestsError
from prawko.base.jobs import Tools
from prawko.base.refusals import refusals
from prawko.base.texts import Language, say
from prawko.support.errors import InvalidContactMessageError, InvalidTicketError
from prawko.support.jobs import pass_on_messages
from prawko.support.schemas import ContactMessageIn, MessageSent, TicketIn
from prawko.support.service import Support
from prawko_tenants.sessions import SystemSession, TenantSession


def provide_support(tools: NamedDependency[Tools]) -> Support:
    """Takes what is written."""
    return Support(tools)


class SupportController(Controller):
    """Help for customers, a first word for visitors."""

    path = "/api"
    tags = ("Help",)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "support": Provide(provide_support, sync_to_thread=False)
    }

    @post(
        "/help/ticket",
        operation_id="sendTicket",
        guards=[verified_email],
        opt={"malformed": InvalidTicketError},
        responses=refusals(
            AuthRequiredError, EmailUnverifiedError, InvalidTicketError, TooManyRequestsError
        ),
    )
    async def send_ticket(
        self,
        data: JSONBody[TicketIn],
        identity: NamedDependency[Identity],
        session: NamedDependency[TenantSession],
        support: NamedDependency[Support],
        later: NamedDependency[AfterCommit],
        origin: NamedDependency[Origin],
        spoken: NamedDependency[Language],
    ) -> MessageSent:
        if await support.take_ticket(session, identity, origin, data):
            later.put(pass_on_messages)
        return MessageSent(ok=True, message=say("support.ticket.sent", spoken))

    @post(
        "/contact",
        operation_id="sendContactMessage",
        opt={"malformed": InvalidContactMessageError},
        responses=refusals(InvalidContactMessageError, TooManyRequestsError),
    )
    async def send_contact_message(
        self,
        data: JSONBody[ContactMessageIn],
        system_session: NamedDependency[SystemSession],
        support: NamedDependency[Support],
        later: NamedDependency[AfterCommit],
        origin: NamedDependency[Origin],
        spoken: NamedDependency[Language],
    ) -> MessageSent:
        if await support.take_contact(system_session, origin, data):
            later.put(pass_on_messages)
        return MessageSent(ok=True, message=say("support.contact.sent", spoken))
