"""What a member may do with the own notifications."""

from uuid import UUID

from prawko.base.errors import NotFoundError
from prawko.base.pages import Page
from prawko.notifications.repository import ListedNotification, NotificationRepository
from prawko_tenants.ids import UserId
from prawko_tenants.sessions import TenantSession


class NotificationService:
    """The notifications of one member of one company."""

    def __init__(self, session: TenantSession, user_id: UserId) -> None:
        self._notifications = NotificationRepository(session)
        self._user_id = user_id

    async def newest(self, page: Page) -> tuple[list[ListedNotification], int]:
        """A page of the list, newest first, and how many there are in all."""
        total = await self._notifications.count(self._user_id)
        return await self._notifications.newest(self._user_id, page), total

    async def mark_read(self, id_: UUID) -> ListedNotification:
        """Mark one as read; again changes nothing. Refuses what is not the member's own."""
        marked = await self._notifications.mark_read(self._user_id, id_)
        if marked is None:
            raise NotFoundError
        return marked
