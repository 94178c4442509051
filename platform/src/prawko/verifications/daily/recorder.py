"""Records the results of leased check items: verifications, driver states, notices and items.

An answer is recorded only if the item's fence is unchanged, so the lease was not lost. A batch is
one transaction; SQL text, because each statement locks or writes a set of items.
"""

from collections.abc import Sequence
from datetime import date, datetime
from itertools import groupby, starmap
from operator import attrgetter
from typing import Any, NamedTuple

from asyncpg import CheckViolationError

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import RegisterError
from prawko.kit.context import AppContext
from prawko.verifications.answers import NormalisedAnswer, normalise_answer
from prawko.verifications.decision import (
    RECHECK_MISSING_AFTER,
    REJECTED_DELAY,
    CheckResult,
    Decision,
    LockedDriver,
    decide_result,
    retry_delay,
    still_missing_since,
    went_missing,
)
from prawko.verifications.mass_change import counts_towards_limit
from prawko.verifications.outcome import outcome_of
from prawko.verifications.register.check_tasks import AnsweredTask, FailedTask
from prawko.verifications.results_writer import (
    RESULTS_CTE,
    CheckTotals,
    add_to_run_counts,
    encode_rows,
    save_answers,
    save_results,
)
from prawko_tenants.ids import DriverId, TenantId
from prawko_tenants.partitions import ensure_month, is_missing_partition
from prawko_tenants.sessions import BatchSession, HotStatement

_LOCK_ROWS = HotStatement("""
    SELECT d.document_version, d.status, d.valid_until, d.asked_at_system,
           d.needed_categories, a.id AS answer_id,
           CASE WHEN d.needed_categories <> '{}' THEN CAST(d.latest AS text) END AS latest,
           d.id, d.verified_at, i.not_found_since
      FROM jsonb_to_recordset(CAST(:tasks AS jsonb)) AS t(driver_id uuid, fence bigint, hash text)
      JOIN check_item i ON i.day = :day AND i.tenant_id = :tenant_id
       AND i.driver_id = t.driver_id AND i.fence = t.fence AND i.state = 'due'
      JOIN driver d ON d.tenant_id = :tenant_id AND d.id = t.driver_id
      LEFT JOIN register_answer a ON a.tenant_id = :tenant_id AND a.driver_id = d.id
       AND a.document_version = d.document_version AND a.hash = decode(t.hash, 'hex')
     ORDER BY d.id
       FOR UPDATE OF d, i
""")
# Writes the effective results and closes the items in one statement.
_CLOSE_ITEMS = HotStatement(f"""
    {RESULTS_CTE}
    UPDATE check_item i
       SET state = c.state, outcome = c.outcome, answer_id = c.answer_id,
           asked_at_system = c.asked_at_system, not_found_since = c.not_found_since,
           counted_change = c.counted_change, error_kind = NULL, lease_until = NULL,
           next_try_at = coalesce(c.next_try_at, i.next_try_at), attempts = i.attempts + 1,
           done_at = c.done_at
      FROM jsonb_to_recordset(CAST(:items AS jsonb)) AS c(
           driver_id uuid, state text, outcome text, answer_id uuid, asked_at_system timestamptz,
           done_at timestamptz, not_found_since timestamptz, counted_change boolean,
           next_try_at timestamptz)
     WHERE i.day = :day AND i.tenant_id = :tenant_id AND i.driver_id = c.driver_id
""")  # noqa: S608 (made of constants)
# Items of drivers that were deleted while the register was queried.
_CANCEL_ITEMS = HotStatement("""
    UPDATE check_item i SET state = 'cancelled', lease_until = NULL
     WHERE i.day = :day AND i.tenant_id = :tenant_id AND i.driver_id = ANY(:ids)
       AND i.state = 'due'
       AND NOT EXISTS (SELECT FROM driver d WHERE d.tenant_id = :tenant_id AND d.id = i.driver_id)
""")
_SCHEDULE_RETRIES = HotStatement("""
    UPDATE check_item i
       SET lease_until = NULL, error_kind = r.error_kind, attempts = i.attempts + r.attempts,
           next_try_at = r.next_try_at
      FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r(
           tenant_id uuid, driver_id uuid, fence bigint, error_kind text, attempts int,
           next_try_at timestamptz)
     WHERE i.day = :day AND i.tenant_id = r.tenant_id AND i.driver_id = r.driver_id
       AND i.fence = r.fence AND i.state = 'due'
""")


_ITEM_STATES = {
    Decision.EFFECTIVE: "done",
    Decision.OVERTAKEN: "done",
    Decision.RECHECK: "due",
    Decision.QUARANTINE: "quarantined",
}


async def record_answers(
    context: AppContext, day: date, answers: Sequence[AnsweredTask]
) -> CheckTotals:
    """Record the answers in one transaction; creates the month's partition if it is missing."""
    try:
        return await _record_batch(context, day, answers)
    except CheckViolationError as error:
        if not is_missing_partition(error):
            raise
    for month in {answer.sent_query.asked_at.date().replace(day=1) for answer in answers}:
        async with context.database.system() as session:
            await ensure_month(session, month)
    return await _record_batch(context, day, answers)


