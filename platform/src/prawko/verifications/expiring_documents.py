"""Tells companies of documents and categories whose last day comes near.

Once a day everybody's latest answers are gone through, company by company: one statement reads a
company's drivers with a date that is near, and what it has been told already. Who is checked
later that day (a newcomer, a document that was corrected) is looked at again when the answer is
there. What was told stands in the notices themselves, so a look may be made twice, or late.
"""

from collections.abc import AsyncIterator
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID
from weakref import WeakKeyDictionary

import msgspec
from sqlalchemy import Row, text

from prawko.base import logs
from prawko.base.clock import WARSAW, warsaw_day
from prawko.base.jobs import Tools, job
from prawko.deliveries.jobs import deliver_pending
from prawko.notifications.announcing import announce
from prawko.notifications.fanout import Rules
from prawko.verifications.near_dates import Question, read_news, read_news_here
from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId

log = logs.logger(__name__)

EVERYBODY_FROM = time(7)  # when the day's check is done
PAGE = 1000
# An answer is written a little after it was given.
OVERLAP = timedelta(minutes=5)
_ANSWERED = text("""
    SELECT DISTINCT tenant_id FROM check_item WHERE day = :day AND done_at > :since
""")
_COMPANIES = text("""
    SELECT DISTINCT ON (tenant_id) tenant_id, driver_limit,
           status IN ('active', 'expired') AND checked_until > :now AS checked
      FROM subscription
     WHERE tenant_id > :after AND (:everybody OR tenant_id = ANY (CAST(:answered AS uuid[])))
     ORDER BY tenant_id, id DESC LIMIT :most
""")
_HOLD = text("SELECT FROM tenant WHERE id = :tenant_id FOR NO KEY UPDATE")


class _Look(msgspec.Struct, frozen=True):
    """When this process looked last, and the day on which it last went through everybody.

    `failed` are the companies where that broke: the next look includes them.
    """

    at: datetime
    everybody_on: date | None
    failed: tuple[TenantId, ...]


# Only spares work: a process that has forgotten it goes through everybody once more.
_looks: WeakKeyDictionary[Database, _Look] = WeakKeyDictionary()


@job(timeout=600)
async def tell_of_expiring_documents(tools: Tools) -> None:
    """Look at everybody once a day, else at who was answered about since the last look."""
    now = tools.clock.now()
    day, last = warsaw_day(now), _looks.get(tools.database)
    everybody = now.astimezone(WARSAW).time() >= EVERYBODY_FROM and (
        last is None or last.everybody_on != day
    )
    told, failed = 0, list[TenantId]()
    which = None if everybody else await _answered(tools, last, now)
    async for company in _companies(tools, now, which):
        if tools.stopping:
            return
        try:
            told += await _look_at(tools, company, now)
        except Exception:  # one company's trouble is not the others'
            log.exception("expiries_not_told", tenant_id=company.tenant_id)
            failed.append(company.tenant_id)
    everybody_on = day if everybody else last.everybody_on if last else None
    _looks[tools.database] = _Look(now, everybody_on, tuple(failed))
    if told:
        log.info("expiries_told", notices=told)
        await tools.queue.put(deliver_pending)


async def _answered(tools: Tools, last: _Look | None, now: datetime) -> list[UUID]:
    """The companies with an answer since the last look of the day, and those where it broke."""
    since = datetime.combine(warsaw_day(now), time(), WARSAW)
    if last is not None and last.at <= now:
        since = max(since, last.at - OVERLAP)
    async with tools.database.planner() as planner:
        found = await planner.scalars(_ANSWERED, {"day": warsaw_day(now), "since": since})
        return [*found, *(last.failed if last else ())]


async def _companies(
    tools: Tools, now: datetime, which: list[UUID] | None
) -> AsyncIterator[Row[Any]]:
    """The companies that are checked, a page at a time: these, or every one."""
    if which == []:
        return
    asked = {"now": now, "everybody": which is None, "answered": which or [], "most": PAGE}
    after = UUID(int=0)
    while True:
        async with tools.database.planner() as planner:
            page = (await planner.execute(_COMPANIES, {**asked, "after": after})).all()
        for company in page:
            if company.checked:
                yield company
        if len(page) < PAGE:
            return
        after = page[-1].tenant_id


async def _look_at(tools: Tools, company: Row[Any], now: datetime) -> int:
    """Tell a company what it was not told of; returns how many notices were new."""
    tenant_id = TenantId(company.tenant_id)
    question = Question(company.driver_limit, warsaw_day(now), now)
    if not await read_news(tools.database.read(tenant_id), question):
        return 0
    async with tools.database.tenant(tenant_id) as session:
        # Two who look at once: the second waits, and sees what the first has told.
        await session.execute(_HOLD, {"tenant_id": tenant_id})
        news = await read_news_here(session, question)
        return await announce(session, tenant_id, news, rules=Rules.of(tools.settings), now=now)
