"""The periodic jobs of billing. Each may run twice, or late."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import takewhile

import msgspec

from prawko.billing.expiry import close_ended_subscription
from prawko.billing.limit_change import apply_scheduled_limit
from prawko.billing.models import SubscriptionStatus
from prawko.billing.notices import MAX_REMINDER_DAYS, expiry_reminder
from prawko.billing.renewal_service import RenewalService
from prawko.billing.repository import (
    SubscriptionRepository,
    due_for_renewal,
    due_limit_changes,
    find_ended,
    find_ending,
)
from prawko.kit.clock import warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.observability import logs
from prawko.kit.work.jobs import job
from prawko.kit.work.leased_work import run_each
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.publisher import publish_notices
from prawko.payments.errors import PaymentUnavailableError
from prawko.payments.service import PaymentService
from prawko_tenants.ids import SubscriptionId, TenantId

log = logs.get_logger(__name__)

# One day more than the longest reminder: a calendar day may begin before, and have 25 hours.
_REMINDER_WINDOW = timedelta(days=MAX_REMINDER_DAYS + 1)
_REMINDER_BATCH_SIZE = 100


class ProcessedEnds(msgspec.Struct):
    """The ends that this process has processed on a day.

    Only saves work: the notices themselves are deduplicated in the database.
    """

    day: date | None = None
    ends: frozenset[tuple[TenantId, datetime]] = frozenset()


@job(timeout=300)
async def expire_ended_subscriptions(context: AppContext) -> None:
    """Save the status of subscriptions that have ended, one company at a time.

    Access does not depend on it: every read computes the effective status (docs/rules.md R4).
    """
    async with context.database.planner() as planner:
        due = await find_ended(planner, context.clock.now())

    async def expire(tenant_id: TenantId, subscription_id: SubscriptionId) -> None:
        async with context.database.tenant(tenant_id) as session:
            expired = await close_ended_subscription(session, context, subscription_id)
        if expired:
            log.info("subscription_expired", tenant_id=tenant_id, subscription_id=subscription_id)

    await run_each(context, due, expire, failure="subscription_expiry_failed")


@job(timeout=600)
async def send_subscription_reminders(context: AppContext) -> None:
    """Publish the reminders of ends that are near; each once."""
    now = context.clock.now()
    async with context.database.planner() as planner:
        ends = await find_ending(planner, now, now + _REMINDER_WINDOW)
    processed = context.components.get(ProcessedEnds)
    new = [end for end in ends if processed.day != warsaw_date(now) or end not in processed.ends]
    published, failed = 0, set[TenantId]()
    for first in range(0, len(new), _REMINDER_BATCH_SIZE):
        if context.must_stop():
            break
        batch = [tenant_id for tenant_id, _ in new[first : first + _REMINDER_BATCH_SIZE]]
        published += await _remind_batch(context, batch, failed)
    else:
        processed.day = warsaw_date(now)
        processed.ends = frozenset(end for end in ends if end[0] not in failed)
    if published:
        log.info("reminders_sent", notices=published)


async def _remind_batch(
    context: AppContext, tenant_ids: Sequence[TenantId], failed: set[TenantId]
) -> int:
    """Remind the companies in one transaction; if that fails, each in its own.

    Returns the number of notices; adds the companies that failed to `failed`.
    """
    try:
        return await _remind_companies(context, tenant_ids)
    except Exception:
        if len(tenant_ids) == 1:
            log.exception("reminder_failed", tenant_id=tenant_ids[0])
            failed.add(tenant_ids[0])
            return 0
    return sum([await _remind_batch(context, [tenant_id], failed) for tenant_id in tenant_ids])


async def _remind_companies(context: AppContext, tenant_ids: Sequence[TenantId]) -> int:
    """Remind the companies in one transaction; the number of notices."""
    now, published = context.clock.now(), 0
    policy = ChannelPolicy.from_settings(context.settings)
    async with context.database.batch() as session:
        for tenant_id in tenant_ids:
            await session.switch_tenant(tenant_id)
            company, subscription = await SubscriptionRepository(session).get_company_and_current()
            if subscription is None or subscription.status != SubscriptionStatus.ACTIVE:
                continue
            notice = expiry_reminder(subscription, company.company_name, now)
            if notice is not None:
                published += await publish_notices(
                    session, tenant_id, [notice], policy=policy, now=now
                )
    return published


# A day on which the clocks go back has 25 hours.
_RENEWAL_WINDOW = timedelta(days=1, hours=1)
# After so many time-outs of a provider the remaining companies wait for the next run. Charges
# whose payment is saved are made by the polling of payments.
_MAX_UNANSWERED = 5


@job(timeout=600)
async def renew_subscriptions(context: AppContext) -> None:
    """Take the due steps of the renewal schedule, one company at a time (T4)."""
    now = context.clock.now()
    async with context.database.planner() as planner:
        due = await due_for_renewal(planner, now + _RENEWAL_WINDOW)
    renewals, unanswered = RenewalService(context, PaymentService(context)), 0

    async def renew(tenant_id: TenantId, subscription_id: SubscriptionId) -> None:
        nonlocal unanswered
        try:
            await renewals.process(tenant_id, subscription_id)
        except PaymentUnavailableError:
            unanswered += 1
            log.warning(
                "renewal_provider_unavailable", tenant_id=tenant_id, subscription_id=subscription_id
            )

    attempted = takewhile(lambda _: unanswered < _MAX_UNANSWERED, due)
    await run_each(context, attempted, renew, failure="renewal_failed")


@job(timeout=300)
async def apply_scheduled_limits(context: AppContext) -> None:
    """Apply the scheduled limits whose time has come."""
    now = context.clock.now()
    async with context.database.planner() as planner:
        due = await due_limit_changes(planner, now)

    async def apply_limit(tenant_id: TenantId, subscription_id: SubscriptionId) -> None:
        async with context.database.tenant(tenant_id) as session:
            await apply_scheduled_limit(session, subscription_id, now)

    await run_each(context, due, apply_limit, failure="scheduled_limit_failed")
