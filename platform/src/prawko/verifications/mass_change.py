"""Limits above which the suspicious status changes of a run need an operator's review.

A renamed dictionary entry or a lost table at the register would change the status of every driver
at once. A change to `not_found` or `attention` is therefore quarantined until the run is complete;
if there are too many, none takes effect before an operator approves. Changes to `invalid`, and
returns from it to `valid`, always take effect at once; too many of them open an incident.
`ReviewRepository` has the statements about quarantined items and the review of their run.
"""

from collections.abc import Collection, Sequence
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from sqlalchemy import Row, case, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased, defer

from prawko.drivers.models import UNKNOWN, Driver, Outcome
from prawko.verifications.models import CheckItem, CheckRun, RegisterAnswer
from prawko_tenants.ids import TenantId

MAX_UNREVIEWED_CHANGES = 20
MAX_UNREVIEWED_PERCENT = 2
# How many changes one company may add by drivers who had no outcome before. A company chooses their
# numbers itself, and a failing register fails for every company.
MAX_FIRST_OUTCOMES_PER_COMPANY = 5
PENDING = "pending"
_IS_QUARANTINED = CheckItem.state == "quarantined"
_AWAITS_RECHECK = (CheckItem.state == "due") & CheckItem.not_found_since.is_not(None)
_COUNTS = ("provisional", "awaiting_recheck", "effective", "excess")


class StatusChanges(NamedTuple):
    """Numbers of suspicious status changes in one run.

    `provisional` ones are quarantined, `awaiting_recheck` documents were missing once and are
    queried again, `effective` ones were applied earlier in the run (new drivers not counted).
    `excess` are first outcomes among the provisional ones, beyond each company's share. `later`
    are those of other drivers in the runs that have superseded this one.
    """

    provisional: int
    awaiting_recheck: int
    effective: int
    excess: int = 0
    later: int = 0

    @property
    def counted(self) -> int:
        """How many of them count towards the limit."""
        of_run = self.provisional - self.excess + self.awaiting_recheck + self.effective
        return of_run + self.later


def counts_towards_limit(previous_status: str) -> bool:
    """Whether a change counts in full; new drivers' changes count up to their company's share."""
    return previous_status != UNKNOWN


def is_mass_change(changed: int, answered: int) -> bool:
    """Whether so many changes need an operator; `answered` drivers of the run have an answer."""
    return changed > MAX_UNREVIEWED_CHANGES and changed * 100 > MAX_UNREVIEWED_PERCENT * answered


def is_mass_return(returned: int, invalid_before: int) -> bool:
    """Whether so many of the drivers who were invalid the run before need an operator."""
    return returned > MAX_UNREVIEWED_CHANGES and 2 * returned > invalid_before


class ReviewDecision(StrEnum):
    """An operator's decision about a run's quarantined changes; stored in `review_state`."""

    APPROVED = "approved"
    REJECTED = "rejected"


class PendingReview(msgspec.Struct, frozen=True):
    """A run whose quarantined changes wait for an operator's decision."""

    day: date
    planned: int
    quarantined: int


