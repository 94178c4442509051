"""Notifications over HTTP."""

from uuid import UUID

import msgspec
from litestar import Controller, Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from prawko.accounts.guards import verified_email
from prawko.accounts.identity import Identity
from prawko.base.errors import AuthRequiredError, EmailUnverifiedError, NotFoundError
from prawko.base.pages import Page
from prawko.base.refusals import refusals
from prawko.notifications.schemas import NotificationOut
from prawko.notifications.service import NotificationService
from prawko_tenants.sessions import TenantSession


async def provide_notifications(
    session: NamedDependency[TenantSession], identity: NamedDependency[Identity]
) -> NotificationService:
    """The caller's own notifications."""
    return NotificationService(session, identity.user_id)


class NotificationController(Controller):
    """What a member was told."""

    path = "/api/notifications"
    tags = ("Notifications",)
    guards = (verified_email,)
    dependencies = {"notifications": Provide(provide_notifications)}  # noqa: RUF012

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
