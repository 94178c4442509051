"""Tells companies of documents and categories whose last day comes near.

Once a day everybody's latest answers are gone through, company by company: one statement reads a
company's drivers with a date that is near, and what it has been told already. Who is checked
later that day (a newcomer, a document that was corrected) is looked at again when the answer is
there. What was told stands in the notices themselves, so a look may be made twice, or late.
"""

from collections.abc import AsyncIterator, Iterable
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
from prawko.notifications.announcing import Announcement, announce
from prawko.notifications.expiry import FARTHEST, expiries, untold
from prawko.notifications.fanout import Rules
from prawko.notifications.kinds import Expiry, ExpiryFacts, NoticeKind
from prawko_tenants.engine import Database
from prawko_tenants.ids import DriverId, TenantId
from prawko_tenants.sessions import TenantSession

log = logs.logger(__name__)

EVERYBODY_FROM = time(7)  # when the day's check is done
PAGE = 1000
# An answer is written a little after it was given.
OVERLAP = timedelta(minutes=5)
# A date was told of 90 days before it at the earliest.
REMEMBERED = 2 * FARTHEST

_ANSWERED = text("""
    SELECT DISTINCT tenant_id FROM check_item WHERE day = :day AND done_at > :since
""")
_COMPANIES = text("""
    SELECT DISTINCT ON (tenant_id) tenant_id, driver_limit,
           status = 'active' AND end_date > :now AS active
      FROM subscription
     WHERE tenant_id > :after AND (:everybody OR tenant_id = ANY (CAST(:answered AS uuid[])))
     ORDER BY tenant_id, id DESC LIMIT :most
""")
# $2 is the driver limit, $3 and $4 the first and the last date that is near, $5 the instant
# from which notices are remembered. Dates in JSON are ISO 8601: their order is that of time.
_NEAR = """
    SELECT json_build_object(
        'drivers', (
            SELECT coalesce(json_agg(json_build_object(
                       'id', d.id, 'first_name', d.first_name, 'last_name', d.last_name,
                       'license_number', d.license_number, 'verified_at', d.verified_at,
                       'document', d.latest -> 'expiryDate', 'categories', d.latest -> 'categories'
                   )), '[]')
              FROM (SELECT * FROM driver
                     WHERE tenant_id = bound.tenant_id ORDER BY id LIMIT $2) AS d
             WHERE d.status = 'valid'
               AND EXISTS (SELECT FROM (
                        SELECT d.latest ->> 'expiryDate'
                         UNION ALL
                        SELECT c ->> 'dataWaznosci'
                          FROM json_array_elements(coalesce(d.latest -> 'categories', '[]')) AS c
                        ) AS e (last_day)
                    WHERE e.last_day BETWEEN $3 AND $4)),
        'told', (
            SELECT coalesce(json_agg(json_build_object(
                       'driver_id', n.driver_id, 'expiries', n.params -> 'expiries')), '[]')
              FROM notice n
             WHERE n.tenant_id = bound.tenant_id AND n.kind = 'expiring' AND n.created_at > $5))
"""
_NEAR_HERE = f"""
    SELECT x.body::text FROM (SELECT $1::uuid) AS bound (tenant_id)
     CROSS JOIN LATERAL ({_NEAR}) AS x (body)
"""  # noqa: S608 (made of constants)
_HOLD = text("SELECT FROM tenant WHERE id = :tenant_id FOR NO KEY UPDATE")


class _Category(msgspec.Struct, frozen=True):
    kategoria: str
    dataWaznosci: date | None = None  # noqa: N815 (the key of the stored answer)


class _Driver(msgspec.Struct, frozen=True, kw_only=True):
    """A driver with a valid document and a date that is near."""

    id: DriverId
    first_name: str
    last_name: str
    license_number: str
    verified_at: datetime
    document: date | None = None
    categories: list[_Category] | None = None


class _Told(msgspec.Struct, frozen=True):
    driver_id: DriverId
    expiries: list[Expiry]


class _Near(msgspec.Struct, frozen=True):
    drivers: list[_Driver]
    told: list[_Told]


