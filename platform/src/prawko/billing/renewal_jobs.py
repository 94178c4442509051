"""The periodic work of renewals: charges and their steps, and limits whose time has come."""

from datetime import timedelta

from prawko.base import logs
from prawko.base.jobs import Tools, job
from prawko.billing.next_limit import begin_next_limit
from prawko.billing.renewal_repository import to_change_limit, to_renew
from prawko.billing.renewing import Renewing
from prawko.deliveries.jobs import deliver_pending
from prawko.payments.errors import PaymentUnavailableError
from prawko.payments.service import Payments

log = logs.logger(__name__)

# A day may have an hour more.
_NEAR = timedelta(days=1, hours=1)
# So often a provider may fail to answer before the others wait for the next time: each costs
# a time-out, and what was begun is charged without us.
_ENOUGH_UNANSWERED = 5


@job(timeout=600)
async def renew_subscriptions(tools: Tools) -> None:
    """Take what is due of every timetable, one company at a time. May run twice, or late."""
    now = tools.clock.now()
    async with tools.database.planner() as planner:
        due = await to_renew(planner, now + _NEAR)
    renewing, unanswered = Renewing(tools, Payments(tools)), 0
    for tenant_id, subscription_id in due:
        if tools.stopping or unanswered == _ENOUGH_UNANSWERED:
            break
        try:
            await renewing.attend(tenant_id, subscription_id)
        except PaymentUnavailableError:
            unanswered += 1
            log.warning("renewal_unanswered", tenant_id=tenant_id, subscription_id=subscription_id)
        except Exception:  # one company's trouble is not the others'
            log.exception("renewal_failed", tenant_id=tenant_id, subscription_id=subscription_id)
    if due:
        await tools.queue.put(deliver_pending)


@job(timeout=300)
async def apply_next_limits(tools: Tools) -> None:
    """Let the limits hold that were ordered for the period that has begun."""
    now = tools.clock.now()
    async with tools.database.planner() as planner:
        due = await to_change_limit(planner, now)
    for tenant_id, subscription_id in due:
        if tools.stopping:
            break
        try:
            async with tools.database.tenant(tenant_id) as session:
                await begin_next_limit(session, subscription_id, now)
        except Exception:  # one company's trouble is not the others'
            log.exception("limit_not_changed", tenant_id=tenant_id)
