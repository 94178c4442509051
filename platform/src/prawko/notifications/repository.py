"""SQL of notices and notifications, set by set: one statement for many drivers."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base.clock import machine_now
from prawko.base.pages import Page
from prawko.notifications.fanout import Member
from prawko.notifications.kinds import NoticeKind
from prawko_tenants.ids import (
    DriverId,
    NoticeId,
    NotificationId,
    TenantId,
    UserId,
    new_id,
)

_MEMBERS = text("""
    SELECT u.id AS user_id, u.language, u.email_verified, u.phone_verified,
           u.email_notifications_enabled AS email_on, u.sms_notifications_enabled AS sms_on
      FROM membership m JOIN user_account u ON u.id = m.user_id
     WHERE m.tenant_id = :tenant_id
     ORDER BY u.id
""")
_ADD_NOTICES = text("""
    INSERT INTO notice (tenant_id, id, kind, driver_id, dedup, params, created_at)
    SELECT :tenant_id, r.id, r.kind, r.driver_id, r.dedup, CAST(r.params AS jsonb), :now
      FROM unnest(CAST(:ids AS uuid[]), CAST(:kinds AS text[]), CAST(:driver_ids AS uuid[]),
                  CAST(:dedups AS text[]), CAST(:params AS text[]))
           AS r (id, kind, driver_id, dedup, params)
    ON CONFLICT (tenant_id, kind, dedup) DO NOTHING
    RETURNING id
""")
_ADD_NOTIFICATIONS = text("""
    INSERT INTO notification (tenant_id, id, user_id, notice_id, type, title, content, created_at)
    SELECT :tenant_id, r.*, :now
      FROM unnest(CAST(:ids AS uuid[]), CAST(:user_ids AS uuid[]), CAST(:notice_ids AS uuid[]),
                  CAST(:types AS text[]), CAST(:titles AS text[]), CAST(:contents AS text[])) AS r
""")
_LIST = text("""
    SELECT id, type, title, content, read, created_at FROM notification
     WHERE user_id = :user_id ORDER BY created_at DESC, id DESC LIMIT :size OFFSET :offset
""")
_COUNT = text("SELECT count(*) FROM notification WHERE user_id = :user_id")
_READ = text("""
    UPDATE notification SET read = true WHERE user_id = :user_id AND id = :id
    RETURNING id, type, title, content, read, created_at
""")
_READ_ALL = text("UPDATE notification SET read = true WHERE user_id = :user_id AND NOT read")
_REMOVE = text("DELETE FROM notification WHERE user_id = :user_id AND id = :id RETURNING id")
_CHOICES = text("""
    SELECT email_notifications_enabled AS email_on, sms_notifications_enabled AS sms_on,
           phone_number, phone_verified, email_state
      FROM user_account WHERE id = :user_id FOR NO KEY UPDATE
""")
# Who asks for mails says with it that the address works: older reports count for nothing.
_CHOOSE = text("""
    UPDATE user_account
       SET email_notifications_enabled = :email_on, sms_notifications_enabled = :sms_on,
           email_state = CASE WHEN :email_on THEN 'ok' ELSE email_state END,
           email_state_reason = CASE WHEN :email_on THEN NULL ELSE email_state_reason END,
           email_trusted_at = CASE WHEN :email_on THEN :machine_now ELSE email_trusted_at END,
           updated_at = :now
     WHERE id = :user_id
""")


class NewNotice(msgspec.Struct, frozen=True, kw_only=True):
    """A notice about to be written; `params` is JSON."""

    id: NoticeId
    kind: NoticeKind
    driver_id: DriverId | None
    dedup: str
    params: str


class NewNotification(msgspec.Struct, frozen=True, kw_only=True):
    """A notice for one member's list."""

    user_id: UserId
    notice_id: NoticeId
    type: str
    title: str
    content: str


class ListedNotification(msgspec.Struct, frozen=True, kw_only=True):
    """A notification as its reader sees it."""

    id: NotificationId
    type: str
    title: str
    content: str
    read: bool
    created_at: datetime


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """By which channels a person wants to be told, and what stands in the way."""

    email_on: bool
    sms_on: bool
    phone_number: str | None
    phone_verified: bool
    email_state: str


class NotificationRepository:
    """Reads and writes under the company that the session is bound to."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def members(self, tenant_id: TenantId) -> list[Member]:
        """The people of a company."""
        rows = await self._session.execute(_MEMBERS, {"tenant_id": tenant_id})
        return [msgspec.convert(dict(row), Member) for row in rows.mappings()]

    async def add_notices(
        self, tenant_id: TenantId, notices: Sequence[NewNotice], now: datetime
    ) -> set[NoticeId]:
        """Add the notices that are new; returns which were."""
        rows = await self._session.scalars(
            _ADD_NOTICES,
            {
                "tenant_id": tenant_id,
                "now": now,
                "ids": [notice.id for notice in notices],
                "kinds": [notice.kind.value for notice in notices],
                "driver_ids": [notice.driver_id for notice in notices],
                "dedups": [notice.dedup for notice in notices],
                "params": [notice.params for notice in notices],
            },
        )
        return {NoticeId(id_) for id_ in rows}

    async def add_notifications(
        self, tenant_id: TenantId, added: Sequence[NewNotification], now: datetime
    ) -> None:
        """Put notices into the members' lists."""
        await self._session.execute(
            _ADD_NOTIFICATIONS,
            {
                "tenant_id": tenant_id,
                "now": now,
                "ids": [new_id() for _ in added],
                "user_ids": [one.user_id for one in added],
                "notice_ids": [one.notice_id for one in added],
                "types": [one.type for one in added],
                "titles": [one.title for one in added],
                "contents": [one.content for one in added],
            },
        )

    async def newest(self, user_id: UserId, page: Page) -> list[ListedNotification]:
        """A page of a member's notifications, newest first."""
        rows = await self._session.execute(
            _LIST, {"user_id": user_id, "size": page.size, "offset": page.offset}
        )
        return [msgspec.convert(dict(row), ListedNotification) for row in rows.mappings()]

    async def count(self, user_id: UserId) -> int:
        """How many notifications a member has."""
        return int(await self._session.scalar(_COUNT, {"user_id": user_id}) or 0)

    async def mark_read(self, user_id: UserId, id_: UUID) -> ListedNotification | None:
        """Mark a member's own notification; None when it is somebody else's, or none at all."""
        row = (await self._session.execute(_READ, {"user_id": user_id, "id": id_})).mappings()
        found = row.first()
        return msgspec.convert(dict(found), ListedNotification) if found else None

    async def mark_all_read(self, user_id: UserId) -> int:
        """Mark all of a member's; returns how many were unread."""
        marked = await self._session.execute(_READ_ALL, {"user_id": user_id})
        return int(marked.rowcount)  # type: ignore[attr-defined]

    async def remove(self, user_id: UserId, id_: UUID) -> bool:
        """Remove a member's own notification; False when there is none such."""
        removed = await self._session.scalar(_REMOVE, {"user_id": user_id, "id": id_})
        return removed is not None

    async def choices(self, user_id: UserId) -> Choices:
        """What a person chose, held until the transaction ends."""
        row = (await self._session.execute(_CHOICES, {"user_id": user_id})).mappings().one()
        return msgspec.convert(dict(row), Choices)

    async def choose(self, user_id: UserId, *, email_on: bool, sms_on: bool, now: datetime) -> None:
        """Keep what a person chose."""
        await self._session.execute(
            _CHOOSE,
            {
                "user_id": user_id, "email_on": email_on, "sms_on": sms_on, "now": now,
                "machine_now": machine_now(),
            },
        )  # fmt: skip
