"""Notices to companies about expiring and expired documents and licence categories.

Once a day all companies are scanned: one statement reads a company's drivers with an expiry date
that is over or within the look-ahead, and the notices sent before. Companies with answers after
that (new or corrected drivers) are scanned again on the same day. A scan reads the sent notices, so
it may be repeated or late. SQL text: `_FIND_DUE` builds JSON, `_COMPANY_PAGE` pages companies.

A needed category whose date has passed has its own notice, with an SMS (docs/rules.md R9a). A date
that either notice has named is not named again, also if the company marks it as needed later.
Categories are compared by their names in the law, because the register may write them otherwise.

An expired document normally changes the outcome to `attention`, which has its own notice. These
notices name it only when the register has not answered since it expired.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Row, select, text

from prawko.drivers.models import Outcome
from prawko.drivers.needed_categories import (
    Category,
    CategoryProblem,
    Validity,
    category_name,
    entitled_until,
    find_category_problems,
)
from prawko.drivers.queries import STALE_AFTER
from prawko.drivers.repository import DriverRepository
from prawko.drivers.schemas import CategoryOut
from prawko.drivers.status_notices import CheckedDocument, to_category_notice
from prawko.kit.clock import WARSAW, utc_now, warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.observability import logs
from prawko.kit.work.jobs import job
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.expiry import (
    EXPIRED,
    LOOKAHEAD,
    reached_expiries,
    unsent_expiries,
)
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.payloads import Expiry, ExpiryPayload
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko.verifications.models import CheckItem
from prawko_tenants.ids import DriverId, TenantId
from prawko_tenants.reader import Reader, SessionReader

log = logs.get_logger(__name__)

# Reminders of a date are at most LOOKAHEAD old; the rest is margin.
SENT_LOOKBACK = 2 * LOOKAHEAD
FULL_SCAN_FROM = time(7)  # Warsaw time; the daily check is done
PAGE_SIZE = 1000
FIRST_COMPANY = UUID(int=0)  # before every id
# Far below the time limit of the job: a million drivers take minutes of a busy machine.
MAX_PART_TIME = timedelta(minutes=2)
# An answer is written some time after `done_at`.
OVERLAP = timedelta(minutes=5)
FIRST_DECADE = 190  # no licence expired before 1900

# $2 is the driver limit, $3 the last date of the look-ahead, $4 the time from which sent reminders
# are read; notices of dates that are over are never sent again. Dates in JSON are ISO 8601, so
# they compare as text. $5 is a regular expression for a date up to the month of $3: matching the
# text costs a third of parsing it as JSON.
_FIND_DUE = """
    SELECT json_build_object(
        'drivers', (
            SELECT coalesce(json_agg(json_build_object(
                       'id', d.id, 'first_name', d.first_name, 'last_name', d.last_name,
                       'license_number', d.license_number, 'verified_at', d.verified_at,
                       'expiry_date', d.latest -> 'expiryDate',
                       'categories', d.latest -> 'categories',
                       'needed_categories', d.needed_categories
                   )), '[]')
              FROM driver d JOIN ranked_driver r ON r.tenant_id = d.tenant_id AND r.id = d.id
             WHERE d.tenant_id = bound.tenant_id AND r.rank <= $2
               AND d.status = 'valid' AND d.latest::text ~ $5
               AND EXISTS (SELECT FROM (
                        SELECT d.latest ->> 'expiryDate'
                         UNION ALL
                        SELECT c ->> 'dataWaznosci'
                          FROM json_array_elements(coalesce(d.latest -> 'categories', '[]')) AS c
                        ) AS e (last_day)
                    WHERE e.last_day <= $3)),
        'sent', (
            SELECT coalesce(json_agg(json_build_object(
                       'driver_id', n.driver_id, 'expiries', n.params -> 'expiries')), '[]')
              FROM notice n
             WHERE n.tenant_id = bound.tenant_id
               AND (n.kind IN ('expired', 'category_invalid')
                    OR n.kind = 'expiring' AND n.created_at > $4)))
"""
_COMPANY_PAGE = text("""
    SELECT tenant_id, driver_limit FROM monitored_company
     WHERE monitored_until > :now AND tenant_id > :after
       AND (:all_companies OR tenant_id = ANY (CAST(:tenant_ids AS uuid[])))
     ORDER BY tenant_id LIMIT :limit
