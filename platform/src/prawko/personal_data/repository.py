"""SQL of retention: the rows, accounts and companies that are due, and their deletion."""

from datetime import UTC, date, datetime
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.personal_data.retention import COMPANY_RULES, GLOBAL_RULES, RetentionRule
from prawko_tenants.ids import TenantId, UserId
from prawko_tenants.sessions import TenantSession

BATCH_SIZE = 200

_DELETE_EXPIRED = {
    rule: text(f"DELETE FROM {rule.table} WHERE {rule.timestamp_sql} < :before")  # noqa: S608 (constants of ours)
    for rule in GLOBAL_RULES
} | {
    rule: text(
        f"DELETE FROM {rule.table} WHERE tenant_id = :tenant_id AND {rule.timestamp_sql} < :before"  # noqa: S608
    )
    for rule in COMPANY_RULES
}
_SELECT_COMPANIES = text("""
    SELECT tenant_id FROM membership WHERE tenant_id > :after
     GROUP BY tenant_id HAVING min(created_at) < :before ORDER BY tenant_id LIMIT :limit
""")
# An answer is deleted with the last verification of it, a state with its verification.
_RESET_OLD_STATES = text("""
    UPDATE driver SET status = 'unknown', latest = NULL, verified_at = NULL, asked_at_system = NULL
     WHERE tenant_id = :tenant_id AND verified_at < :before
""")
_DELETE_OLD_ANSWERS = text("""
    DELETE FROM register_answer a
     WHERE a.tenant_id = :tenant_id AND a.first_seen_at < :before
       AND NOT EXISTS (SELECT FROM verification v
                        WHERE v.tenant_id = a.tenant_id AND v.driver_id = a.driver_id
                          AND v.answer_id = a.id)
""")
_SELECT_COOPERATION_END = text("""
    SELECT greatest(t.created_at,
                    (SELECT max(s.end_date) FROM subscription s WHERE s.tenant_id = t.id),
                    (SELECT max(l.last_seen_at) FROM login_session l WHERE l.tenant_id = t.id),
                    (SELECT max(a.created_at) FROM membership m
                       JOIN user_activity a ON a.user_id = m.user_id AND a.tenant_id = t.id
                      WHERE m.tenant_id = t.id))
      FROM tenant t WHERE t.id = :tenant_id
""")
_SELECT_UNVERIFIED = text("""
    SELECT u.id, m.tenant_id,
           EXISTS (SELECT FROM membership o JOIN user_account c ON c.id = o.user_id
                    WHERE o.tenant_id = m.tenant_id AND c.id <> u.id
                      AND (c.email_verified OR c.created_at >= :before)) AS has_company
      FROM user_account u LEFT JOIN membership m ON m.user_id = u.id
     WHERE NOT u.email_verified AND NOT u.is_admin AND u.created_at < :before
     ORDER BY u.id LIMIT :limit
""")
_DELETE_UNVERIFIED = text("""
    DELETE FROM user_account WHERE id = :id AND NOT email_verified AND created_at < :before
""")
_LOCK_MEMBERS = text("""
    SELECT NOT u.email_verified AND NOT u.is_admin AND u.created_at < :before
      FROM membership m JOIN user_account u ON u.id = m.user_id
     WHERE m.tenant_id = :tenant_id
     ORDER BY u.id FOR UPDATE OF u
""")


class RetentionRepository:
    """Selects and deletes in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def purge_global_rows(self, rule: RetentionRule, before: datetime) -> int:
        """Apply a rule to a table that no company owns; return the number of deleted rows."""
        return await self._delete_expired(rule, {"before": before})

    async def purge_tenant_rows(
        self, tenant_id: TenantId, rule: RetentionRule, before: datetime
    ) -> int:
        """Apply a rule to the bound company's rows; return the number of deleted rows."""
        return await self._delete_expired(rule, {"tenant_id": tenant_id, "before": before})

    async def purge_old_results(self, tenant_id: TenantId, before: date) -> None:
        """Delete old answers without a verification, and reset states from old verifications."""
        params = {"tenant_id": tenant_id, "before": _midnight(before)}
        await self._session.execute(_RESET_OLD_STATES, params)
        await self._session.execute(_DELETE_OLD_ANSWERS, params)

    async def list_companies(self, after: UUID, before: datetime) -> list[TenantId]:
        """Return up to 200 companies that joined before `before`, with ids above `after`."""
        params = {"after": after, "before": before, "limit": BATCH_SIZE}
        return list(await self._session.scalars(_SELECT_COMPANIES, params))

    async def list_unverified(self, before: datetime) -> list[tuple[UserId, TenantId | None]]:
        """Return unverified accounts, each with its company if nobody else uses that."""
        params = {"before": before, "limit": BATCH_SIZE}
        rows = await self._session.execute(_SELECT_UNVERIFIED, params)
        return [(row.id, None if row.has_company else row.tenant_id) for row in rows]

    async def delete_unverified(self, user_id: UserId, before: datetime) -> None:
        """Delete an account if it is still unverified and that old."""
        await self._session.execute(_DELETE_UNVERIFIED, {"id": user_id, "before": before})

    async def lock_unverified(self, tenant_id: TenantId, before: datetime) -> bool:
        """Lock a company's members; False when one has verified or signed up again since."""
        params = {"tenant_id": tenant_id, "before": before}
        unverified = (await self._session.scalars(_LOCK_MEMBERS, params)).all()
        return bool(unverified) and all(unverified)

    async def _delete_expired(self, rule: RetentionRule, values: dict[str, object]) -> int:
        result = await self._session.execute(_DELETE_EXPIRED[rule], values)
        return int(result.rowcount)  # type: ignore[attr-defined]


async def load_cooperation_end(session: TenantSession) -> datetime | None:
    """Return when the bound company's cooperation ended: its last subscription end or activity."""
    ended_at: datetime | None = await session.scalar(
        _SELECT_COOPERATION_END, {"tenant_id": session.tenant_id}
    )
    return ended_at


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
