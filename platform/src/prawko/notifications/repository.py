"""The notifications of members, the channels they chose, and their browsers for push messages."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from advanced_alchemy.filters import OrderBy
from sqlalchemy import ColumnElement, and_, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.models import LoginSession, UserAccount
from prawko.kit.clock import utc_now
from prawko.kit.database import Pagination, Repository, limit_offset
from prawko.notifications.catalogue import NoticeKind, decode_payload
from prawko.notifications.models import Notice, Notification, PushBrowser
from prawko.notifications.payloads import NoticePayload
from prawko_tenants.ids import DriverId, NoticeId, SessionId, UserId


class StoredNotice(msgspec.Struct, frozen=True):
    """The notice of a notification."""

    kind: NoticeKind
    driver_id: DriverId | None
    payload: NoticePayload


class NotificationRepository(Repository[Notification]):
    """Reads and writes notifications in the caller's transaction, bound to a company."""

    model_type = Notification

    async def list_newest(
        self, user_id: UserId, pagination: Pagination, hidden: Collection[str], *, unread_only: bool
    ) -> tuple[Sequence[Notification], int]:
        """Return a page of a member's notifications, newest first, and the total.

        Those of `hidden` types are left out.
        """
        criteria = [Notification.read.is_(False)] if unread_only else []
        return await self.get_many_and_count(
            *criteria,
            *_is_shown(hidden),
            limit_offset(pagination),
            OrderBy("created_at", "desc"),
            OrderBy("id", "desc"),
            user_id=user_id,
            count_with_window_function=False,  # a page behind the last has a total, too
        )

    async def mark_read(
        self, user_id: UserId, notification_id: UUID, hidden: Collection[str]
    ) -> Notification | None:
        """Mark a member's notification as read; None when the member sees none with that id."""
        statement = (
            update(Notification)
            .where(
                Notification.user_id == user_id,
                Notification.id == notification_id,
                *_is_shown(hidden),
            )
            .values(read=True)
            .returning(Notification)
        )
        return await self.session.scalar(statement)

    async def load_notices(
        self, notice_ids: Collection[NoticeId | None]
    ) -> dict[NoticeId | None, StoredNotice]:
        """Return the notices with these ids that still exist, and whose kind is known here."""
        is_readable = Notice.id.in_(notice_ids) & Notice.kind.in_(NoticeKind)
        notices = await self.session.scalars(select(Notice).where(is_readable))
        return {
            NoticeId(notice.id): StoredNotice(
                kind := NoticeKind(notice.kind),
                notice.driver_id,
                decode_payload(kind, notice.params),
            )
            for notice in notices
        }

    async def mark_all_read(self, user_id: UserId) -> int:
        """Mark all of a member's notifications as read; return how many were unread."""
        statement = (
            update(Notification)
            .where(Notification.user_id == user_id, Notification.read.is_(False))
            .values(read=True)
            .returning(Notification.id)
        )
        return len((await self.session.scalars(statement)).all())

    async def mark_acted_on(
        self, user_id: UserId, episodes: Collection[tuple[DriverId, datetime]]
    ) -> None:
        """Mark a member's notifications of drivers as read, each since the begin of an episode."""
        begun = or_(
            *(and_(Notice.driver_id == one, Notice.created_at >= at) for one, at in episodes)
        )
        await self.session.execute(
            update(Notification)
            .where(
                Notification.user_id == user_id,
                Notification.notice_id == Notice.id,
                Notification.read.is_(False),
                begun,
            )
            .values(read=True)
        )

    async def delete_own(self, user_id: UserId, notification_id: UUID) -> bool:
        """Delete a member's notification; False when the member has none with that id."""
        statement = (
            delete(Notification)
            .where(Notification.user_id == user_id, Notification.id == notification_id)
            .returning(Notification.id)
        )
        return await self.session.scalar(statement) is not None


def _is_shown(hidden: Collection[str]) -> list[ColumnElement[bool]]:
    return [Notification.type.not_in(hidden)] if hidden else []


