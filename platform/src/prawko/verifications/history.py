"""A driver's verifications, in full and in short, and the freshness of a company's results.

In short: the changes of the answer, and the days with a check. PostgreSQL folds the rows: a driver
has one for each day, over years.
"""

from datetime import datetime

import msgspec
from sqlalchemy import Date, Select, Subquery, Text, case, cast, func, select
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.orm import aliased

from prawko.drivers.models import Driver
from prawko.drivers.queries import STALE_AFTER
from prawko.drivers.repository import DriverRepository
from prawko.kit.clock import add_days, warsaw_date, warsaw_midnight
from prawko.kit.crypto import KeyRing
from prawko.kit.database import Pagination
from prawko.kit.errors import BadRequestError, NotFoundError
from prawko.verifications.answers import (
    decrypt_answer,
    is_answer_of,
    stored_verification_out,
)
from prawko.verifications.models import RegisterAnswer, Verification
from prawko.verifications.schemas import (
    CheckedDayOut,
    CheckSummaryOut,
    HistoryEntryOut,
    StateChangeOut,
)
from prawko_tenants.ids import AnswerId, DriverId
from prawko_tenants.sessions import TenantSession


class TimeSpan(msgspec.Struct, frozen=True):
    """The time from one instant to another, both included; None means open.

    Raises BadRequestError for a time without a zone or one that PostgreSQL cannot hold.
    """

    since: datetime | None = None
    until: datetime | None = None

    def __post_init__(self) -> None:
        for instant in (self.since, self.until):
            if instant is not None and (instant.tzinfo is None or not 1 < instant.year < 9999):
                raise BadRequestError


async def list_history(
    session: TenantSession,
    key_ring: KeyRing,
    driver_id: DriverId,
    pagination: Pagination,
    span: TimeSpan = TimeSpan(),  # noqa: B008  # frozen
) -> tuple[list[HistoryEntryOut], int]:
    """A page of the driver's verifications in a span, newest first, and their total.

    Includes verifications of earlier documents. Raises NotFoundError.
    """
    await require_driver(session, driver_id)
    is_listed = [Verification.driver_id == driver_id]
    if span.since is not None:
        is_listed.append(Verification.verified_at >= span.since)
    if span.until is not None:
        is_listed.append(Verification.verified_at <= span.until)
    total = (await session.scalars(select(func.count()).where(*is_listed))).one()
    newest_first = select(Verification).where(*is_listed).order_by(Verification.verified_at.desc())
    page = newest_first.limit(pagination.size).offset(pagination.offset).subquery()
    verification = aliased(Verification, page)
    rows = await session.execute(
        select(verification, RegisterAnswer)
        .join(RegisterAnswer, is_answer_of(verification))
        .order_by(verification.verified_at.desc())
    )
    return [_to_history_entry(key_ring, *row) for row in rows], total


async def require_driver(session: TenantSession, driver_id: DriverId) -> None:
    """Raise NotFoundError unless the driver is the company's."""
    if await session.scalar(select(Driver.id).where(Driver.id == driver_id)) is None:
        raise NotFoundError


async def load_summary(session: TenantSession, now: datetime, limit: int | None) -> CheckSummaryOut:
    """Freshness of the company's results.

    `limit` is the number of monitored drivers, None if the company is not monitored; then every
    result is stale. Drivers beyond the limit are left out: they are marked one by one.
    """
    freshness = await DriverRepository(session).load_freshness(limit, now - STALE_AFTER)
    return CheckSummaryOut(
        oldest_verified_at=freshness.oldest,
        stale_count=freshness.checked if limit is None else freshness.stale,
        checking_stopped=limit is None,
    )


def _to_history_entry(
    key_ring: KeyRing, verification: Verification, answer: RegisterAnswer
) -> HistoryEntryOut:
    content = stored_verification_out(verification, answer)
    return HistoryEntryOut(
        **msgspec.structs.asdict(content),
        verification_response=decrypt_answer(
            key_ring, AnswerId(answer.id), answer.key_id, answer.raw
        ),
    )


