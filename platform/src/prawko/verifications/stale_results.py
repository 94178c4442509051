"""Notices to companies about stale results and about the end of checks (docs/rules.md R12b).

SQL text: `_COMPANIES` reads all companies at once.
"""

from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Interval, Row, exists, func, literal, or_, select, text

from prawko.billing.models import RENEWABLE_STATUSES, SubscriptionHistory, SubscriptionStatus
from prawko.billing.notices import period_key
from prawko.drivers.models import Driver, ranked_driver
from prawko.drivers.queries import STALE_AFTER
from prawko.drivers.repository import DriverRepository
from prawko.kit.clock import warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.observability import logs
from prawko.kit.work.jobs import job
from prawko.kit.work.leased_work import run_each
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.models import Notice
from prawko.notifications.payloads import CompanyPayload
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko.verifications.models import CheckItem
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import TenantSession

log = logs.get_logger(__name__)

# Results that become stale so soon after a notice belong to the same outage: no second notice.
SAME_OUTAGE = timedelta(hours=12)
# An older end is no longer notified.
MAX_AGE = timedelta(days=60)
# Time for the first check of a company that has subscribed again, whose results are old.
FIRST_CHECK_GRACE = timedelta(hours=1)
# Billing publishes its notice about the end within a minute; that notice also mentions the checks.
EXPIRY_GRACE = timedelta(minutes=5)

_COMPANIES = text("""
    SELECT s.tenant_id, s.id, s.end_date, s.monitored_until, m.driver_limit,
           coalesce(m.monitored_until > :now, false) AS is_monitored,
           m.monitored_until IS NULL AS is_closed,
           m.monitored_until BETWEEN :ended_after AND :now AS just_ended,
           s.created_at > :started_after AS just_started
      FROM monitored_company m
      JOIN subscription s ON s.tenant_id = m.tenant_id AND s.id = m.subscription_id
     ORDER BY s.tenant_id
""")


class _StaleResults(NamedTuple):
    """How many drivers' results are stale, the oldest, and the oldest that no notice has named."""

    drivers: int
    oldest: datetime | None
    oldest_unnotified: datetime | None


@job(timeout=600)
async def notify_stale_results(context: AppContext) -> None:
    """Notify every company concerned; each stale result and each end once."""
    now = context.clock.now()
    async with context.database.planner() as planner:
        params = {
            "now": now,
            "started_after": now - FIRST_CHECK_GRACE,
            "ended_after": now - EXPIRY_GRACE,
        }
        companies = (await planner.execute(_COMPANIES, params)).all()
    due = (
        (TenantId(company.tenant_id), company)
        for company in companies
        if not company.just_ended
        and (company.is_monitored or now - MAX_AGE < company.monitored_until)
    )
    process = partial(_process_company, context, now)
    await run_each(context, due, process, failure="stale_results_failed")


async def _process_company(
    context: AppContext, now: datetime, tenant_id: TenantId, company: Row[Any]
) -> None:
    async with context.database.tenant(tenant_id) as session:
        if company.is_monitored:
            notices = await _stale_notices(session, company, now)
        else:
            notices = await _stopped_notices(session, company)
        await publish_notices(
            session,
            tenant_id,
            notices,
            policy=ChannelPolicy.from_settings(context.settings),
            now=now,
        )


async def _stopped_notices(session: TenantSession, company: Row[Any]) -> list[NoticeDraft]:
    """The notice that checks have stopped, unless the one about the end has said so.

    An operator may close a subscription before its end, and several times.
    """
    key, since = period_key(company.id, company.end_date), company.monitored_until
    closed_at = await _closed_at(session, company)
    if closed_at is not None:
        # Without the end, which the operator may change afterwards.
        key, since = f"{company.id} {closed_at.isoformat()}", closed_at
    end_notified = exists().where(
        Notice.dedup_key == key,
        Notice.kind.in_([NoticeKind.TRIAL_ENDED, NoticeKind.SUBSCRIPTION_ENDED]),
    )
    drivers = await DriverRepository(session).count()
    if drivers == 0 or await session.scalar(select(end_notified)):
        return []
    payload = CompanyPayload(drivers=drivers, since=since)
    return [NoticeDraft(kind=NoticeKind.CHECKING_STOPPED, dedup_key=key, payload=payload)]


async def _closed_at(session: TenantSession, company: Row[Any]) -> datetime | None:
    """When the subscription was closed before monitoring would have ended; None if it was not."""
    if not company.is_closed:
        return None
    history = SubscriptionHistory
    closed_at = await session.scalar(
        select(func.max(history.changed_at)).where(
            history.subscription_id == company.id,
            history.old_status.in_(RENEWABLE_STATUSES),
            history.new_status.not_in(RENEWABLE_STATUSES),
        )
    )
    return closed_at if closed_at is not None and closed_at < company.monitored_until else None


async def _stale_notices(
    session: TenantSession, company: Row[Any], now: datetime
) -> list[NoticeDraft]:
    """Return the notice about stale results, unless an earlier one named them or their outage."""
    stale = await _load_stale_results(session, company.driver_limit, now)
    if stale.oldest_unnotified is None or await _recently_started(session, company, now):
        return []
    key = stale.oldest_unnotified.isoformat()
    payload = CompanyPayload(drivers=stale.drivers, since=stale.oldest)
    return [NoticeDraft(kind=NoticeKind.RESULTS_STALE, dedup_key=key, payload=payload)]


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


async def _load_stale_results(
    session: TenantSession, driver_limit: int, now: datetime
) -> _StaleResults:
    """The stale results of the drivers within the limit.

    Without drivers who came within the limit today, whose check is under way: they have no item
    of yesterday, but other drivers of the company have.
    """
    item, yesterday = CheckItem, warsaw_date(now) - timedelta(days=1)
    of_company = exists().where(item.day == yesterday, item.tenant_id == session.tenant_id)
    was_due = exists().where(
        item.day == yesterday, item.tenant_id == Driver.tenant_id, item.driver_id == Driver.id
    )
    last_notice = (
        select(func.max(Notice.created_at))
        .where(Notice.kind == NoticeKind.RESULTS_STALE)
        .scalar_subquery()
    )
    notified_before = last_notice + literal(SAME_OUTAGE - STALE_AFTER, Interval)
    is_unnotified = or_(notified_before.is_(None), Driver.verified_at >= notified_before)
    found = await session.execute(
        select(
            func.count(),
            func.min(Driver.verified_at),
            func.min(Driver.verified_at).filter(is_unnotified),
        )
        .select_from(Driver)
        .join(ranked_driver, ranked_driver.c.id == Driver.id)
        .where(
            ranked_driver.c.rank <= driver_limit,
            Driver.verified_at < now - STALE_AFTER,
            or_(was_due, ~of_company),
        )
    )
    return _StaleResults(*found.one())