async def _record_batch(
    context: AppContext, day: date, answers: Sequence[AnsweredTask]
) -> CheckTotals:
    totals = CheckTotals()
    tenant_id_of = attrgetter("sent_query.tenant_id")
    async with context.database.batch() as session:
        for tenant_id, company in groupby(sorted(answers, key=tenant_id_of), tenant_id_of):
            await session.switch_tenant(tenant_id)
            totals += await _record_company(session, context, day, tenant_id, list(company))
        await add_to_run_counts(session, day, totals.outcomes)
    return totals


async def _record_company(
    session: BatchSession,
    context: AppContext,
    day: date,
    tenant_id: TenantId,
    answers: Sequence[AnsweredTask],
) -> CheckTotals:
    received = {answer.task.driver_id: normalise_answer(answer.answer) for answer in answers}
    tasks = [
        {"driver_id": task.driver_id, "fence": task.fence, "hash": content.hash.hex()}
        for task, content in ((answer.task, received[answer.task.driver_id]) for answer in answers)
    ]
    params = {"day": day, "tenant_id": tenant_id}
    locked_rows = await session.fetch(_LOCK_ROWS, {**params, "tasks": encode_rows(tasks)})
    rows = {row.id: row for row in starmap(_LockedRow, locked_rows)}
    locked = [
        _LockedTask(answer, received[row.id], row)
        for answer in answers
        if (row := rows.get(answer.task.driver_id)) is not None
    ]
    decided = [one.to_result() for one in locked if not one.is_outdated]
    results = await save_answers(session, context, decided)
    by_driver = {result.sent_query.driver_id: result for result in results}
    items = [one.item_row(by_driver.get(one.row.id)) for one in locked]
    totals = CheckTotals()
    if items:
        totals = await save_results(
            session,
            context,
            tenant_id,
            [result for result in results if _ITEM_STATES[result.decision] == "done"],
            statement=_CLOSE_ITEMS,
            day=day,
            items=encode_rows(items),
        )
    if len(items) < len(answers):
        await session.fetch(_CANCEL_ITEMS, {**params, "ids": list(received)})
    return totals


class _LockedRow(LockedDriver, frozen=True):
    """The locked rows of a driver and its item."""

    id: DriverId
    verified_at: datetime | None
    not_found_since: datetime | None


class _LockedTask(NamedTuple):
    """An answered task with the locked rows of its driver and item."""

    answered: AnsweredTask
    received: NormalisedAnswer
    row: _LockedRow

    @property
    def is_outdated(self) -> bool:
        """Whether the document was edited meanwhile; it is queried again."""
        return self.row.document_version != self.answered.sent_query.document_version

    def to_result(self) -> CheckResult:
        """The result; the document is the current one."""
        query = self.answered.sent_query
        return decide_result(
            query,
            outcome_of(self.answered.answer, query.day),
            self.received,
            self.row,
            missing_since=self._missing_since,
            quarantines=True,
        )

    @property
    def _missing_since(self) -> datetime | None:
        return still_missing_since(self.row.not_found_since, self.row.verified_at)

    def item_row(self, result: CheckResult | None) -> dict[str, Any]:
        """The item's new values; without a result it is due again at once."""
        query = self.answered.sent_query
        values: dict[str, Any] = {
            "driver_id": query.driver_id,
            "state": "due",
            "asked_at_system": query.asked_at_system,
            "counted_change": False,
            "next_try_at": query.asked_at,
        }
        if result is None:
            return values
        state = _ITEM_STATES[result.decision]
        is_missing = went_missing(result.previous_status, result.outcome)
        return values | {
            "state": state,
            "outcome": result.outcome,
            "counted_change": result.decision is Decision.QUARANTINE
            and counts_towards_limit(result.previous_status),
            "answer_id": result.answer_id,
            "done_at": None if state == "due" else query.asked_at,
            "not_found_since": (self._missing_since or query.asked_at) if is_missing else None,
            "next_try_at": query.asked_at + RECHECK_MISSING_AFTER if state == "due" else None,
        }


async def schedule_retries(context: AppContext, day: date, failures: Sequence[FailedTask]) -> None:
    """Store the error and the time of the next try; drivers do not change (docs/rules.md R10)."""
    if not failures:
        return
    now = context.clock.now()
    rows = [_retry_row(failure, now) for failure in failures]
    async with context.database.system() as session:
        await session.fetch(_SCHEDULE_RETRIES, {"day": day, "rows": encode_rows(rows)})


def _retry_row(failure: FailedTask, now: datetime) -> dict[str, Any]:
    task, error = failure.task, failure.error
    error_kind = error.kind if isinstance(error, RegisterError) else None
    retry_after = error.retry_after if isinstance(error, RegisterError) else None
    delay = REJECTED_DELAY
    if not failure.is_put_aside:
        delay = retry_delay(error_kind, task.attempts + 1, retry_after=retry_after)
    return {
        "tenant_id": task.tenant_id,
        "driver_id": task.driver_id,
        "fence": task.fence,
        "error_kind": failure.error_kind,
        "attempts": 0 if isinstance(error, ProviderAccountError) else 1,
        "next_try_at": now + delay,
    }
