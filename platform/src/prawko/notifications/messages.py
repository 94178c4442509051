"""Reads what a message says, and to whom, as both stand when it leaves."""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.email_problems import EmailProblem
from prawko.base.texts import Language
from prawko.deliveries.composing import Due
from prawko.notifications.kinds import TOLD_TOGETHER, NoticeKind
from prawko_tenants.ids import DeliveryId, TenantId

# Notices of one announcement share its instant.
_READ = text("""
    SELECT d.id, n.kind, n.params, u.language, u.email, u.email_verified,
           u.email_notifications_enabled AND u.email_state <> ALL (:switched_off) AS email_on,
           u.phone_number, u.phone_verified,
           u.sms_notifications_enabled AS sms_on,
           CASE WHEN n.kind = ANY (:together) THEN
                (SELECT jsonb_agg(o.params ORDER BY o.id) FROM notice o
                  WHERE o.tenant_id = :tenant_id AND o.kind = n.kind
                    AND o.created_at = n.created_at AND o.id <> n.id) END AS beside
      FROM unnest(CAST(:ids AS uuid[]), CAST(:notice_ids AS uuid[]), CAST(:user_ids AS uuid[]))
           AS d (id, notice_id, user_id)
      JOIN notice n ON n.tenant_id = :tenant_id AND n.id = d.notice_id
      JOIN membership m ON m.tenant_id = :tenant_id AND m.user_id = d.user_id
      JOIN user_account u ON u.id = m.user_id
""")
_TOGETHER = [kind.value for kind in sorted(TOLD_TOGETHER)]
_SWITCHED_OFF = [problem.value for problem in EmailProblem]


class ForMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A notice, with those it is told together with, beside the person it goes to."""

    id: DeliveryId
    kind: NoticeKind
    params: dict[str, Any]
    beside: list[dict[str, Any]] | None
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
        },
    )
    return [msgspec.convert(dict(row), ForMessage) for row in rows.mappings()]
