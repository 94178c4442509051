"""Records the results of leased check items: verifications, driver states, notices and items.

An answer is recorded only if the item's fence is unchanged, so the lease was not lost. A batch is
one transaction.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from itertools import groupby
from typing import Any

import msgspec
from sqlalchemy import Row, text
from sqlalchemy.exc import IntegrityError

from prawko.base.context import AppContext
from prawko.drivers.models import Outcome
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import RegisterError
from prawko.verifications.daily.repository import add_to_run_counts
from prawko.verifications.outcome import outcome_of
from prawko.verifications.register.client import Answer, Failure
from prawko.verifications.register.retry import RECHECK_MISSING_AFTER, retry_delay
from prawko.verifications.results.answers import StoredAnswer, normalise_answer
from prawko.verifications.results.decision import (
    Decision,
    decide_effect,
    still_missing_since,
    went_missing,
)
from prawko.verifications.results.writer import (
    RESULTS_CTE,
    CheckResult,
    notify_changes,
    result_rows,
    save_answers,
)
from prawko_tenants.ids import AnswerId, TenantId, new_id
from prawko_tenants.partitions import ensure_month, is_missing_partition
from prawko_tenants.sessions import BatchSession

_LOCK_ROWS = text("""
    SELECT d.id, d.document_version, d.status, d.asked_at_system, d.verified_at, i.not_found_since,
           a.id AS answer_id
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
_CLOSE_ITEMS = text(f"""
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
_CANCEL_ITEMS = text("""
    UPDATE check_item i SET state = 'cancelled', lease_until = NULL
     WHERE i.day = :day AND i.tenant_id = :tenant_id AND i.driver_id = ANY(:ids)
       AND i.state = 'due'
       AND NOT EXISTS (SELECT FROM driver d WHERE d.tenant_id = :tenant_id AND d.id = i.driver_id)
""")
_SCHEDULE_RETRIES = text("""
    UPDATE check_item i
       SET lease_until = NULL, error_kind = r.error_kind, attempts = i.attempts + r.attempts,
           next_try_at = r.next_try_at
      FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r(
           tenant_id uuid, driver_id uuid, fence bigint, error_kind text, attempts int,
           next_try_at timestamptz)
     WHERE i.day = :day AND i.tenant_id = r.tenant_id AND i.driver_id = r.driver_id
       AND i.fence = r.fence AND i.state = 'due'
""")


class RecordedBatch(msgspec.Struct, frozen=True):
    """Result of a batch: closed items by outcome, and the number of new notices."""

    outcomes: Counter[Outcome]
    notices: int


async def record_answers(
    context: AppContext, day: date, answers: Sequence[Answer]
) -> RecordedBatch:
    """Record the answers in one transaction; creates the month's partition if it is missing."""
    try:
        return await _record_batch(context, day, answers)
    except IntegrityError as error:
        if not is_missing_partition(error):
            raise
    for month in {answer.sent_query.asked_at.date().replace(day=1) for answer in answers}:
        async with context.database.system() as session:
            await ensure_month(session, month)
    return await _record_batch(context, day, answers)


async def _record_batch(context: AppContext, day: date, answers: Sequence[Answer]) -> RecordedBatch:
    outcomes: Counter[Outcome] = Counter()
    notices = 0
    by_company = sorted(answers, key=_tenant_id)
    async with context.database.batch() as session:
        for tenant_id, company in groupby(by_company, key=_tenant_id):
            await session.switch_tenant(tenant_id)
            recorded = await _record_company(session, context, day, tenant_id, list(company))
            outcomes += recorded.outcomes
            notices += recorded.notices
        await add_to_run_counts(session, day, outcomes)
    return RecordedBatch(outcomes, notices)


def _tenant_id(answer: Answer) -> TenantId:
    return answer.sent_query.tenant_id


async def _record_company(
    session: BatchSession,
    context: AppContext,
    day: date,
    tenant_id: TenantId,
    answers: Sequence[Answer],
) -> RecordedBatch:
    stored = {answer.task.driver_id: normalise_answer(answer.answer) for answer in answers}
    tasks = [
        {
            "driver_id": task.driver_id,
            "fence": task.fence,
            "hash": stored[task.driver_id].hash.hex(),
        }
        for task in (answer.task for answer in answers)
    ]
    params = {"day": day, "tenant_id": tenant_id}
    locked = await session.execute(
        _LOCK_ROWS, {**params, "tasks": msgspec.json.encode(tasks).decode()}
    )
    rows = {row.id: row for row in locked}
    records = [
        _ItemRecord(answer, rows[answer.task.driver_id], stored[answer.task.driver_id])
        for answer in answers
        if answer.task.driver_id in rows
    ]
    new = [record.result for record in records if record.is_new_answer]
    existing = await save_answers(session, context, tenant_id, new)
    if existing:
        for record in records:
            record.result = record.result.with_existing_answer(existing)
    results = [record.result for record in records if record.state == "done"]
    if records:
        items = msgspec.json.encode([record.item_row() for record in records]).decode()
        await session.execute(
            _CLOSE_ITEMS, {**params, "items": items, "rows": result_rows(results)}
        )
    notices = await notify_changes(session, context, tenant_id, results)
    if len(records) < len(answers):
        await session.execute(_CANCEL_ITEMS, {**params, "ids": list(stored)})
    return RecordedBatch(Counter(result.outcome for result in results), notices)


class _ItemRecord:
    """An answer with its locked driver and item, and what is decided about it."""

    def __init__(self, answer: Answer, row: Row[Any], stored_answer: StoredAnswer) -> None:
        query = answer.sent_query
        outcome = outcome_of(answer.answer, query.day)
        missing_since = still_missing_since(row.not_found_since, row.verified_at)
        # None: the document was edited meanwhile and is queried again.
        self._decision: Decision | None = None
        if row.document_version == query.document_version:
            self._decision = decide_effect(
                query,
                outcome,
                previous_status=row.status,
                newest_asked_at=row.asked_at_system,
                missing_since=missing_since,
                quarantines=True,
            )
        self._missing_since: datetime | None = None
        if self._decision and went_missing(row.status, outcome):
            self._missing_since = missing_since or query.asked_at
        self.is_new_answer = self._decision is not None and row.answer_id is None
        self.result = CheckResult(
            sent_query=query,
            previous_status=row.status,
            outcome=outcome,
            answer=stored_answer,
            answer_id=AnswerId(row.answer_id or new_id()),
            is_current=self._decision is Decision.EFFECTIVE,
        )

    @property
    def state(self) -> str:
        """The item's new state."""
        if self._decision is None or self._decision is Decision.RECHECK:
            return "due"
        return "quarantined" if self._decision is Decision.QUARANTINE else "done"

    def item_row(self) -> dict[str, Any]:
        """The item's new values; without a decision it is due again at once."""
        asked_at = self.result.sent_query.asked_at
        is_decided = self._decision is not None
        next_try_at = None if is_decided else asked_at
        if self._decision is Decision.RECHECK:
            next_try_at = asked_at + RECHECK_MISSING_AFTER
        return {
            "driver_id": self.result.sent_query.driver_id,
            "state": self.state,
            "outcome": self.result.outcome if is_decided else None,
            "answer_id": self.result.answer_id if is_decided else None,
            "asked_at_system": self.result.sent_query.asked_at_system,
            "done_at": None if self.state == "due" else asked_at,
            "not_found_since": self._missing_since,
            "counted_change": False,
            "next_try_at": next_try_at,
        }


async def schedule_retries(context: AppContext, day: date, failures: Sequence[Failure]) -> None:
    """Store the error and the time of the next try; drivers do not change (docs/rules.md R10)."""
    if not failures:
        return
    now = context.clock.now()
    rows = [_retry_row(failure, now) for failure in failures]
    async with context.database.system() as session:
        await session.execute(
            _SCHEDULE_RETRIES, {"day": day, "rows": msgspec.json.encode(rows).decode()}
        )


def _retry_row(failure: Failure, now: datetime) -> dict[str, Any]:
    task, error = failure.task, failure.error
    error_kind = error.kind if isinstance(error, RegisterError) else None
    retry_after = error.retry_after if isinstance(error, RegisterError) else None
    delay = retry_delay(error_kind, task.attempts + 1, retry_after=retry_after)
    return {
        "tenant_id": task.tenant_id,
        "driver_id": task.driver_id,
        "fence": task.fence,
        "error_kind": failure.error_kind,
        "attempts": 0 if isinstance(error, ProviderAccountError) else 1,
        "next_try_at": now + delay,
    }
