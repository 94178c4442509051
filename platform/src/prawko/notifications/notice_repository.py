"""Set-based statements of notices: one for all members and many drivers."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.notifications.fanout import Member
from prawko.notifications.kinds import NoticeKind
from prawko_tenants.ids import DriverId, NoticeId, TenantId, UserId, new_id

_SELECT_MEMBERS = text("""
    SELECT u.id AS user_id, u.language, u.email_verified, u.phone_verified,
           u.email_notifications_enabled AS email_on, u.sms_notifications_enabled AS sms_on
      FROM membership m JOIN user_account u ON u.id = m.user_id
     WHERE m.tenant_id = :tenant_id
     ORDER BY u.id
""")
_ADD_NOTICES = text("""
    INSERT INTO notice (tenant_id, id, kind, driver_id, dedup_key, params, created_at)
    SELECT :tenant_id, r.id, r.kind, r.driver_id, r.dedup_key, CAST(r.params AS jsonb), :now
      FROM unnest(CAST(:ids AS uuid[]), CAST(:kinds AS text[]), CAST(:driver_ids AS uuid[]),
                  CAST(:dedup_keys AS text[]), CAST(:params AS text[]))
           AS r (id, kind, driver_id, dedup_key, params)
    ON CONFLICT (tenant_id, kind, dedup_key) DO NOTHING
    RETURNING id
""")
_ADD_NOTIFICATIONS = text("""
    INSERT INTO notification (tenant_id, id, user_id, notice_id, type, title, content, created_at)
    SELECT :tenant_id, r.*, :now
      FROM unnest(CAST(:ids AS uuid[]), CAST(:user_ids AS uuid[]), CAST(:notice_ids AS uuid[]),
                  CAST(:types AS text[]), CAST(:titles AS text[]), CAST(:contents AS text[])) AS r
""")


class NewNotice(msgspec.Struct, frozen=True, kw_only=True):
    """A notice to insert; `params` is JSON."""

    id: NoticeId
    kind: NoticeKind
    driver_id: DriverId | None
    dedup_key: str
    params: str


class NewNotification(msgspec.Struct, frozen=True, kw_only=True):
    """A notification to insert."""

    user_id: UserId
    notice_id: NoticeId
    type: str
    title: str
    content: str


class NoticeRepository:
    """Reads members and inserts notices in the caller's transaction, bound to a company."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_members(self, tenant_id: TenantId) -> list[Member]:
        """Return the members of a company."""
        rows = await self._session.execute(_SELECT_MEMBERS, {"tenant_id": tenant_id})
        return [msgspec.convert(dict(row), Member) for row in rows.mappings()]

    async def add_notices(
        self, tenant_id: TenantId, notices: Sequence[NewNotice], now: datetime
    ) -> set[NoticeId]:
        """Insert the notices that are new and return their ids."""
        rows = await self._session.scalars(
            _ADD_NOTICES,
            {
                "tenant_id": tenant_id,
                "now": now,
                "ids": [notice.id for notice in notices],
                "kinds": [notice.kind.value for notice in notices],
                "driver_ids": [notice.driver_id for notice in notices],
                "dedup_keys": [notice.dedup_key for notice in notices],
                "params": [notice.params for notice in notices],
            },
        )
        return {NoticeId(id_) for id_ in rows}

    async def add_notifications(
        self, tenant_id: TenantId, notifications: Sequence[NewNotification], now: datetime
    ) -> None:
        """Insert notifications."""
        await self._session.execute(
            _ADD_NOTIFICATIONS,
            {
                "tenant_id": tenant_id,
                "now": now,
                "ids": [new_id() for _ in notifications],
                "user_ids": [one.user_id for one in notifications],
                "notice_ids": [one.notice_id for one in notifications],
                "types": [one.type for one in notifications],
                "titles": [one.title for one in notifications],
                "contents": [one.content for one in notifications],
            },
        )
