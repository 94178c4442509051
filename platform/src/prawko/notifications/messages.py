"""Reads what a message says, and to whom, as both stand when it leaves.

A message of its own hangs on its notice. One that tells of many hangs on the instant at which
they were announced, written as an id: whichever of them is gone when it leaves (a driver who
was removed takes the notices along), it tells of the others.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.email_problems import EmailProblem
from prawko.base.texts import Language
from prawko.deliveries.composing import Due
from prawko.notifications.kinds import TOLD_TOGETHER, NoticeKind
from prawko_tenants.ids import DeliveryId, TenantId

_READ = text("""
    SELECT d.id, told.kind, told.params, u.language, u.email, u.email_verified,
           u.email_notifications_enabled AND u.email_state <> ALL (:switched_off) AS email_on,
           u.phone_number, u.phone_verified, u.sms_notifications_enabled AS sms_on
      FROM unnest(CAST(:ids AS uuid[]), CAST(:notice_ids AS uuid[]), CAST(:user_ids AS uuid[]),
                  CAST(:told_at AS timestamptz[])) AS d (id, notice_id, user_id, told_at)
     CROSS JOIN LATERAL (
           SELECT min(n.kind) AS kind, jsonb_agg(n.params ORDER BY n.id) AS params
             FROM (SELECT id, kind, params FROM notice
                    WHERE tenant_id = :tenant_id AND id = d.notice_id
                   UNION ALL
                   SELECT id, kind, params FROM notice
                    WHERE tenant_id = :tenant_id AND kind = ANY (:together)
                      AND created_at = d.told_at) AS n
           ) AS told
      JOIN membership m ON m.tenant_id = :tenant_id AND m.user_id = d.user_id
      JOIN user_account u ON u.id = m.user_id
     WHERE told.kind IS NOT NULL
""")
_SWITCHED_OFF = [problem.value for problem in EmailProblem]
_TOGETHER = [kind.value for kind in sorted(TOLD_TOGETHER)]
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def as_id(told_at: datetime) -> UUID:
    """The instant of an announcement as the id of all that was told together then."""
    return UUID(int=(told_at - _EPOCH) // timedelta(microseconds=1))


def as_instant(id_: UUID) -> datetime:
    """The instant back from its id."""
    return _EPOCH + timedelta(microseconds=id_.int)


class ForMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A notice, or several that are told together, beside the person they go to."""

    id: DeliveryId
    kind: NoticeKind
    params: list[dict[str, Any]]
    language: Language
    email: str
    email_verified: bool
    email_on: bool
    phone_number: str | None
    phone_verified: bool
    sms_on: bool


async def read_for_messages(
    session: AsyncSession, tenant_id: TenantId, due: Sequence[Due]
) -> list[ForMessage]:
    """The notices of a company's due messages, with their readers' addresses of now.

    The session is bound to the company.
    """
    rows = await session.execute(
        _READ,
        {
            "tenant_id": tenant_id,
            "together": _TOGETHER,
            "switched_off": _SWITCHED_OFF,
            "ids": [one.id for one in due],
            "notice_ids": [one.notice_id for one in due],
            "user_ids": [one.user_id for one in due],
            "told_at": [as_instant(one.subject_id) if one.subject_id else None for one in due],
        },
    )
    return [msgspec.convert(dict(row), ForMessage) for row in rows.mappings()]
