"""Notifications over HTTP (spec, section 7)."""

from uuid import UUID

import msgspec
from litestar import Controller, Response, delete, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from prawko.accounts.activity import Origin
from prawko.accounts.email_problems import email_problem
from prawko.accounts.guards import in_person, verified_email
from prawko.accounts.identity import Identity
from prawko.base.clock import Clock
from prawko.base.errors import (
    AuthForbiddenError,
    AuthRequiredError,
    BadRequestError,
    EmailUnverifiedError,
    NotFoundError,
    TooManyRequestsError,
)
from prawko.base.jobs import Tools
from prawko.base.pages import Page
from prawko.base.refusals import refusals
from prawko.base.texts import Language, say
from prawko.notifications import phone
from prawko.notifications.errors import (
    InvalidPhoneCodeError,
    InvalidPhoneError,
    MalformedPhoneCodeError,
    PhoneUnverifiedError,
    SmsUnavailableError,
)
from prawko.notifications.phone_verification import PhoneVerification
from prawko.notifications.schemas import (
    MarkedRead,
    NotificationOut,
    PhoneCodeIn,
    PhoneCodeSent,
    PhoneIn,
    PhoneVerified,
    RemovedNotification,
    SettingsIn,
    SettingsOut,
)
from prawko.notifications.service import NotificationService
from prawko_tenants.ids import NotificationId
from prawko_tenants.sessions import TenantSession


def provide_notifications(
    session: NamedDependency[TenantSession], identity: NamedDependency[Identity]
) -> NotificationService:
    """The caller's own notifications."""
    return NotificationService(session, identity)


class NotificationController(Controller):
    """What a member was told, and how the member wants to be told."""

    path = "/api/notifications"
    tags = ("Notifications",)
    guards = (verified_email,)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "notifications": Provide(provide_notifications, sync_to_thread=False)
    }

    @get(
        operation_id="listNotifications",
        summary="List the caller's notifications, newest first",
        responses=refusals(AuthRequiredError, EmailUnverifiedError),
    )
    async def index(
        self, notifications: NamedDependency[NotificationService], window: NamedDependency[Page]
    ) -> Response[list[NotificationOut]]:
        """A page of them; `Content-Range` tells the total."""
        rows, total = await notifications.newest(window)
        return Response(
            msgspec.convert(rows, list[NotificationOut], from_attributes=True),
            headers={"Content-Range": window.content_range("notifications", len(rows), total)},
        )

    @post(
        "/{notification_id:uuid}/read",
        operation_id="readNotification",
        summary="Mark a notification as read",
        status_code=200,
        responses=refusals(AuthRequiredError, EmailUnverifiedError, NotFoundError),
    )
    async def read(
        self,
        notification_id: FromPath[UUID],
        notifications: NamedDependency[NotificationService],
    ) -> NotificationOut:
        """Mark it; marking it again changes nothing."""
        marked = await notifications.mark_read(notification_id)
        return msgspec.convert(marked, NotificationOut, from_attributes=True)

    @post(
        "/read-all",
        operation_id="readAllNotifications",
        summary="Mark all of the caller's notifications as read",
        status_code=200,
        responses=refusals(AuthRequiredError, EmailUnverifiedError),
    )
    async def read_all(self, notifications: NamedDependency[NotificationService]) -> MarkedRead:
        return MarkedRead(ok=True, count=await notifications.mark_all_read())

    @delete(
        "/{notification_id:uuid}",
        operation_id="removeNotification",
        summary="Take a notification out of the caller's list",
        status_code=200,
        responses=refusals(AuthRequiredError, EmailUnverifiedError, NotFoundError),
    )
    async def remove(
        self,
        notification_id: FromPath[UUID],
        notifications: NamedDependency[NotificationService],
    ) -> RemovedNotification:
        await notifications.remove(notification_id)
        return RemovedNotification(id=NotificationId(notification_id))

    @put(
        "/settings",
        operation_id="setNotificationSettings",
        summary="Choose the channels",
        responses=refusals(
            AuthRequiredError, EmailUnverifiedError, BadRequestError, PhoneUnverifiedError
        ),
    )
    async def choose(
        self,
        data: JSONBody[SettingsIn],
        notifications: NamedDependency[NotificationService],
        origin: NamedDependency[Origin],
        clock: NamedDependency[Clock],
    ) -> SettingsOut:
        """Mails switched on clear what a provider reported of the address."""
        chosen = await notifications.choose(
            email_on=data.email_enabled, sms_on=data.sms_enabled, origin=origin, now=clock.now()
        )
        return SettingsOut(
            email_enabled=chosen.email_on,
            sms_enabled=chosen.sms_on,
            phone_number=chosen.phone_number,
            phone_verified=chosen.phone_verified,
            email_problem=email_problem(chosen.email_state),
        )

    @post(
        "/send-verification-sms",
        operation_id="sendPhoneCode",
        summary="Send a code to a phone",
        status_code=200,
        guards=[in_person],
        opt={"malformed": InvalidPhoneError},
        responses=refusals(
            AuthRequiredError,
            EmailUnverifiedError,
            AuthForbiddenError,
            InvalidPhoneError,
            TooManyRequestsError,
            SmsUnavailableError,
        ),
    )
    async def send_code(
        self,
        data: JSONBody[PhoneIn],
        identity: NamedDependency[Identity],
        tools: NamedDependency[Tools],
        origin: NamedDependency[Origin],
        spoken: NamedDependency[Language],
    ) -> PhoneCodeSent:
        """The number is the caller's from now on; another one than before is unverified."""
        await PhoneVerification(tools).send_code(identity, data.phone_number, origin)
        return PhoneCodeSent(
            ok=True,
            message=say("phone.code_sent", spoken),
            resend_after=int(phone.RESEND_AFTER.total_seconds()),
        )

    @post(
        "/verify-sms",
        operation_id="verifyPhone",
        summary="Prove a phone with the code of the SMS",
        status_code=200,
        guards=[in_person],
        opt={"malformed": MalformedPhoneCodeError},
        responses=refusals(
            AuthRequiredError,
            EmailUnverifiedError,
            AuthForbiddenError,
            MalformedPhoneCodeError,
            InvalidPhoneCodeError,
        ),
    )
    async def verify_phone(
        self,
        data: JSONBody[PhoneCodeIn],
        identity: NamedDependency[Identity],
        tools: NamedDependency[Tools],
        origin: NamedDependency[Origin],
        spoken: NamedDependency[Language],
    ) -> PhoneVerified:
        number = await PhoneVerification(tools).verify(identity, data.code, origin)
        return PhoneVerified(ok=True, message=say("phone.verified", spoken), phone_number=number)
