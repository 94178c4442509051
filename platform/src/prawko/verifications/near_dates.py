"""Reads, in one statement, a company's drivers with a date that is near, and what it was told."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta

import msgspec

from prawko.notifications.announcing import Announcement
from prawko.notifications.expiry import FARTHEST, expiries, untold
from prawko.notifications.kinds import Expiry, ExpiryFacts, NoticeKind
from prawko_tenants.ids import DriverId
from prawko_tenants.reader import Reader
from prawko_tenants.sessions import TenantSession

# A date was told of 90 days before it at the earliest.
REMEMBERED = 2 * FARTHEST

# $2 is the driver limit, $3 and $4 the first and the last date that is near, $5 the instant
# from which notices are remembered. Dates in JSON are ISO 8601: their order is that of time. $6
# finds a date of these months in the plain text, which costs a third of reading it as JSON.
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
             WHERE d.status = 'valid' AND d.latest::text ~ $6
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


class Question(msgspec.Struct, frozen=True):
    """Whom to look at: the oldest drivers, up to the limit, on a day in Warsaw."""

    driver_limit: int
    day: date
    now: datetime

    @property
    def args(self) -> tuple[object, ...]:
        """The statement's arguments."""
        last_day = self.day + FARTHEST
        return (
            self.driver_limit,
            self.day.isoformat(),
            last_day.isoformat(),
            self.now - REMEMBERED,
            f'"({"|".join(_months(self.day, last_day))})-[0-9]{{2}}"',
        )


def _months(first: date, last: date) -> list[str]:
    """The months from one day to another, as a date begins: 2026-11."""
    days = (last - first).days
    return sorted({f"{first + timedelta(days=n):%Y-%m}" for n in range(days + 1)})


async def read_news(reader: Reader, question: Question) -> list[Announcement]:
    """What there is to tell, by a reading of its own."""
    return _news(await reader.json(_NEAR, *question.args), question.day)


async def read_news_here(session: TenantSession, question: Question) -> list[Announcement]:
    """What there is to tell, in the transaction that will tell it."""
    connection = await session.connection()
    args = (session.tenant_id, *question.args)
    body: str = (await connection.exec_driver_sql(_NEAR_HERE, args)).scalar_one()
    return _news(body.encode(), question.day)


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