class ReviewRepository:
    """Reads and writes the reviews of runs in the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_pending(self) -> list[PendingReview]:
        """Runs with a pending review, oldest first."""
        statement = (
            select(CheckRun.day, CheckRun.planned, func.count(CheckItem.driver_id))
            .outerjoin(CheckItem, (CheckItem.day == CheckRun.day) & _IS_QUARANTINED)
            .where(CheckRun.review_state == PENDING)
            .group_by(CheckRun.day, CheckRun.planned)
            .order_by(CheckRun.day)
        )
        return [PendingReview(*row) for row in await self._session.execute(statement)]

    async def get_run(self, day: date) -> CheckRun | None:
        """The day's run; None if there is none."""
        return await self._session.scalar(select(CheckRun).where(CheckRun.day == day))

    async def lock_run(self, day: date) -> CheckRun | None:
        """The day's run, locked until the transaction ends; None if there is none."""
        statement = select(CheckRun).where(CheckRun.day == day).with_for_update()
        return await self._session.scalar(statement)

    async def close_review(self, day: date, decision: ReviewDecision) -> bool:
        """Store the decision; False if no review is pending."""
        closed = await self._session.scalar(
            update(CheckRun)
            .where(CheckRun.day == day, CheckRun.review_state == PENDING)
            .values(review_state=decision)
            .returning(CheckRun.day)
        )
        return closed is not None

    async def list_decided(self) -> list[tuple[date, ReviewDecision]]:
        """Decisions that are not applied, or not to the end; oldest first."""
        statement = (
            select(CheckRun.day, CheckRun.review_state)
            .where(CheckRun.review_state.in_([*ReviewDecision]), CheckRun.quarantined > 0)
            .order_by(CheckRun.day)
        )
        rows = await self._session.execute(statement)
        return [(row.day, ReviewDecision(row.review_state)) for row in rows]

    async def mark_applied(self, day: date) -> None:
        """Record that the decision is applied."""
        await self._session.execute(
            update(CheckRun)
            .where(CheckRun.day == day, CheckRun.review_state.in_([*ReviewDecision]))
            .values(quarantined=0)
        )

    async def count_changes(self, day: date, today: date) -> StatusChanges:
        """Numbers of suspicious status changes of the day's run, and of later ones until today."""
        is_effective = (CheckItem.state == "done") & CheckItem.counted_change
        is_first = _IS_QUARANTINED & ~CheckItem.counted_change
        by_company = (
            select(
                func.count().filter(_IS_QUARANTINED).label("provisional"),
                func.count().filter(_AWAITS_RECHECK).label("awaiting_recheck"),
                func.count().filter(is_effective).label("effective"),
                func.greatest(
                    func.count().filter(is_first) - MAX_FIRST_OUTCOMES_PER_COMPANY, 0
                ).label("excess"),
            )
            .where(CheckItem.day == day, _IS_QUARANTINED | _AWAITS_RECHECK | is_effective)
            .group_by(CheckItem.tenant_id)
            .subquery()
        )
        sums = select(*(func.coalesce(func.sum(by_company.c[name]), 0) for name in _COUNTS))
        changes = StatusChanges(*map(int, (await self._session.execute(sums)).one()))
        return changes._replace(later=await self._count_later_changes(day, today))

    async def _count_later_changes(self, day: date, today: date) -> int:
        """Drivers with a counted change in a later run, and none in the day's.

        Runs after today were made by a clock that was ahead, and have superseded nothing.
        """
        earlier = aliased(CheckItem)
        in_days_run = exists().where(
            earlier.day == day,
            earlier.tenant_id == CheckItem.tenant_id,
            earlier.driver_id == CheckItem.driver_id,
            earlier.counted_change,
        )
        drivers = (
            select(CheckItem.tenant_id, CheckItem.driver_id)
            .where(CheckItem.day > day, CheckItem.day <= today)
            .where(CheckItem.counted_change | _AWAITS_RECHECK, ~in_days_run)
            .distinct()
        )
        return await self._session.scalar(select(func.count()).select_from(drivers.subquery())) or 0

    async def count_new_alarms(self, day: date) -> int:
        """Drivers of the day's run with outcome invalid, and another one in the run before.

        Drivers without an earlier outcome are not counted.
        """
        earlier = aliased(CheckItem)
        previous = (
            select(earlier.outcome)
            .where(earlier.tenant_id == CheckItem.tenant_id)
            .where(earlier.driver_id == CheckItem.driver_id)
            .where(earlier.day < CheckItem.day, earlier.outcome.is_not(None))
            .order_by(earlier.day.desc())
            .limit(1)
            .scalar_subquery()
        )
        is_alarm = (CheckItem.state == "done") & (CheckItem.outcome == Outcome.INVALID)
        alarms = select(func.count()).where(CheckItem.day == day, is_alarm)
        return await self._session.scalar(alarms.where(previous != Outcome.INVALID)) or 0

    async def get_run_before(self, day: date) -> CheckRun | None:
        """The last run before the day's; None if there is none."""
        earlier = select(CheckRun).where(CheckRun.day < day)
        return await self._session.scalar(earlier.order_by(CheckRun.day.desc()).limit(1))

    async def count_returns(self, day: date, day_before: date) -> tuple[int, int]:
        """Drivers invalid in the run before: how many are valid in the day's, and all of them."""
        earlier = aliased(CheckItem)
        is_valid = (CheckItem.state == "done") & (CheckItem.outcome == Outcome.VALID)
        is_same_driver = (CheckItem.driver_id == earlier.driver_id) & (CheckItem.day == day)
        statement = (
            select(func.count().filter(is_valid), func.count())
            .select_from(earlier)
            .outerjoin(CheckItem, is_same_driver & (CheckItem.tenant_id == earlier.tenant_id))
            .where(earlier.day == day_before, earlier.outcome == Outcome.INVALID)
        )
        returned, invalid = (await self._session.execute(statement)).one()
        return returned, invalid

    async def lock_items(self, day: date, limit: int) -> Sequence[CheckItem]:
        """Lock up to `limit` quarantined items; those of a company follow each other."""
        statement = (
            select(CheckItem)
            .where(CheckItem.day == day, _IS_QUARANTINED)
            .order_by(CheckItem.tenant_id, CheckItem.driver_id)
            .limit(limit)
            .with_for_update()
        )
        return (await self._session.scalars(statement)).all()

    async def lock_drivers(
        self, day: date, tenant_id: TenantId, driver_ids: Sequence[UUID]
    ) -> Sequence[Row[CheckItem, Driver, RegisterAnswer, dict[str, Any] | None]]:
        """Lock the drivers of the session's company; each with its item and the item's answer.

        The last column is the driver's latest verification, if there are needed categories.
        """
        has_needed = func.cardinality(Driver.needed_categories) > 0
        statement = (
            select(CheckItem, Driver, RegisterAnswer, case((has_needed, Driver.latest)))
            .join(Driver, Driver.id == CheckItem.driver_id)
            .join(RegisterAnswer, RegisterAnswer.driver_id == Driver.id)
            .where(RegisterAnswer.id == CheckItem.answer_id)
            .where(CheckItem.day == day, CheckItem.tenant_id == tenant_id)
            .where(CheckItem.driver_id.in_(driver_ids))
            .order_by(Driver.id)
            .options(defer(Driver.latest), defer(RegisterAnswer.raw))
            .with_for_update(of=Driver)
        )
        return (await self._session.execute(statement)).all()

    async def close_items(
        self, day: date, tenant_id: TenantId, driver_ids: Sequence[UUID], counted: Collection[UUID]
    ) -> None:
        """Close quarantined items of a company; those of `counted` drivers count as changes."""
        await self._session.execute(
            update(CheckItem)
            .where(CheckItem.day == day, CheckItem.tenant_id == tenant_id)
            .where(CheckItem.driver_id.in_(driver_ids), _IS_QUARANTINED)
            .values(state="done", counted_change=CheckItem.driver_id.in_(counted))
            .execution_options(synchronize_session=False)
        )

    async def reject_items(self, day: date) -> list[Outcome]:
        """Close the quarantined items without effect; returns their outcomes."""
        statement = (
            update(CheckItem)
            .where(CheckItem.day == day, _IS_QUARANTINED)
            .values(state="done", counted_change=True)
            .returning(CheckItem.outcome)
        )
        return [Outcome(value) for value in await self._session.scalars(statement) if value]