class ChannelPreferences(msgspec.Struct, frozen=True, kw_only=True):
    """The channels that a person chose, and the states of phone and address."""

    email_on: bool
    sms_on: bool
    phone_number: str | None
    phone_verified: bool
    email_state: str


class PreferenceRepository:
    """Reads and writes preferences in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def lock(self, user_id: UserId) -> ChannelPreferences:
        """Return a person's preferences, locked until the transaction ends."""
        row = await self._session.execute(
            select(
                UserAccount.email_notifications_enabled.label("email_on"),
                UserAccount.sms_notifications_enabled.label("sms_on"),
                UserAccount.phone_number,
                UserAccount.phone_verified,
                UserAccount.email_state,
            )
            .where(UserAccount.id == user_id)
            .with_for_update(key_share=True)
        )
        return msgspec.convert(dict(row.mappings().one()), ChannelPreferences)

    async def save(
        self,
        user_id: UserId,
        *,
        email_on: bool,
        sms_on: bool,
        is_address_confirmed: bool,
        now: datetime,
    ) -> None:
        """Store a person's preferences.

        Switching mails on confirms the address: reports of earlier mails are ignored.
        """
        values = {
            UserAccount.email_notifications_enabled: email_on,
            UserAccount.sms_notifications_enabled: sms_on,
            UserAccount.updated_at: now,
        }
        if is_address_confirmed:
            values |= {
                UserAccount.email_state: "ok",
                UserAccount.email_state_reason: None,
                UserAccount.email_trusted_at: utc_now(),
            }
        await self._session.execute(
            update(UserAccount).where(UserAccount.id == user_id).values(values)
        )


def has_lasting_session() -> ColumnElement[bool]:
    """Return the condition that the browser's session was not revoked; it may have expired."""
    return (
        select(LoginSession.id)
        .where(LoginSession.id == PushBrowser.session_id, LoginSession.revoked_at.is_(None))
        .exists()
    )


class PushBrowserRepository(Repository[PushBrowser]):
    """Reads and writes the browsers of a company's members."""

    model_type = PushBrowser

    async def list_of(self, user_id: UserId) -> Sequence[tuple[PushBrowser, bool]]:
        """Return a member's browsers, the newest first, and whether each gets messages now."""
        rows = await self.session.execute(
            select(PushBrowser, has_lasting_session())
            .where(PushBrowser.user_id == user_id)
            .order_by(PushBrowser.id.desc())
        )
        return [(row, is_active) for row, is_active in rows]

    async def count_of(self, user_id: UserId) -> int:
        """Return the number of a member's browsers."""
        statement = select(func.count()).where(PushBrowser.user_id == user_id)
        return (await self.session.scalars(statement)).one()

    async def renew(
        self, user_id: UserId, endpoint: str, server_key: str, *, session_id: SessionId, agent: str
    ) -> PushBrowser | None:
        """Bind a member's browser to a session; None for one that is not known under this key."""
        statement = (
            update(PushBrowser)
            .where(
                PushBrowser.user_id == user_id,
                PushBrowser.endpoint == endpoint,
                PushBrowser.server_key == server_key,
            )
            .values(session_id=session_id, agent=agent)
            .returning(PushBrowser)
        )
        return await self.session.scalar(statement)

    async def remove_endpoint(self, user_id: UserId, endpoint: str) -> None:
        """Delete a member's browser, if it is known."""
        await self.session.execute(
            delete(PushBrowser).where(
                PushBrowser.user_id == user_id, PushBrowser.endpoint == endpoint
            )
        )

    async def remove_own(self, user_id: UserId, browser_id: UUID) -> bool:
        """Delete a member's browser; False when the member has none with that id."""
        statement = (
            delete(PushBrowser)
            .where(PushBrowser.user_id == user_id, PushBrowser.id == browser_id)
            .returning(PushBrowser.id)
        )
        return await self.session.scalar(statement) is not None

    async def remove(self, browser_id: UUID | None) -> None:
        """Delete a browser of the company that its push service no longer knows."""
        await self.session.execute(delete(PushBrowser).where(PushBrowser.id == browser_id))
