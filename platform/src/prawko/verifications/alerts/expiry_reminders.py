"""Reminders to companies about expiring documents and licence categories.

Once a day all companies are scanned: one statement reads a company's drivers with an expiry date
within the look-ahead, and the reminders sent before. Companies with answers after that (new or
corrected drivers) are scanned again on the same day. Sent reminders are read from the notices, so
scans may be repeated or late. SQL text: `_FIND_DUE` builds JSON, `_COMPANY_PAGE` pages companies.
"""

from collections.abc import AsyncIterator, Iterable
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Row, select, text

from prawko.base import logs
from prawko.base.clock import WARSAW, warsaw_date
from prawko.base.context import AppContext
from prawko.base.jobs import job
from prawko.deliveries.jobs import deliver_pending
from prawko.drivers.repository import DriverRepository
from prawko.drivers.schemas import CategoryOut
from prawko.notifications.expiry import LOOKAHEAD, unsent_expiries, upcoming_expiries
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.kinds import Expiry, ExpiryPayload, NoticeKind
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko.verifications.models import CheckItem
from prawko_tenants.ids import DriverId, TenantId
from prawko_tenants.reader import Reader, SessionReader

log = logs.get_logger(__name__)

# Reminders of a date are at most LOOKAHEAD old; the rest is margin.
SENT_LOOKBACK = 2 * LOOKAHEAD
FULL_SCAN_FROM = time(7)  # Warsaw time; the daily check is done
PAGE_SIZE = 1000
# An answer is written some time after `done_at`.
OVERLAP = timedelta(minutes=5)

# $2 is the driver limit, $3 and $4 the first and the last date of the look-ahead, $5 the time from
# which sent notices are read. Dates in JSON are ISO 8601, so they compare as text. $6 is a regular
# expression for a date in these months: matching the text costs a third of parsing it as JSON.
_FIND_DUE = """
    SELECT json_build_object(
        'drivers', (
            SELECT coalesce(json_agg(json_build_object(
                       'id', d.id, 'first_name', d.first_name, 'last_name', d.last_name,
                       'license_number', d.license_number, 'verified_at', d.verified_at,
                       'expiry_date', d.latest -> 'expiryDate',
                       'categories', d.latest -> 'categories'
                   )), '[]')
              FROM driver d JOIN ranked_driver r ON r.tenant_id = d.tenant_id AND r.id = d.id
             WHERE d.tenant_id = bound.tenant_id AND r.rank <= $2
               AND d.status = 'valid' AND d.latest::text ~ $6
               AND EXISTS (SELECT FROM (
                        SELECT d.latest ->> 'expiryDate'
                         UNION ALL
                        SELECT c ->> 'dataWaznosci'
                          FROM json_array_elements(coalesce(d.latest -> 'categories', '[]')) AS c
                        ) AS e (last_day)
                    WHERE e.last_day BETWEEN $3 AND $4)),
        'sent', (
            SELECT coalesce(json_agg(json_build_object(
                       'driver_id', n.driver_id, 'expiries', n.params -> 'expiries')), '[]')
              FROM notice n
             WHERE n.tenant_id = bound.tenant_id AND n.kind = 'expiring' AND n.created_at > $5))
"""
_COMPANY_PAGE = text("""
    SELECT tenant_id, driver_limit FROM monitored_company
     WHERE monitored_until > :now AND tenant_id > :after
       AND (:all_companies OR tenant_id = ANY (CAST(:tenant_ids AS uuid[])))
     ORDER BY tenant_id LIMIT :limit
""")


class _ExpiringDriver(msgspec.Struct, frozen=True, kw_only=True):
    """A driver with a valid document and a date within the look-ahead."""

    id: DriverId
    first_name: str
    last_name: str
    license_number: str
    verified_at: datetime
    expiry_date: date | None = None
    categories: list[CategoryOut] | None = None


class _Sent(msgspec.Struct, frozen=True):
    driver_id: DriverId
    expiries: list[Expiry]


class _DueReminders(msgspec.Struct, frozen=True):
    drivers: list[_ExpiringDriver]
    sent: list[_Sent]


class ExpiryQuery(msgspec.Struct, frozen=True):
    """Parameters of a scan: the oldest drivers up to the limit, on a Warsaw day."""

    driver_limit: int
    day: date
    now: datetime

    @property
    def params(self) -> tuple[object, ...]:
        """Arguments $2 to $6 of the statement."""
        last_day = self.day + LOOKAHEAD
        return (
            self.driver_limit,
            self.day.isoformat(),
            last_day.isoformat(),
            self.now - SENT_LOOKBACK,
            f'"({"|".join(_month_prefixes(self.day, last_day))})-[0-9]{{2}}"',
        )


def _month_prefixes(first: date, last: date) -> list[str]:
    """Months from the first day to the last, as prefixes of ISO dates: 2026-11."""
    days = (last - first).days
    return sorted({f"{first + timedelta(days=n):%Y-%m}" for n in range(days + 1)})