""")


class _ExpiringDriver(msgspec.Struct, frozen=True, kw_only=True):
    """A driver whose status is valid, with a date that is over or within the look-ahead."""

    id: DriverId
    first_name: str
    last_name: str
    license_number: str
    verified_at: datetime
    expiry_date: date | None = None
    categories: list[CategoryOut] | None = None
    needed_categories: list[str] = []


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
        """Arguments $2 to $5 of the statement."""
        last_day = self.day + LOOKAHEAD
        return (
            self.driver_limit,
            last_day.isoformat(),
            self.now - SENT_LOOKBACK,
            f'"({"|".join(_month_patterns(last_day))})-[0-9]{{2}}"',
        )


def _month_patterns(last: date) -> list[str]:
    """Regular expressions for the months up to the last day's, as prefixes of ISO dates."""
    decade = last.year // 10
    return [
        *(f"{earlier}[0-9]-[0-9]{{2}}" for earlier in range(FIRST_DECADE, decade)),
        *(f"{year}-[0-9]{{2}}" for year in range(decade * 10, last.year)),
        *(f"{last.year}-{month:02}" for month in range(1, last.month + 1)),
    ]


async def find_due_reminders(
    reader: Reader | SessionReader, query: ExpiryQuery
) -> list[NoticeDraft]:
    """The unsent notices, one of each kind for a driver; the most urgent last, to be listed first.

    Those about dates that are over come after the reminders, those about needed categories last.
    """
    due = msgspec.json.decode(await reader.fetch_json(_FIND_DUE, *query.params), type=_DueReminders)
    day = query.day
    sent: dict[DriverId, set[Expiry]] = {}
    for notice in due.sent:
        sent.setdefault(notice.driver_id, set()).update(map(_with_name, notice.expiries))
    coming, over, needed = list[NoticeDraft](), list[NoticeDraft](), list[NoticeDraft]()
    for driver in due.drivers:
        unsent = unsent_expiries(_expiries_of(driver, day), sent.get(driver.id, ()))
        reminders = [expiry for expiry in unsent if expiry.threshold != EXPIRED]
        expired = [expiry for expiry in unsent if expiry.threshold == EXPIRED]
        problems = _category_problems(driver, day)
        lost = [expiry for expiry in expired if (expiry.category, expiry.on) in problems]
        expired = [one for one in expired if one.category not in driver.needed_categories]
        if reminders:
            coming.append(_to_notice_draft(NoticeKind.EXPIRING, driver, reminders, day, query.now))
        if expired:
            over.append(_to_notice_draft(NoticeKind.EXPIRED, driver, expired, day, query.now))
        if lost:
            needed.append(_to_category_draft(driver, lost, day))
    coming.sort(key=_expiries_of_draft, reverse=True)
    over.sort(key=_expiries_of_draft)
    return coming + over + needed


def _with_name(expiry: Expiry) -> Expiry:
    return msgspec.structs.replace(expiry, category=category_name(expiry.category))


def _category_problems(driver: _ExpiringDriver, day: date) -> tuple[CategoryProblem, ...]:
    return find_category_problems(driver.needed_categories, _categories_of(driver), day)


def _expiries_of(driver: _ExpiringDriver, day: date) -> tuple[Expiry, ...]:
    return reached_expiries(driver.expiry_date, _categories_of(driver), day)


def _categories_of(driver: _ExpiringDriver) -> list[Category]:
    return [
        (category_name(category.kategoria), category.data_waznosci)
        for category in driver.categories or ()
    ]


def _expiries_of_draft(draft: NoticeDraft) -> tuple[Expiry, ...]:
    payload = draft.payload
    return payload.expiries if isinstance(payload, ExpiryPayload) else ()


def _to_notice_draft(
    kind: NoticeKind, driver: _ExpiringDriver, unsent: Iterable[Expiry], day: date, now: datetime
) -> NoticeDraft:
    expiries = tuple(unsent)
    until = entitled_until(driver.expiry_date, driver.needed_categories, _categories_of(driver))
    return NoticeDraft(
        kind=kind,
        dedup_key=_dedup_key(driver, expiries),
        driver_id=driver.id,
        payload=ExpiryPayload(
            first_name=driver.first_name,
            last_name=driver.last_name,
            license_number=driver.license_number,
            checked_at=driver.verified_at,
            may_drive=Validity(Outcome.VALID, until).may_drive(
                day, is_current=driver.verified_at >= now - STALE_AFTER
            ),
            day=day,
            expiries=expiries,
        ),
    )


