"""A driver's verifications in short: changes of the answer, and the days with a check.

PostgreSQL folds the rows: a driver has one for each day, over years.
"""

from datetime import datetime

import msgspec
from sqlalchemy import Date, Select, Subquery, Text, case, cast, func, select
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.orm import aliased

from prawko.kit.clock import add_days, warsaw_date, warsaw_midnight
from prawko.kit.database import Pagination
from prawko.verifications.history import require_driver
from prawko.verifications.models import RegisterAnswer, Verification
from prawko.verifications.results.answers import is_answer_of, stored_verification_out
from prawko.verifications.schemas import CheckedDayOut, StateChangeOut
from prawko_tenants.ids import DriverId
from prawko_tenants.sessions import TenantSession

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
