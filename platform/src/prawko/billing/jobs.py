"""The periodic work of billing."""

from prawko.base import logs
from prawko.base.jobs import Tools, job
from prawko.billing.repository import ended
from prawko.billing.service import SubscriptionService

log = logs.logger(__name__)


@job(timeout=300)
async def close_ended_subscriptions(tools: Tools) -> None:
    """Write the ends that have come, one company at a time. May run twice, or late.

    Access does not wait for it: every read decides by the end itself (reading R4).
    """
    async with tools.database.planner() as planner:
        due = await ended(planner, tools.clock.now())
    for tenant_id, subscription_id in due:
        if tools.stopping:
            return
        try:
            async with tools.database.tenant(tenant_id) as session:
                closed = await SubscriptionService(session, tools).close_ended(subscription_id)
        except Exception:  # one company's trouble is not the others'
            log.exception("subscription_not_closed", tenant_id=tenant_id)
            continue
        if closed:
            log.info("subscription_closed", tenant_id=tenant_id, subscription_id=subscription_id)
