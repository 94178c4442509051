"""The periodic work of billing."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from weakref import WeakKeyDictionary

from prawko.base import logs
from prawko.base.clock import warsaw_day
from prawko.base.jobs import Tools, job
from prawko.billing.ends import LONGEST_BEFORE, ending_notice
from prawko.billing.repository import SubscriptionRepository, ended, ending
from prawko.billing.service import SubscriptionService
from prawko.billing.status import Status
from prawko.deliveries.jobs import deliver_pending
from prawko.notifications.announcing import announce
from prawko.notifications.fanout import Rules
from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId

log = logs.logger(__name__)

# A day more than calendar days say: the last may have an hour more, and hours before it count.
_NEAR = timedelta(days=LONGEST_BEFORE + 1)
_COMPANIES_AT_ONCE = 100

# The ends that this process has looked at on a day; reminders are told by the day. Only spares
# work: what was told stands in the notices.
_Ends = tuple[date, frozenset[tuple[TenantId, datetime]]]
_seen: WeakKeyDictionary[Database, _Ends] = WeakKeyDictionary()


@job(timeout=300)
async def close_ended_subscriptions(tools: Tools) -> None:
    """Write the ends that have come, one company at a time. May run twice, or late.

    Access does not wait for it: every read decides by the end itself (reading R4).
    """
    async with tools.database.planner() as planner:
        due = await ended(planner, tools.clock.now())
    any_closed = False
    for tenant_id, subscription_id in due:
        if tools.stopping:
            break
        try:
            async with tools.database.tenant(tenant_id) as session:
                closed = await SubscriptionService(session, tools).close_ended(subscription_id)
        except Exception:  # one company's trouble is not the others'
            log.exception("subscription_not_closed", tenant_id=tenant_id)
            continue
        if closed:
            any_closed = True
            log.info("subscription_closed", tenant_id=tenant_id, subscription_id=subscription_id)
    if any_closed:
        await tools.queue.put(deliver_pending)


@job(timeout=600)
async def tell_of_near_ends(tools: Tools) -> None:
    """Remind of ends that come near; whoever was reminded of this already is not again."""
    now = tools.clock.now()
    async with tools.database.planner() as planner:
        ends = await ending(planner, now, now + _NEAR)
    day, seen = _seen.get(tools.database, (warsaw_day(now), frozenset()))
    new = [end for end in ends if day != warsaw_day(now) or end not in seen]
    told, failed = 0, set[TenantId]()
    for first in range(0, len(new), _COMPANIES_AT_ONCE):
        if tools.stopping:
            break
        some = [tenant_id for tenant_id, _ in new[first : first + _COMPANIES_AT_ONCE]]
        told += await _remind_all(tools, some, failed)
    else:
        _seen[tools.database] = (
            warsaw_day(now),
            frozenset(end for end in ends if end[0] not in failed),
        )
    if told:
        log.info("companies_reminded", notices=told)
        await tools.queue.put(deliver_pending)


async def _remind_all(tools: Tools, companies: Sequence[TenantId], failed: set[TenantId]) -> int:
    """Remind them at once; when that breaks, one by one, so that one breaks alone."""
    try:
        return await _remind(tools, companies)
    except Exception:
        if len(companies) == 1:
            log.exception("company_not_reminded", tenant_id=companies[0])
            failed.add(companies[0])
            return 0
    return sum([await _remind_all(tools, [one], failed) for one in companies])


async def _remind(tools: Tools, companies: Sequence[TenantId]) -> int:
    """Remind these companies in one transaction, one after the other."""
    now, rules, told = tools.clock.now(), Rules.of(tools.settings), 0
    async with tools.database.batch() as session:
        for tenant_id in companies:
            await session.bind(tenant_id)
            company, subscription = await SubscriptionRepository(session).company_and_current()
            if subscription is None or subscription.status != Status.ACTIVE:
                continue
            notice = ending_notice(subscription, company.company_name, now)
            if notice is not None:
                told += await announce(session, tenant_id, [notice], rules=rules, now=now)
    return told
