"""The notifications of members."""

from collections.abc import Sequence
from uuid import UUID

from advanced_alchemy.filters import OrderBy
from sqlalchemy import delete, update

from prawko.base.pagination import Pagination
from prawko.base.repository import Repository, limit_offset
from prawko.notifications.models import Notification
from prawko_tenants.ids import UserId


class NotificationRepository(Repository[Notification]):
    """Reads and writes notifications in the caller's transaction, bound to a company."""

    model_type = Notification

    async def list_newest(
        self, user_id: UserId, pagination: Pagination
    ) -> tuple[Sequence[Notification], int]:
        """Return a page of a member's notifications, newest first, and the total."""
        return await self.get_many_and_count(
            limit_offset(pagination),
            OrderBy("created_at", "desc"),
            OrderBy("id", "desc"),
            user_id=user_id,
            count_with_window_function=False,  # a page behind the last has a total, too
        )

    async def mark_read(self, user_id: UserId, notification_id: UUID) -> Notification | None:
        """Mark a member's notification as read; None when the member has none with that id."""
        statement = (
            update(Notification)
            .where(Notification.user_id == user_id, Notification.id == notification_id)
            .values(read=True)
            .returning(Notification)
        )
        return await self.session.scalar(statement)

    async def mark_all_read(self, user_id: UserId) -> int:
        """Mark all of a member's notifications as read; return how many were unread."""
        statement = (
            update(Notification)
            .where(Notification.user_id == user_id, Notification.read.is_(False))
            .values(read=True)
            .returning(Notification.id)
        )
        return len((await self.session.scalars(statement)).all())

    async def delete_own(self, user_id: UserId, notification_id: UUID) -> bool:
        """Delete a member's notification; False when the member has none with that id."""
        statement = (
            delete(Notification)
            .where(Notification.user_id == user_id, Notification.id == notification_id)
            .returning(Notification.id)
        )
        return await self.session.scalar(statement) is not None
