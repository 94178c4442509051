"""HTTP calls of alert recipients, and of the links in the mails to persons without an account."""

from litestar import Controller, delete, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from prawko import limits
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.guards import (
    OWN_RIGHT_ERRORS,
    VERIFIED_EMAIL_ERRORS,
    forbids_impersonation,
    requires_right,
    requires_verified_email,
)
from prawko.accounts.roles import ACT, CompanyAct
from prawko.kit.context import AppContext
from prawko.kit.errors import BadRequestError, NotFoundError, TooManyRequestsError
from prawko.kit.http.error_responses import error_responses
from prawko.limits import USER_LIMIT
from prawko.notifications.errors import (
    InvalidRecipientError,
    InvalidRecipientLinkError,
    LastAlertReaderError,
    RecipientConfirmedError,
    RecipientExistsError,
    RecipientLimitError,
    RecipientStoppedError,
)
from prawko.notifications.recipients.link_service import RecipientLinkService
from prawko.notifications.recipients.service import RecipientService
from prawko.notifications.schemas import (
    AlertRecipientsOut,
    MemberAlertsOut,
    OwnAlertsPatch,
    RecipientIn,
    RecipientLinkIn,
    RecipientLinkOut,
    RecipientOut,
    RecipientPatch,
    RemovedRecipientOut,
)
from prawko_tenants.ids import RecipientId
from prawko_tenants.sessions import TenantSession


def provide_recipient_service(
    context: NamedDependency[AppContext],
    session: NamedDependency[TenantSession],
    identity: NamedDependency[Identity],
    client: NamedDependency[ClientInfo],
) -> RecipientService:
    """Return the service of the company's recipients, for the caller."""
    return RecipientService(context, session, identity, client)


class RecipientController(Controller):
    """Calls about the recipients of the alerts of the caller's company."""

    path = "/api/alert-recipients"
    tags = ("Notifications",)
    guards = (requires_verified_email,)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "recipients": Provide(provide_recipient_service, sync_to_thread=False)
    }

    @get(
        operation_id="listAlertRecipients",
        summary="List who gets the company's alerts: to some roles only the caller",
        responses=error_responses(*VERIFIED_EMAIL_ERRORS),
    )
    async def list_recipients(
        self, recipients: NamedDependency[RecipientService]
    ) -> AlertRecipientsOut:
        return await recipients.list_all()

    @put(
        "/own",
        operation_id="changeOwnAlerts",
        opt={USER_LIMIT: limits.ACCOUNT_CHANGES},
        summary="Choose the caller's groups of notices and hours of SMS",
        responses=error_responses(
            *VERIFIED_EMAIL_ERRORS, BadRequestError, LastAlertReaderError, TooManyRequestsError
        ),
    )
    async def change_own(
        self, data: JSONBody[OwnAlertsPatch], recipients: NamedDependency[RecipientService]
    ) -> MemberAlertsOut:
        """Absent fields keep their value."""
        return await recipients.change_own(data)

    # They cause mails about drivers to others, so an impersonator may not use these calls.
    @post(
        operation_id="addAlertRecipient",
        guards=[requires_right, forbids_impersonation],
        summary="Invite a person without an account",
        opt={ACT: CompanyAct.ALERTS, "malformed": InvalidRecipientError},
        responses=error_responses(
            *OWN_RIGHT_ERRORS,
            InvalidRecipientError,
            RecipientExistsError,
            RecipientLimitError,
            TooManyRequestsError,
        ),
    )
    async def add(
        self, data: JSONBody[RecipientIn], recipients: NamedDependency[RecipientService]
    ) -> RecipientOut:
        """Sends an invitation; the person gets no alerts before agreeing by its link."""
        return await recipients.add(data)

    @put(
        "/{recipient_id:uuid}",
        operation_id="changeAlertRecipient",
        guards=[requires_right, forbids_impersonation],
        opt={
            ACT: CompanyAct.ALERTS,
            USER_LIMIT: limits.ACCOUNT_CHANGES,
            "malformed": InvalidRecipientError,
        },
        responses=error_responses(
            *OWN_RIGHT_ERRORS, InvalidRecipientError, NotFoundError, TooManyRequestsError
        ),
    )
    async def change(
        self,
        recipient_id: FromPath[RecipientId],
        data: JSONBody[RecipientPatch],
        recipients: NamedDependency[RecipientService],
    ) -> RecipientOut:
        return await recipients.change(recipient_id, data)

    @post(
        "/{recipient_id:uuid}/invitation",
        operation_id="inviteAlertRecipient",
        opt={ACT: CompanyAct.ALERTS},
        guards=[requires_right, forbids_impersonation],
        summary="Send the invitation again; the link before becomes invalid",
        status_code=200,
        responses=error_responses(
            *OWN_RIGHT_ERRORS,
            NotFoundError,
            RecipientStoppedError,
            RecipientConfirmedError,
            TooManyRequestsError,
        ),
    )
    async def invite_again(
        self, recipient_id: FromPath[RecipientId], recipients: NamedDependency[RecipientService]
    ) -> RecipientOut:
        return await recipients.invite_again(recipient_id)

    @delete(
        "/{recipient_id:uuid}",
        operation_id="removeAlertRecipient",
        opt={ACT: CompanyAct.ALERTS},
        guards=[requires_right, forbids_impersonation],
        status_code=200,
        responses=error_responses(*OWN_RIGHT_ERRORS, NotFoundError),
    )
    async def remove(
        self, recipient_id: FromPath[RecipientId], recipients: NamedDependency[RecipientService]
    ) -> RemovedRecipientOut:
        await recipients.remove(recipient_id)
        return RemovedRecipientOut(id=recipient_id)


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