async def find_due_reminders(
    reader: Reader | SessionReader, query: ExpiryQuery
) -> list[NoticeDraft]:
    """A notice for each driver with unsent reminders; the most urgent last, to be listed first."""
    due = msgspec.json.decode(await reader.fetch_json(_FIND_DUE, *query.params), type=_DueReminders)
    day = query.day
    sent: dict[DriverId, set[Expiry]] = {}
    for notice in due.sent:
        sent.setdefault(notice.driver_id, set()).update(notice.expiries)
    unsent = {
        driver.id: unsent_expiries(_expiries_of(driver, day), sent.get(driver.id, ()))
        for driver in due.drivers
    }
    drivers = [driver for driver in due.drivers if unsent[driver.id]]
    drivers.sort(key=lambda driver: unsent[driver.id], reverse=True)
    return [_to_notice_draft(driver, unsent[driver.id], day) for driver in drivers]


def _expiries_of(driver: _ExpiringDriver, day: date) -> tuple[Expiry, ...]:
    categories = [
        (category.kategoria, category.data_waznosci) for category in driver.categories or ()
    ]
    return upcoming_expiries(driver.expiry_date, categories, day)


def _to_notice_draft(driver: _ExpiringDriver, unsent: Iterable[Expiry], day: date) -> NoticeDraft:
    expiries = tuple(unsent)
    keys = [f"{expiry.on}/{expiry.category or '-'}/{expiry.threshold}" for expiry in expiries]
    return NoticeDraft(
        kind=NoticeKind.EXPIRING,
        dedup_key=" ".join([str(driver.id), *keys]),
        driver_id=driver.id,
        payload=ExpiryPayload(
            first_name=driver.first_name,
            last_name=driver.last_name,
            license_number=driver.license_number,
            checked_at=driver.verified_at,
            day=day,
            expiries=expiries,
        ),
    )


class ScanCursor(msgspec.Struct):
    """Time of this process's last scan and the day of its last full scan.

    An optimisation only: a process that has just started does a full scan. `failed_companies` are
    included in the next scan.
    """

    scanned_at: datetime | None = None
    full_scan_on: date | None = None
    failed_companies: tuple[TenantId, ...] = ()


@job(timeout=600)
async def send_document_expiry_reminders(context: AppContext) -> None:
    """Scan all companies once a day, else those with answers since the last scan."""
    now = context.clock.now()
    day, cursor = warsaw_date(now), context.components.get(ScanCursor)
    is_full_scan = now.astimezone(WARSAW).time() >= FULL_SCAN_FROM and cursor.full_scan_on != day
    notices, failed = 0, list[TenantId]()
    tenant_ids = None if is_full_scan else await _recently_answered(context, cursor, now)
    async for company in _iter_companies(context, now, tenant_ids):
        if context.shutdown:
            return
        try:
            notices += await _process_company(context, company, now)
        except Exception:  # the other companies are scanned all the same
            log.exception("expiry_reminders_failed", tenant_id=company.tenant_id)
            failed.append(company.tenant_id)
    cursor.scanned_at, cursor.failed_companies = now, tuple(failed)
    if is_full_scan:
        cursor.full_scan_on = day
    if notices:
        log.info("expiry_reminders_sent", notices=notices)
        await context.queue.enqueue(deliver_pending)


async def _recently_answered(context: AppContext, cursor: ScanCursor, now: datetime) -> list[UUID]:
    """Companies with an answer of today since the last scan, and those whose scan failed."""
    since = datetime.combine(warsaw_date(now), time(), WARSAW)
    if cursor.scanned_at is not None and cursor.scanned_at <= now:
        since = max(since, cursor.scanned_at - OVERLAP)
    statement = (
        select(CheckItem.tenant_id)
        .where(CheckItem.day == warsaw_date(now), CheckItem.done_at > since)
        .distinct()
    )
    async with context.database.planner() as planner:
        return [*await planner.scalars(statement), *cursor.failed_companies]


async def _iter_companies(
    context: AppContext, now: datetime, tenant_ids: list[UUID] | None
) -> AsyncIterator[Row[Any]]:
    """Monitored companies among `tenant_ids`, None meaning all; read in pages."""
    if tenant_ids == []:
        return
    params = {
        "now": now,
        "all_companies": tenant_ids is None,
        "tenant_ids": tenant_ids or [],
        "limit": PAGE_SIZE,
    }
    after = UUID(int=0)
    while True:
        async with context.database.planner() as planner:
            page = (await planner.execute(_COMPANY_PAGE, {**params, "after": after})).all()
        for company in page:
            yield company
        if len(page) < PAGE_SIZE:
            return
        after = page[-1].tenant_id


async def _process_company(context: AppContext, company: Row[Any], now: datetime) -> int:
    """Publish a company's due reminders; returns the number of new notices."""
    tenant_id = TenantId(company.tenant_id)
    query = ExpiryQuery(company.driver_limit, warsaw_date(now), now)
    if not await find_due_reminders(context.database.reader(tenant_id), query):
        return 0
    async with context.database.tenant(tenant_id) as session:
        # Serialises concurrent scans: the second one sees the notices of the first.
        await DriverRepository(session).lock_company()
        return await publish_notices(
            session,
            tenant_id,
            await find_due_reminders(SessionReader(session), query),
            policy=ChannelPolicy.from_settings(context.settings),
            now=now,
        )
