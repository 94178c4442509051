"""Notices to companies about stale results and about the end of checks (docs/rules.md R12b).

SQL text: `_COMPANIES` reads all companies at once.
"""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, exists, func, select, text, true

from prawko.base import logs
from prawko.base.context import AppContext
from prawko.base.jobs import job
from prawko.billing.models import SubscriptionHistory, SubscriptionStatus
from prawko.billing.subscription.reminders import period_key
from prawko.deliveries.jobs import deliver_pending
from prawko.drivers.models import ranked_driver
from prawko.drivers.queries import STALE_AFTER
from prawko.drivers.repository import DriverRepository, Freshness
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.kinds import CompanyPayload, NoticeKind
from prawko.notifications.models import Notice
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko.verifications.models import Verification
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
        if context.must_stop():
            break
        if not (company.is_monitored or now - MAX_AGE < company.monitored_until):
            continue
        try:
            notices += await _process_company(context, company, now)
        except Exception:  # the other companies are notified all the same
            log.exception("stale_results_failed", tenant_id=company.tenant_id)
    if notices:
        await context.queue.enqueue(deliver_pending)


async def _process_company(context: AppContext, company: Row[Any], now: datetime) -> int:
    tenant_id = TenantId(company.tenant_id)
    if company.just_ended:
        return 0
    async with context.database.tenant(tenant_id) as session:
        drivers = await DriverRepository(session).load_freshness(
            company.driver_limit, now - STALE_AFTER
        )
        if company.is_monitored:
            notices = await _stale_notices(session, company, drivers, now)
        else:
            notices = await _stopped_notices(session, company, drivers)
        return await publish_notices(
            session,
            tenant_id,
            notices,
            policy=ChannelPolicy.from_settings(context.settings),
            now=now,
        )


async def _stopped_notices(
    session: TenantSession, company: Row[Any], drivers: Freshness
) -> list[NoticeDraft]:
    """The notice that checks have stopped, unless the one about the end has said so."""
    key = period_key(company.id, company.end_date)
    end_notified = exists().where(
        Notice.dedup_key == key,
        Notice.kind.in_([NoticeKind.TRIAL_ENDED, NoticeKind.SUBSCRIPTION_ENDED]),
    )
    if drivers.total == 0 or await session.scalar(select(end_notified)):
        return []
    payload = CompanyPayload(drivers=drivers.total, since=company.monitored_until)
    return [NoticeDraft(kind=NoticeKind.CHECKING_STOPPED, dedup_key=key, payload=payload)]


async def _stale_notices(
    session: TenantSession, company: Row[Any], drivers: Freshness, now: datetime
) -> list[NoticeDraft]:
    """One notice for one stale period, identified by the result that became stale first."""
    if drivers.oldest is None or not drivers.stale:
        return []
    if await _recently_started(session, company, now):
        return []
    since = await _stale_since(session, company.driver_limit, drivers.oldest)
    payload = CompanyPayload(drivers=drivers.stale, since=drivers.oldest)
    return [
        NoticeDraft(kind=NoticeKind.RESULTS_STALE, dedup_key=since.isoformat(), payload=payload)
    ]


async def _recently_started(session: TenantSession, company: Row[Any], now: datetime) -> bool:
    """Whether the subscription is new, or was reactivated by a payment after its end."""
    if company.just_started:
        return True
    active = SubscriptionStatus.ACTIVE
    reactivated = exists().where(
        SubscriptionHistory.subscription_id == company.id,
        SubscriptionHistory.new_status == active,
        SubscriptionHistory.old_status != active,
        SubscriptionHistory.changed_at > now - FIRST_CHECK_GRACE,
    )
    return bool(await session.scalar(select(reactivated)))


async def _stale_since(session: TenantSession, driver_limit: int, oldest: datetime) -> datetime:
    """Oldest result of the stale period, which lasts while one stale result follows another."""
    drivers = select(ranked_driver.c.id).where(ranked_driver.c.rank <= driver_limit).subquery()
    while True:
        before_next = (
            select(Verification.verified_at)
            .where(
                Verification.driver_id == drivers.c.id,
                Verification.verified_at < oldest + STALE_AFTER,
            )
            .order_by(Verification.verified_at.desc())
            .limit(1)
            .lateral()
        )
        earlier = await session.scalar(
            select(func.min(before_next.c.verified_at))
            .select_from(drivers.join(before_next, true()))
            .where(before_next.c.verified_at < oldest)
        )
        if earlier is None:
            return oldest
        oldest = earlier
