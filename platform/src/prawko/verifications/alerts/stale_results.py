"""Notices to companies about stale results and about the end of checks (docs/rules.md R12b)."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, text

from prawko.base import logs
from prawko.base.context import AppContext
from prawko.base.jobs import job
from prawko.billing.subscription.reminders import period_key
from prawko.deliveries.jobs import deliver_pending
from prawko.drivers.queries import STALE_AFTER
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.kinds import CompanyPayload, NoticeKind
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import TenantSession

log = logs.get_logger(__name__)

# An end longer ago is not notified any more.
MAX_AGE = timedelta(days=60)
# Time for the first check of a company that has subscribed again, whose results are old.
FIRST_CHECK_GRACE = timedelta(hours=1)
# Billing publishes its notice about the end within a minute; that notice also tells of the checks.
EXPIRY_GRACE = timedelta(minutes=5)

_COMPANIES = text("""
    SELECT s.tenant_id, s.id, s.end_date, s.monitored_until, m.driver_limit,
           coalesce(m.monitored_until > :now, false) AS is_monitored,
           m.monitored_until BETWEEN :ended_after AND :now AS just_ended,
           s.created_at > :started_after AS just_started
      FROM monitored_company m
      JOIN subscription s ON s.tenant_id = m.tenant_id AND s.id = m.subscription_id
     ORDER BY s.tenant_id
""")
# Drivers beyond the limit are not checked.
_COUNT_STALE = text("""
    SELECT count(*) AS total, count(*) FILTER (WHERE verified_at < :before) AS stale,
           min(verified_at) AS oldest
      FROM (SELECT verified_at FROM driver WHERE tenant_id = :tenant_id
             ORDER BY id LIMIT :driver_limit) AS d
""")
# The oldest result at the time `:at`, if it was older than `:before`.
_OLDEST_STALE_AT = text("""
    SELECT min(v.verified_at)
      FROM (SELECT id FROM driver WHERE tenant_id = :tenant_id
             ORDER BY id LIMIT :driver_limit) AS d
     CROSS JOIN LATERAL (
           SELECT verified_at FROM verification
            WHERE tenant_id = :tenant_id AND driver_id = d.id AND verified_at < :at
            ORDER BY verified_at DESC LIMIT 1) AS v
     WHERE v.verified_at < :before
""")
# Reactivated by a payment after its end, in the same row.
_RECENTLY_REACTIVATED = text("""
    SELECT EXISTS (SELECT FROM subscription_history
                    WHERE tenant_id = :tenant_id AND subscription_id = :id
                      AND new_status = 'active' AND old_status <> 'active'
                      AND changed_at > :started_after)
""")
# The notice about the end of the subscription also says that checks have stopped.
_END_NOTIFIED = text("""
    SELECT EXISTS (SELECT FROM notice WHERE tenant_id = :tenant_id AND dedup_key = :dedup_key
                      AND kind IN ('trial_ended', 'subscription_ended'))
""")


@job(timeout=600)
async def notify_stale_results(context: AppContext) -> None:
    """Notify every company concerned; each stale period and each end once."""
    now = context.clock.now()
    async with context.database.planner() as planner:
        params = {
            "now": now,
            "started_after": now - FIRST_CHECK_GRACE,
            "ended_after": now - EXPIRY_GRACE,
        }
        companies = (await planner.execute(_COMPANIES, params)).all()
    notices = 0
    for company in companies:
        if context.shutdown:
            break
        if company.is_monitored or now - MAX_AGE < company.monitored_until:
            notices += await _process_company(context, company, now)
    if notices:
        await context.queue.enqueue(deliver_pending)


async def _process_company(context: AppContext, company: Row[Any], now: datetime) -> int:
    tenant_id = TenantId(company.tenant_id)
    if company.just_ended:
        return 0
    params = {"tenant_id": tenant_id, "driver_limit": company.driver_limit}
    async with context.database.tenant(tenant_id) as session:
        before = now - STALE_AFTER
        drivers = (await session.execute(_COUNT_STALE, {**params, "before": before})).one()
        if not company.is_monitored:
            key = period_key(company.id, company.end_date)
            if await session.scalar(_END_NOTIFIED, {"tenant_id": tenant_id, "dedup_key": key}):
                return 0
            notice = _stopped_notice(company, drivers)
        elif drivers.stale and not await _recently_started(session, company, now):
            notice = _stale_notice(drivers, await _stale_since(session, params, drivers.oldest))
        else:
            notice = None
        if notice is None:
            return 0
        return await publish_notices(
            session,
            tenant_id,
            [notice],
            policy=ChannelPolicy.from_settings(context.settings),
            now=now,
        )


async def _recently_started(session: TenantSession, company: Row[Any], now: datetime) -> bool:
    if company.just_started:
        return True
    params = {"tenant_id": company.tenant_id, "id": company.id}
    return bool(
        await session.scalar(
            _RECENTLY_REACTIVATED, {**params, "started_after": now - FIRST_CHECK_GRACE}
        )
    )


async def _stale_since(
    session: TenantSession, params: dict[str, Any], oldest: datetime
) -> datetime:
    """Oldest result of the stale period, which lasts while one stale result follows another."""
    while True:
        period = {**params, "at": oldest + STALE_AFTER, "before": oldest}
        earlier: datetime | None = await session.scalar(_OLDEST_STALE_AT, period)
        if earlier is None:
            return oldest
        oldest = earlier


def _stopped_notice(company: Row[Any], drivers: Row[Any]) -> NoticeDraft | None:
    if drivers.total == 0:
        return None
    return NoticeDraft(
        kind=NoticeKind.CHECKING_STOPPED,
        dedup_key=period_key(company.id, company.end_date),
        payload=CompanyPayload(drivers=drivers.total, since=company.monitored_until),
    )


def _stale_notice(drivers: Row[Any], since: datetime) -> NoticeDraft:
    """One notice for one stale period, identified by the result that became stale first."""
    return NoticeDraft(
        kind=NoticeKind.RESULTS_STALE,
        dedup_key=since.isoformat(),
        payload=CompanyPayload(drivers=drivers.stale, since=drivers.oldest),
    )
