"""SQL of forgetting: what is due, and its end."""

from datetime import UTC, date, datetime
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.personal_data.retention import OF_A_COMPANY, OF_NOBODY, Rule
from prawko_tenants.ids import TenantId, UserId
from prawko_tenants.sessions import TenantSession

COMPANIES_AT_ONCE = 200

_FORGET = {
    rule: text(f"DELETE FROM {rule.table} WHERE {rule.since} < :before")  # noqa: S608 (our own)
    for rule in OF_NOBODY
} | {
    rule: text(
        f"DELETE FROM {rule.table} WHERE tenant_id = :tenant_id AND {rule.since} < :before"  # noqa: S608
    )
    for rule in OF_A_COMPANY
}
_COMPANIES = text("""
    SELECT tenant_id FROM membership WHERE tenant_id > :after
     GROUP BY tenant_id HAVING min(created_at) < :before ORDER BY tenant_id LIMIT :most
""")
# An answer goes with the last check that points to it, a state with the check it comes from.
_OLD_STATES = text("""
    UPDATE driver SET status = 'unknown', latest = NULL, verified_at = NULL, asked_at = NULL
     WHERE tenant_id = :tenant_id AND verified_at < :before
""")
_OLD_ANSWERS = text("""
    DELETE FROM register_answer a
     WHERE a.tenant_id = :tenant_id AND a.first_seen_at < :before
       AND NOT EXISTS (SELECT FROM verification v
                        WHERE v.tenant_id = a.tenant_id AND v.driver_id = a.driver_id
                          AND v.answer_id = a.id)
""")
_ENDED = text("""
    SELECT greatest(t.created_at,
                    (SELECT max(s.end_date) FROM subscription s WHERE s.tenant_id = t.id),
                    (SELECT max(l.last_seen_at) FROM login_session l WHERE l.tenant_id = t.id),
                    (SELECT max(a.created_at) FROM membership m
                       JOIN user_activity a ON a.user_id = m.user_id AND a.tenant_id = t.id
                      WHERE m.tenant_id = t.id))
      FROM tenant t WHERE t.id = :tenant_id
""")
_UNVERIFIED = text("""
    SELECT u.id, m.tenant_id,
           EXISTS (SELECT FROM membership o JOIN user_account c ON c.id = o.user_id
                    WHERE o.tenant_id = m.tenant_id AND c.id <> u.id
                      AND (c.email_verified OR c.created_at >= :before)) AS has_company
      FROM user_account u LEFT JOIN membership m ON m.user_id = u.id
     WHERE NOT u.email_verified AND NOT u.is_admin AND u.created_at < :before
     ORDER BY u.id LIMIT :most
""")
_LEAVE = text("""
    DELETE FROM user_account WHERE id = :id AND NOT email_verified AND created_at < :before
""")
_HOLD_FOUNDERS = text("""
    SELECT NOT u.email_verified AND NOT u.is_admin AND u.created_at < :before
      FROM membership m JOIN user_account u ON u.id = m.user_id
     WHERE m.tenant_id = :tenant_id
     ORDER BY u.id FOR UPDATE OF u
""")


class Retention:
    """Forgets in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def forget(self, rule: Rule, before: datetime) -> int:
        """Apply a rule to a table that no company owns."""
        return await self._changed(rule, {"before": before})

    async def forget_of(self, tenant_id: TenantId, rule: Rule, before: datetime) -> int:
        """Apply a rule to the bound company's rows."""
        return await self._changed(rule, {"tenant_id": tenant_id, "before": before})

    async def forget_old_states(self, tenant_id: TenantId, before: date) -> None:
        """Let go of answers no check points to, and of states that come from a check so old."""
        old = {"tenant_id": tenant_id, "before": _midnight(before)}
        await self._session.execute(_OLD_STATES, old)
        await self._session.execute(_OLD_ANSWERS, old)

    async def companies(self, after: UUID, before: datetime) -> list[TenantId]:
        """Some companies that joined before that instant, in the order of their ids."""
        where = {"after": after, "before": before, "most": COMPANIES_AT_ONCE}
        return list(await self._session.scalars(_COMPANIES, where))

    async def unverified(self, before: datetime) -> list[tuple[UserId, TenantId | None]]:
        """People who never proved their address, with the company that nobody else has use for."""
        where = {"before": before, "most": COMPANIES_AT_ONCE}
        rows = await self._session.execute(_UNVERIFIED, where)
        return [(row.id, None if row.has_company else row.tenant_id) for row in rows]

    async def leave(self, user_id: UserId, before: datetime) -> None:
        """Delete an account that is still unverified, and still that old."""
        await self._session.execute(_LEAVE, {"id": user_id, "before": before})

    async def hold_unverified(self, tenant_id: TenantId, before: datetime) -> bool:
        """Hold a company's people; False when one has proved the address or begun anew since."""
        where = {"tenant_id": tenant_id, "before": before}
        unverified = (await self._session.scalars(_HOLD_FOUNDERS, where)).all()
        return bool(unverified) and all(unverified)

    async def _changed(self, rule: Rule, values: dict[str, object]) -> int:
        done = await self._session.execute(_FORGET[rule], values)
        return int(done.rowcount)  # type: ignore[attr-defined]


async def cooperation_ended(session: TenantSession) -> datetime | None:
    """The last sign of the bound company: its subscription's end, or what its people did."""
    ended: datetime | None = await session.scalar(_ENDED, {"tenant_id": session.tenant_id})
    return ended


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