STRIP_DAYS = 365

_READABLE = (
    RegisterAnswer.document_version,
    RegisterAnswer.license_number,
    RegisterAnswer.document_code,
    RegisterAnswer.document_status,
    RegisterAnswer.issuing_authority,
    RegisterAnswer.expiry_date,
    cast(RegisterAnswer.categories, Text),
    cast(RegisterAnswer.reasons, Text),
    RegisterAnswer.notes,
)


async def list_changes(
    session: TenantSession, driver_id: DriverId, pagination: Pagination
) -> tuple[list[StateChangeOut], int]:
    """A page of the changes, newest first, and their total. Raises NotFoundError."""
    await require_driver(session, driver_id)
    runs = _select_runs(driver_id).subquery()
    total = (await session.scalars(select(func.count()).select_from(runs))).one()
    page = (
        select(runs)
        .order_by(runs.c.last_at.desc())
        .limit(pagination.size)
        .offset(pagination.offset)
        .subquery()
    )
    newest = aliased(Verification)
    rows = await session.execute(
        select(newest, RegisterAnswer, page.c.first_at, page.c.checks)
        .select_from(page)
        .join(newest, (newest.driver_id == driver_id) & (newest.verified_at == page.c.last_at))
        .join(RegisterAnswer, is_answer_of(newest))
        .order_by(page.c.last_at.desc())
    )
    return [_to_change(*row) for row in rows], total


async def list_checked_days(
    session: TenantSession, driver_id: DriverId, now: datetime
) -> list[CheckedDayOut]:
    """The days with a check among today and the 364 before, oldest first. Raises NotFoundError."""
    await require_driver(session, driver_id)
    start = warsaw_midnight(warsaw_date(add_days(now, 1 - STRIP_DAYS)))
    day = cast(func.timezone("Europe/Warsaw", Verification.verified_at), Date).label("day")
    outcomes = func.array_agg(
        aggregate_order_by(Verification.outcome, Verification.verified_at.desc())
    )
    rows = await session.execute(
        select(day, outcomes[1], func.count())
        .where(Verification.driver_id == driver_id, Verification.verified_at >= start)
        .group_by(day)
        .order_by(day)
    )
    return [CheckedDayOut(day=on, status=status, checks=count) for on, status, count in rows]


def _select_runs(driver_id: DriverId) -> Select[datetime, datetime, int]:
    """First and last time, and number, of verifications one after another with the same content.

    The driver's few distinct contents are numbered, so that only a number of each verification is
    compared. Two answers may differ in fields that are not shown.
    """
    content = (
        select(RegisterAnswer.id, func.dense_rank().over(order_by=_READABLE).label("content"))
        .where(RegisterAnswer.driver_id == driver_id)
        .subquery()
    )
    at = Verification.verified_at
    is_same = (func.lag(content.c.content).over(order_by=at) == content.c.content) & (
        func.lag(Verification.outcome).over(order_by=at) == Verification.outcome
    )
    starts = (
        select(Verification.verified_at, case((is_same, 0), else_=1).label("start"))
        .join(content, content.c.id == Verification.answer_id)
        .where(Verification.driver_id == driver_id)
        .subquery()
    )
    numbered = _number_runs(starts)
    return select(
        func.min(numbered.c.verified_at).label("first_at"),
        func.max(numbered.c.verified_at).label("last_at"),
        func.count().label("checks"),
    ).group_by(numbered.c.run)


def _number_runs(starts: Subquery) -> Subquery:
    run = func.sum(starts.c.start).over(order_by=starts.c.verified_at)
    return select(starts.c.verified_at, run.label("run")).subquery()


def _to_change(
    newest: Verification, answer: RegisterAnswer, first_at: datetime, checks: int
) -> StateChangeOut:
    content = stored_verification_out(newest, answer)
    return StateChangeOut(
        **msgspec.structs.asdict(content), first_verified_at=first_at, checks=checks
    )
