"""What a member may do with the own notifications, and how the member wants to be told."""

from datetime import datetime
from uuid import UUID

import msgspec

from prawko.accounts.activity import Act, Origin, note
from prawko.accounts.identity import Identity
from prawko.base.errors import NotFoundError
from prawko.base.pages import Page
from prawko.notifications.errors import PhoneUnverifiedError
from prawko.notifications.repository import Choices, ListedNotification, NotificationRepository
from prawko_tenants.sessions import TenantSession


class NotificationService:
    """The notifications of one member of one company."""

    def __init__(self, session: TenantSession, identity: Identity) -> None:
        self._session = session
        self._notifications = NotificationRepository(session)
        self._identity = identity
        self._user_id = identity.user_id

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

    async def mark_all_read(self) -> int:
        """Mark all as read; returns how many were not."""
        return await self._notifications.mark_all_read(self._user_id)

    async def remove(self, id_: UUID) -> None:
        """Take one out of the member's list. Refuses what is not the member's own."""
        if not await self._notifications.remove(self._user_id, id_):
            raise NotFoundError

    async def choose(
        self, *, email_on: bool, sms_on: bool, origin: Origin, now: datetime
    ) -> Choices:
        """Switch the channels. Refuses SMS without a verified phone.

        Who switches mails on says that the address works, whatever a carrier said of it.
        """
        before = await self._notifications.choices(self._user_id)
        if sms_on and not before.phone_verified:
            raise PhoneUnverifiedError(fields={"smsEnabled": "errors.phone_unverified"})
        state = "ok" if email_on else before.email_state
        after = msgspec.structs.replace(before, email_on=email_on, sms_on=sms_on, email_state=state)
        if after != before:
            await self._notifications.choose(
                self._user_id, email_on=email_on, sms_on=sms_on, now=now
            )
            await note(
                self._session, Act.SETTINGS_CHANGED, self._identity, origin, now,
                email=email_on, sms=sms_on,
            )  # fmt: skip
        return after