def _to_category_draft(
    driver: _ExpiringDriver, expiries: Sequence[Expiry], day: date
) -> NoticeDraft:
    document = CheckedDocument(
        driver_id=driver.id,
        first_name=driver.first_name,
        last_name=driver.last_name,
        license_number=driver.license_number,
        checked_at=driver.verified_at,
    )
    problems = [CategoryProblem(expiry.category, expiry.on) for expiry in expiries]
    return to_category_notice(document, problems, day, _dedup_key(driver, expiries))


def _dedup_key(driver: _ExpiringDriver, expiries: Iterable[Expiry]) -> str:
    keys = [f"{expiry.on}/{expiry.category or '-'}/{expiry.threshold}" for expiry in expiries]
    return " ".join([str(driver.id), *keys])


class ScanCursor(msgspec.Struct):
    """Time of this process's last scan and the day of its last full scan.

    An optimisation only: a process that has just started does a full scan. `failed_companies` are
    included in the next scan. A full scan of many companies is done in parts: `resumed_after` is
    the last company of the previous part, on `resumed_on`. Companies with answers since `began_at`,
    the start of the first part, are scanned again.
    """

    scanned_at: datetime | None = None
    full_scan_on: date | None = None
    failed_companies: tuple[TenantId, ...] = ()
    resumed_after: UUID = FIRST_COMPANY
    resumed_on: date | None = None
    began_at: datetime | None = None

    def start_after(self, day: date) -> UUID:
        """The company after which a full scan of the day goes on."""
        return self.resumed_after if self.resumed_on == day else FIRST_COMPANY


@job(timeout=600)
async def send_document_expiry_reminders(context: AppContext) -> None:
    """Scan all companies once a day, in parts, else those with answers since the last scan."""
    now = context.clock.now()
    day, cursor = warsaw_date(now), context.components.get(ScanCursor)
    is_full_scan = now.astimezone(WARSAW).time() >= FULL_SCAN_FROM and cursor.full_scan_on != day
    notices, failed = 0, list[TenantId]()
    tenant_ids = None if is_full_scan else await _recently_answered(context, cursor, now)
    deadline = utc_now() + MAX_PART_TIME
    after = cursor.start_after(day) if is_full_scan else FIRST_COMPANY
    if after == FIRST_COMPANY:
        cursor.began_at, cursor.failed_companies = now, ()
    async for company in _iter_companies(context, now, tenant_ids, after):
        if context.must_stop():
            return
        try:
            notices += await _process_company(context, company, now)
        except Exception:  # the other companies are scanned all the same
            log.exception("expiry_reminders_failed", tenant_id=company.tenant_id)
            failed.append(company.tenant_id)
        if is_full_scan and utc_now() > deadline:
            # A later start would find the same companies first, and never the last ones.
            cursor.resumed_after, cursor.resumed_on = company.tenant_id, day
            cursor.failed_companies = (*cursor.failed_companies, *failed)
            await context.queue.enqueue(send_document_expiry_reminders)
            break
    else:
        cursor.resumed_on = None
        cursor.scanned_at = cursor.began_at
        cursor.failed_companies = (*cursor.failed_companies, *failed)
        if is_full_scan:
            cursor.full_scan_on = day
    if notices:
        log.info("expiry_reminders_sent", notices=notices)


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
    context: AppContext, now: datetime, tenant_ids: list[UUID] | None, after: UUID
) -> AsyncIterator[Row[Any]]:
    """Monitored companies among `tenant_ids`, None meaning all, after one; read in pages."""
    if tenant_ids == []:
        return
    params = {
        "now": now,
        "all_companies": tenant_ids is None,
        "tenant_ids": tenant_ids or [],
        "limit": PAGE_SIZE,
    }
    while True:
        async with context.database.planner() as planner:
            page = (await planner.execute(_COMPANY_PAGE, {**params, "after": after})).all()
        for company in page:
            yield company
        if len(page) < PAGE_SIZE:
            return
        after = page[-1].tenant_id


async def _process_company(context: AppContext, company: Row[Any], now: datetime) -> int:
    """Publish a company's due notices; returns the number of new ones."""
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