class _Look(msgspec.Struct, frozen=True):
    """When this process looked last, and the day on which it last went through everybody."""

    at: datetime
    everybody_on: date | None


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
    told = 0
    async for company in _companies(tools, now, None if everybody else _since(last, now)):
        if tools.stopping:
            return
        try:
            told += await _look_at(tools, company, now)
        except Exception:  # one company's trouble is not the others'
            log.exception("expiries_not_told", tenant_id=company.tenant_id)
    everybody_on = day if everybody else last.everybody_on if last else None
    _looks[tools.database] = _Look(now, everybody_on)
    if told:
        log.info("expiries_told", notices=told)
        await tools.queue.put(deliver_pending)


def _since(last: _Look | None, now: datetime) -> datetime:
    """From when answers are news: from the last look of the day, else from its beginning."""
    midnight = datetime.combine(warsaw_day(now), time(), WARSAW)
    return midnight if last is None or last.at > now else max(midnight, last.at - OVERLAP)


async def _companies(
    tools: Tools, now: datetime, since: datetime | None
) -> AsyncIterator[Row[Any]]:
    """The companies that are checked, a page at a time; with `since`, those with an answer."""
    answered: list[UUID] = []
    async with tools.database.planner() as planner:
        if since is not None:
            found = await planner.scalars(_ANSWERED, {"day": warsaw_day(now), "since": since})
            answered = list(found)
    if since is not None and not answered:
        return
    which = {"now": now, "everybody": since is None, "answered": answered, "most": PAGE}
    after = UUID(int=0)
    while True:
        async with tools.database.planner() as planner:
            page = (await planner.execute(_COMPANIES, {**which, "after": after})).all()
        for company in page:
            if company.active:
                yield company
        if len(page) < PAGE:
            return
        after = page[-1].tenant_id


async def _look_at(tools: Tools, company: Row[Any], now: datetime) -> int:
    """Tell a company what it was not told of; returns how many notices were new."""
    tenant_id, day = TenantId(company.tenant_id), warsaw_day(now)
    last_day = day + FARTHEST
    about = (company.driver_limit, day.isoformat(), last_day.isoformat(), now - REMEMBERED)
    if not _news(await tools.database.read(tenant_id).json(_NEAR, *about), day):
        return 0
    async with tools.database.tenant(tenant_id) as session:
        # Two who look at once: the second waits, and sees what the first has told.
        await session.execute(_HOLD, {"tenant_id": tenant_id})
        news = _news(await _near_here(session, *about), day)
        return await announce(session, tenant_id, news, rules=Rules.of(tools.settings), now=now)


async def _near_here(session: TenantSession, *about: object) -> bytes:
    connection = await session.connection()
    args = (session.tenant_id, *about)
    body: str = (await connection.exec_driver_sql(_NEAR_HERE, args)).scalar_one()
    return body.encode()


def _news(found: bytes, day: date) -> list[Announcement]:
    """A notice for each driver with something untold; the soonest last, to be listed first."""
    near = msgspec.json.decode(found, type=_Near)
    told: dict[DriverId, set[Expiry]] = {}
    for one in near.told:
        told.setdefault(one.driver_id, set()).update(one.expiries)
    dates = {driver.id: _dates(driver, day) for driver in near.drivers}
    new = {driver.id: untold(dates[driver.id], told.get(driver.id, ())) for driver in near.drivers}
    drivers = [driver for driver in near.drivers if new[driver.id]]
    drivers.sort(key=lambda driver: new[driver.id], reverse=True)
    return [_announcement(driver, new[driver.id], day) for driver in drivers]


def _dates(driver: _Driver, day: date) -> tuple[Expiry, ...]:
    categories = [(one.kategoria, one.dataWaznosci) for one in driver.categories or ()]
    return expiries(driver.document, categories, day)


def _announcement(driver: _Driver, new: Iterable[Expiry], day: date) -> Announcement:
    expiries_ = tuple(new)
    names = [f"{one.on}/{one.category or '-'}/{one.threshold}" for one in expiries_]
    return Announcement(
        kind=NoticeKind.EXPIRING,
        dedup=" ".join([str(driver.id), *names]),
        driver_id=driver.id,
        facts=ExpiryFacts(
            first_name=driver.first_name,
            last_name=driver.last_name,
            license_number=driver.license_number,
            checked_at=driver.verified_at,
            day=day,
            expiries=expiries_,
        ),
    )
