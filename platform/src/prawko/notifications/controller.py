"""HTTP calls of notifications (docs/rules.md P16, P19)."""

from uuid import UUID

from litestar import Controller, Response, delete, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery, JSONBody

from prawko import limits
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.email_address import to_email_problem
from prawko.accounts.errors import PhoneUnverifiedError
from prawko.accounts.guards import (
    OWN_SESSION_ERRORS,
    VERIFIED_EMAIL_ERRORS,
    forbids_impersonation,
    requires_verified_email,
)
from prawko.kit.clock import Clock
from prawko.kit.context import AppContext
from prawko.kit.database import Pagination
from prawko.kit.errors import BadRequestError, NotFoundError, TooManyRequestsError
from prawko.kit.http.error_responses import error_responses
from prawko.kit.text.i18n import Language
from prawko.limits import USER_LIMIT
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.schemas import (
    MarkedReadOut,
    NotificationOut,
    NotificationSettingsIn,
    NotificationSettingsOut,
    RemovedNotificationOut,
    TestAlertOut,
)
from prawko.notifications.service import NotificationService, publish_test_alert
from prawko_tenants.ids import NotificationId
from prawko_tenants.sessions import TenantSession


def provide_notification_service(
    session: NamedDependency[TenantSession], identity: NamedDependency[Identity]
) -> NotificationService:
    """Return the service for the caller's notifications."""
    return NotificationService(session, identity)


class NotificationController(Controller):
    """The caller's notifications and channels."""

    path = "/api/notifications"
    tags = ("Notifications",)
    guards = (requires_verified_email,)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "notifications": Provide(provide_notification_service, sync_to_thread=False)
    }

    @get(
        operation_id="listNotifications",
        summary="List the caller's notifications, newest first",
        responses=error_responses(*VERIFIED_EMAIL_ERRORS),
    )
    async def list_notifications(
        self,
        notifications: NamedDependency[NotificationService],
        pagination: NamedDependency[Pagination],
        language: NamedDependency[Language],
        *,
        unread: FromQuery[bool] = False,
    ) -> Response[list[NotificationOut]]:
        """Return one page, of all or of the unread; `Content-Range` has the total."""
        rows, total = await notifications.list_newest(pagination, language, unread_only=unread)
        return Response(
            rows,
            headers={"Content-Range": pagination.content_range("notifications", len(rows), total)},
        )

    @post(
        "/{notification_id:uuid}/read",
        operation_id="readNotification",
        summary="Mark a notification as read",
        status_code=200,
        responses=error_responses(*VERIFIED_EMAIL_ERRORS, NotFoundError),
    )
    async def mark_read(
        self,
        notification_id: FromPath[UUID],
        notifications: NamedDependency[NotificationService],
        language: NamedDependency[Language],
    ) -> NotificationOut:
        """Marks the notification as read; idempotent."""
        return await notifications.mark_read(notification_id, language)

    @post(
        "/read-all",
        operation_id="readAllNotifications",
        summary="Mark all of the caller's notifications as read",
        status_code=200,
        responses=error_responses(*VERIFIED_EMAIL_ERRORS),
    )
    async def mark_all_read(
        self, notifications: NamedDependency[NotificationService]
    ) -> MarkedReadOut:
        return MarkedReadOut(ok=True, count=await notifications.mark_all_read())

    @delete(
        "/{notification_id:uuid}",
        operation_id="removeNotification",
        guards=[forbids_impersonation],
        summary="Remove a notification from the caller's list",
        status_code=200,
        responses=error_responses(*OWN_SESSION_ERRORS, NotFoundError),
    )
    async def remove_notification(
        self, notification_id: FromPath[UUID], notifications: NamedDependency[NotificationService]
    ) -> RemovedNotificationOut:
        await notifications.delete(notification_id)
        return RemovedNotificationOut(id=NotificationId(notification_id))

    @post(
        "/test",
        operation_id="sendTestAlert",
        guards=[forbids_impersonation],
        opt={USER_LIMIT: limits.TEST_ALERTS},
        summary="Send the caller what a withheld licence would, about a driver who does not exist",
        status_code=200,
        responses=error_responses(*OWN_SESSION_ERRORS, TooManyRequestsError),
    )
    async def send_test_alert(
        self,
        session: NamedDependency[TenantSession],
        identity: NamedDependency[Identity],
        context: NamedDependency[AppContext],
    ) -> TestAlertOut:
        policy = ChannelPolicy.from_settings(context.settings)
        media = await publish_test_alert(
            session, identity.user_id, policy=policy, now=context.clock.now()
        )
        return TestAlertOut(media=media)

    @put(
        "/settings",
        operation_id="setNotificationSettings",
        opt={USER_LIMIT: limits.ACCOUNT_CHANGES},
        summary="Choose the channels",
        responses=error_responses(
            *VERIFIED_EMAIL_ERRORS, BadRequestError, PhoneUnverifiedError, TooManyRequestsError
        ),
    )
    async def change_settings(
        self,
        data: JSONBody[NotificationSettingsIn],
        notifications: NamedDependency[NotificationService],
        client: NamedDependency[ClientInfo],
        clock: NamedDependency[Clock],
    ) -> NotificationSettingsOut:
        """Absent fields keep their value. Switching mails on clears what a carrier reported."""
        preferences = await notifications.change_preferences(data, client, clock.now())
        return NotificationSettingsOut(
            email_enabled=preferences.email_on,
            sms_enabled=preferences.sms_on,
            phone_number=preferences.phone_number,
            phone_verified=preferences.phone_verified,
            email_problem=to_email_problem(preferences.email_state),
        )
