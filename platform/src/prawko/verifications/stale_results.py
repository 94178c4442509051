"""Tells companies, once, that results have become old or that nobody checks any more (R12b)."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Row, text

from prawko.base import logs
from prawko.base.jobs import Tools, job
from prawko.deliveries.jobs import deliver_pending
from prawko.notifications.announcing import Announcement, announce
from prawko.notifications.fanout import Rules
from prawko.notifications.kinds import CompanyFacts, NoticeKind
from prawko.verifications.staleness import STALE_AFTER
from prawko_tenants.ids import TenantId

log = logs.logger(__name__)

# An end longer ago is no news; the mail of that time has been sent or was never wanted.
NEWS = timedelta(days=7)

_COMPANIES = text("""
    SELECT DISTINCT ON (tenant_id) tenant_id, id, end_date,
           status = 'active' AND end_date > :now AS active
      FROM subscription ORDER BY tenant_id, id DESC
""")
_DRIVERS = text("""
    SELECT count(*) AS drivers, count(*) FILTER (WHERE verified_at < :before) AS stale,
           min(verified_at) AS oldest
      FROM driver WHERE tenant_id = :tenant_id
""")


@job(timeout=600)
async def tell_of_stale_results(tools: Tools) -> None:
    """Look at every company once; whoever was told of this already is not told again."""
    now = tools.clock.now()
    async with tools.database.planner() as planner:
        companies = (await planner.execute(_COMPANIES, {"now": now})).all()
    told = 0
    for company in companies:
        if tools.stopping:
            break
        if company.active or now - NEWS < company.end_date:
            told += await _tell(tools, company, now)
    if told:
        await tools.queue.put(deliver_pending)


async def _tell(tools: Tools, company: Row[Any], now: datetime) -> int:
    tenant_id = TenantId(company.tenant_id)
    async with tools.database.tenant(tenant_id) as session:
        drivers = (
            await session.execute(_DRIVERS, {"tenant_id": tenant_id, "before": now - STALE_AFTER})
        ).one()
        news = _news(company, drivers)
        if news is None:
            return 0
        return await announce(session, tenant_id, [news], rules=Rules.of(tools.settings), now=now)


def _news(company: Row[Any], drivers: Row[Any]) -> Announcement | None:
    if not company.active:
        if drivers.drivers == 0:
            return None
        subscription: UUID = company.id
        return Announcement(
            kind=NoticeKind.CHECKING_STOPPED,
            dedup=str(subscription),
            facts=CompanyFacts(drivers=drivers.drivers, since=company.end_date),
        )
    if drivers.stale == 0:
        return None
    # One notice for one spell: the oldest result names it until it is renewed.
    return Announcement(
        kind=NoticeKind.RESULTS_STALE,
        dedup=drivers.oldest.isoformat(),
        facts=CompanyFacts(drivers=drivers.stale, since=drivers.oldest),
    )
