"""All drivers of a company on a day: who may drive, by which check, and who reacted."""

import asyncio
from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import aliased

from prawko.accounts.models import UserAccount
from prawko.drivers.models import UNKNOWN, Acknowledgement, Driver, EntryKind, MayDrive, Outcome
from prawko.drivers.queries import STALE_AFTER, list_drivers_json
from prawko.drivers.schemas import (
    AcknowledgementOut,
    CategoryOut,
    DriverSummaryOut,
    EpisodeOut,
    VerificationSummaryOut,
)
from prawko.kit.clock import warsaw_date, warsaw_midnight
from prawko.verifications.answers import is_answer_of
from prawko.verifications.models import RegisterAnswer, Verification
from prawko.verifications.outcome import is_expired, judge_check, last_day_of
from prawko_tenants.ids import DriverId
from prawko_tenants.sessions import TenantSession

_Acknowledged = dict[DriverId, tuple[EpisodeOut, list[str]]]


async def list_present(session: TenantSession, now: datetime) -> list[DriverSummaryOut]:
    """The drivers at present, as the list shows them."""
    body = await list_drivers_json(session, now)
    return await asyncio.to_thread(msgspec.json.decode, body, type=list[DriverSummaryOut])


async def list_past(session: TenantSession, day: date) -> list[DriverSummaryOut]:
    """The drivers at the end of a Warsaw day, each with the last check of the 48 hours before.

    Name and number are those that were queried. The needed categories may have been others then: a
    driver who may not drive because of those of today has to be checked. A driver without a check
    is unknown. An episode begins with the acknowledged one, and is null without an acknowledgement.
    """
    end = warsaw_midnight(day + timedelta(days=1))
    checks, entries = await _list_checks(session, end), await _list_acknowledgements(session, end)
    drivers = await session.execute(
        select(
            Driver.id, Driver.first_name, Driver.last_name, Driver.license_number,
            Driver.needed_categories,
        )
        .where(Driver.created_at < end)
        .order_by(Driver.sort_key, Driver.id)
    )  # fmt: skip
    return await asyncio.to_thread(_summarise, drivers.all(), checks, entries, day)


def _summarise(
    drivers: Sequence[Any], checks: Sequence[Any], entries: _Acknowledged, day: date
) -> list[DriverSummaryOut]:
    by_driver = {row.driver_id: row for row in checks}

    def to_summary(driver: Any) -> DriverSummaryOut:
        row, needed = by_driver.get(driver.id), driver.needed_categories
        check = _to_check(row) if row else None
        may_drive = judge_check(check, day) if check else MayDrive.CHECK
        if check and may_drive is MayDrive.YES:
            is_lost = judge_check(check, day, needed) is MayDrive.NO
            may_drive = MayDrive.CHECK if is_lost else may_drive
        entry, outcomes = entries.get(driver.id, (None, ()))
        is_acknowledged = check and entry and _belongs(check, entry.since, outcomes, needed)
        person = row or driver
        return DriverSummaryOut(
            id=driver.id, first_name=person.first_name, last_name=person.last_name,
            license_number=person.license_number, status=check.status if check else UNKNOWN,
            may_drive=may_drive, needed_categories=needed,
            over_limit=False, stale_since=None, verifications=[check] if check else [],
            episode=entry if is_acknowledged and may_drive is not MayDrive.YES else None,
        )  # fmt: skip

    return [to_summary(driver) for driver in drivers]


def _belongs(
    check: VerificationSummaryOut, since: datetime, outcomes: Collection[str], needed: Sequence[str]
) -> bool:
    """Whether a check is part of the episode since then, by all outcomes between the two.

    The episode of a valid document that entitles no longer began after its last day.
    """
    if check.status != Outcome.VALID:
        return since <= check.verified_at and {*outcomes} == {check.status}
    until = last_day_of(check, needed)
    is_over = until is not None and since >= warsaw_midnight(until + timedelta(days=1))
    return is_over and {*outcomes} <= {Outcome.VALID}


async def _list_checks(session: TenantSession, end: datetime) -> Sequence[Any]:
    """The last check of each driver in the 48 hours before, with who was queried."""
    answer = RegisterAnswer
    columns = (
        Verification.driver_id, Verification.outcome, Verification.verified_at, answer.first_name,
        answer.last_name, answer.license_number, answer.document_status, answer.expiry_date,
        answer.categories,
    )  # fmt: skip
    rows = await session.execute(
        select(*columns)
        .join(RegisterAnswer, is_answer_of(Verification))
        .where(Verification.verified_at >= end - STALE_AFTER, Verification.verified_at < end)
        .ext(distinct_on(Verification.driver_id))
        .order_by(Verification.driver_id, Verification.verified_at.desc())
    )
    return rows.all()


def _to_check(row: Any) -> VerificationSummaryOut:
    return VerificationSummaryOut(
        status=row.outcome, verified_at=row.verified_at, document_status=row.document_status,
        issuing_authority=None, expiry_date=row.expiry_date,
        expired=is_expired(row.expiry_date, warsaw_date(row.verified_at)),
        categories=msgspec.convert(row.categories, list[CategoryOut]),
    )  # fmt: skip


async def _list_acknowledgements(session: TenantSession, end: datetime) -> _Acknowledged:
    """Each driver's last acknowledged episode before, and the outcomes of its checks until then."""
    made = Acknowledgement
    newest = (made.driver_id, made.created_at.desc(), made.entry.desc())
    before = select(made).where(made.created_at < end)
    last = before.ext(distinct_on(made.driver_id)).order_by(*newest)
    entry = aliased(Acknowledgement, last.subquery())
    outcomes = select(func.array_agg(Verification.outcome.distinct())).where(
        Verification.driver_id == entry.driver_id,
        Verification.verified_at >= entry.since,
        Verification.verified_at < end,
    )
    rows = await session.execute(
        select(entry, UserAccount.email, outcomes.scalar_subquery())
        .outerjoin(UserAccount, UserAccount.id == entry.created_by)
        .where(entry.kind == EntryKind.ACKNOWLEDGED)
    )
    found: _Acknowledged = {}
    for one, email, of_checks in rows:
        acknowledgement = AcknowledgementOut(
            id=one.id, note=one.note, created_at=one.created_at, created_by=email
        )
        episode = EpisodeOut(since=one.since, reasons=[], acknowledgement=acknowledgement)
        found[one.driver_id] = episode, of_checks or []
    return found
