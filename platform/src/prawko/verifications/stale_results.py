"""Tells companies, once, that results have become old or that nobody checks any more (R12b)."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, text

from prawko.base import logs
from prawko.base.jobs import Tools, job
from prawko.billing.ends import end_name
from prawko.deliveries.jobs import deliver_pending
from prawko.drivers.reading import STALE_AFTER
from prawko.notifications.announcing import Announcement, announce
from prawko.notifications.fanout import Rules
from prawko.notifications.kinds import CompanyFacts, NoticeKind
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import TenantSession

log = logs.logger(__name__)

# An end longer ago is no news; the mail of that time has been sent or was never wanted.
NEWS = timedelta(days=60)

# A company that has just come back is checked first: its results are old, but not for long.
TIME_TO_CHECK = timedelta(hours=1)

# Billing writes the end down within a minute, and says there what stops with it.
TIME_TO_CLOSE = timedelta(minutes=5)

_COMPANIES = text("""
    SELECT DISTINCT ON (tenant_id) tenant_id, id, end_date, checked_until, driver_limit,
           status IN ('active', 'expired') AND checked_until > :now AS checked,
           status IN ('active', 'expired')
               AND checked_until BETWEEN :a_moment_ago AND :now AS just_ended,
           created_at > :just_now AS just_begun
      FROM subscription ORDER BY tenant_id, id DESC
""")
# Nobody promised to check those beyond the limit.
_DRIVERS = text("""
    SELECT count(*) AS drivers, count(*) FILTER (WHERE verified_at < :before) AS stale,
           min(verified_at) AS oldest
      FROM (SELECT verified_at FROM driver WHERE tenant_id = :tenant_id
             ORDER BY id LIMIT :driver_limit) AS within
""")
# The oldest result at an instant, where one was stale then.
_OLDEST_AT = text("""
    SELECT min(v.verified_at)
      FROM (SELECT id FROM driver WHERE tenant_id = :tenant_id
             ORDER BY id LIMIT :driver_limit) AS d
     CROSS JOIN LATERAL (
           SELECT verified_at FROM verification
            WHERE tenant_id = :tenant_id AND driver_id = d.id AND verified_at < :at
            ORDER BY verified_at DESC LIMIT 1) AS v
     WHERE v.verified_at < :before
""")
# Paid for after an end, on the same row.
_JUST_BACK = text("""
    SELECT EXISTS (SELECT FROM subscription_history
                    WHERE tenant_id = :tenant_id AND subscription_id = :id
                      AND new_status = 'active' AND old_status <> 'active'
                      AND changed_at > :just_now)
""")
# Its notice says that checking has stopped as well.
_TOLD_OF_END = text("""
    SELECT EXISTS (SELECT FROM notice WHERE tenant_id = :tenant_id AND dedup = :end
                      AND kind IN ('trial_ended', 'subscription_ended'))
""")


@job(timeout=600)
async def tell_of_stale_results(tools: Tools) -> None:
    """Look at every company once; whoever was told of this already is not told again."""
    now = tools.clock.now()
    async with tools.database.planner() as planner:
        when = {
            "now": now,
            "just_now": now - TIME_TO_CHECK,
            "a_moment_ago": now - TIME_TO_CLOSE,
        }
        companies = (await planner.execute(_COMPANIES, when)).all()
    told = 0
    for company in companies:
        if tools.stopping:
            break
        if company.checked or now - NEWS < company.checked_until:
            told += await _tell(tools, company, now)
    if told:
        await tools.queue.put(deliver_pending)


async def _tell(tools: Tools, company: Row[Any], now: datetime) -> int:
    tenant_id = TenantId(company.tenant_id)
    if company.just_ended:
        return 0
    whose = {"tenant_id": tenant_id, "driver_limit": company.driver_limit}
    async with tools.database.tenant(tenant_id) as session:
        before = now - STALE_AFTER
        drivers = (await session.execute(_DRIVERS, {**whose, "before": before})).one()
        if not company.checked:
            ended = end_name(company.id, company.end_date)
            if await session.scalar(_TOLD_OF_END, {"tenant_id": tenant_id, "end": ended}):
                return 0
            news = _stopped(company, drivers)
        elif drivers.stale and not await _just_begun(session, company, now):
            news = _stale(drivers, await _began(session, whose, drivers.oldest))
        else:
            news = None
        if news is None:
            return 0
        return await announce(session, tenant_id, [news], rules=Rules.of(tools.settings), now=now)


async def _just_begun(session: TenantSession, company: Row[Any], now: datetime) -> bool:
    if company.just_begun:
        return True
    which = {"tenant_id": company.tenant_id, "id": company.id}
    return bool(await session.scalar(_JUST_BACK, {**which, "just_now": now - TIME_TO_CHECK}))


async def _began(session: TenantSession, whose: dict[str, Any], oldest: datetime) -> datetime:
    """The oldest result of the spell: it has lasted while one stale result followed another."""
    while True:
        where = {**whose, "at": oldest + STALE_AFTER, "before": oldest}
        earlier: datetime | None = await session.scalar(_OLDEST_AT, where)
        if earlier is None:
            return oldest
        oldest = earlier


def _stopped(company: Row[Any], drivers: Row[Any]) -> Announcement | None:
    if drivers.drivers == 0:
        return None
    return Announcement(
        kind=NoticeKind.CHECKING_STOPPED,
        dedup=end_name(company.id, company.end_date),
        facts=CompanyFacts(drivers=drivers.drivers, since=company.checked_until),
    )


def _stale(drivers: Row[Any], began: datetime) -> Announcement:
    """One notice for one spell: the result that became stale first names it."""
    return Announcement(
        kind=NoticeKind.RESULTS_STALE,
        dedup=began.isoformat(),
        facts=CompanyFacts(drivers=drivers.stale, since=drivers.oldest),
    )
