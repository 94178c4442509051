"""HTTP calls of the links in mails to persons without an account; they need no session.

The token is in the body and not in the address, which proxies log.
"""

from litestar import Controller, post
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody

from prawko.accounts.audit_log import ClientInfo
from prawko.kit.context import AppContext
from prawko.kit.errors import BadRequestError, TooManyRequestsError
from prawko.kit.http.error_responses import error_responses
from prawko.notifications.recipients.errors import InvalidRecipientLinkError
from prawko.notifications.recipients.link_service import RecipientLinkService
from prawko.notifications.recipients.schemas import RecipientLinkIn, RecipientLinkOut


def provide_recipient_link_service(
    context: NamedDependency[AppContext], client: NamedDependency[ClientInfo]
) -> RecipientLinkService:
    """Return the service of recipients' links."""
    return RecipientLinkService(context, client)


_ERRORS = error_responses(BadRequestError, InvalidRecipientLinkError, TooManyRequestsError)


class RecipientLinkController(Controller):
    """Calls by which a person without an account decides about a company's alerts."""

    path = "/api/alert-links"
    tags = ("Notifications",)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "links": Provide(provide_recipient_link_service, sync_to_thread=False)
    }

    @post("/view", operation_id="viewAlertLink", status_code=200, responses=_ERRORS)
    async def show(
        self, data: JSONBody[RecipientLinkIn], links: NamedDependency[RecipientLinkService]
    ) -> RecipientLinkOut:
        """Changes nothing, because mail servers open links without a person's consent."""
        return await links.show(data.token)

    @post("/confirm", operation_id="confirmAlerts", status_code=200, responses=_ERRORS)
    async def confirm(
        self, data: JSONBody[RecipientLinkIn], links: NamedDependency[RecipientLinkService]
    ) -> RecipientLinkOut:
        return await links.confirm(data.token)

    @post("/stop", operation_id="stopAlerts", status_code=200, responses=_ERRORS)
    async def stop(
        self, data: JSONBody[RecipientLinkIn], links: NamedDependency[RecipientLinkService]
    ) -> RecipientLinkOut:
        return await links.stop(data.token)

    @post("/resume", operation_id="resumeAlerts", status_code=200, responses=_ERRORS)
    async def resume(
        self, data: JSONBody[RecipientLinkIn], links: NamedDependency[RecipientLinkService]
    ) -> RecipientLinkOut:
        return await links.resume(data.token)
