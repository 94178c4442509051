"""Writes down what the register answered: verification, state, notices and item in one go.

An answer counts only while nobody took the lease over (the fence), the driver still has the
document that was asked about, and nothing newer was asked. All of a batch is kept, or none.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from itertools import groupby
from typing import Any

import msgspec
from sqlalchemy import Row, text
from sqlalchemy.exc import IntegrityError

from prawko.base.jobs import Tools
from prawko.hooks.failures import AccountError
from prawko.hooks.licence_register import RegisterError
from prawko.verifications.answers import Kept, kept
from prawko.verifications.attempts import LOOK_AGAIN_AFTER, wait_after
from prawko.verifications.effects import WRITTEN, Found, keep_answers, tell, written_rows
from prawko.verifications.mass_change import is_suspicious
from prawko.verifications.outcome import UNKNOWN, Outcome, outcome_of
from prawko.verifications.questions import Answered, Unanswered
from prawko_tenants.ids import AnswerId, TenantId, new_id
from prawko_tenants.partitions import ensure_month, lacks_partition
from prawko_tenants.sessions import BatchSession

_HOLD = text("""
    SELECT d.id, d.document_no, d.status, d.asked_at, d.verified_at, i.not_found_since,
           a.id AS answer_id
      FROM jsonb_to_recordset(CAST(:asked AS jsonb)) AS q(driver_id uuid, fence bigint, hash text)
      JOIN check_item i ON i.day = :day AND i.tenant_id = :tenant_id
       AND i.driver_id = q.driver_id AND i.fence = q.fence AND i.state = 'due'
      JOIN driver d ON d.tenant_id = :tenant_id AND d.id = q.driver_id
      LEFT JOIN register_answer a ON a.tenant_id = :tenant_id AND a.driver_id = d.id
       AND a.document_no = d.document_no AND a.hash = decode(q.hash, 'hex')
     ORDER BY d.id
       FOR UPDATE OF d, i
""")
# What was found takes effect with the same statement that closes the items.
_CLOSE = text(f"""
    {WRITTEN}
    UPDATE check_item i
       SET state = c.state, outcome = c.outcome, answer_id = c.answer_id, asked_at = c.asked_at,
           not_found_since = c.not_found_since, turned = c.turned, error_kind = NULL,
           lease_until = NULL, next_try_at = coalesce(c.next_try_at, i.next_try_at),
           attempts = i.attempts + 1, done_at = c.done_at
      FROM jsonb_to_recordset(CAST(:items AS jsonb)) AS c(
           driver_id uuid, state text, outcome text, answer_id uuid, asked_at timestamptz,
           done_at timestamptz, not_found_since timestamptz, turned boolean,
           next_try_at timestamptz)
     WHERE i.day = :day AND i.tenant_id = :tenant_id AND i.driver_id = c.driver_id
""")  # noqa: S608 (made of constants)
# Who was deleted while the register was asked waits for nobody.
_GONE = text("""
    UPDATE check_item i SET state = 'gone', lease_until = NULL
     WHERE i.day = :day AND i.tenant_id = :tenant_id AND i.driver_id = ANY(:ids)
       AND i.state = 'due'
       AND NOT EXISTS (SELECT FROM driver d WHERE d.tenant_id = :tenant_id AND d.id = i.driver_id)
""")
_COUNT = text("""
    UPDATE check_run
       SET done = done + :done, valid = valid + :valid, invalid = invalid + :invalid,
           attention = attention + :attention, not_found = not_found + :not_found
     WHERE day = :day
""")
_TRY_AGAIN = text("""
    UPDATE check_item i
       SET lease_until = NULL, error_kind = r.error_kind, attempts = i.attempts + r.counts,
           next_try_at = r.next_try_at
      FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r(
           tenant_id uuid, driver_id uuid, fence bigint, error_kind text, counts int,
           next_try_at timestamptz)
     WHERE i.day = :day AND i.tenant_id = r.tenant_id AND i.driver_id = r.driver_id
       AND i.fence = r.fence AND i.state = 'due'
""")


class Recorded(msgspec.Struct, frozen=True):
    """What a batch came to: items closed by outcome, notices written."""

    outcomes: Counter[Outcome]
    notices: int


async def record(tools: Tools, day: date, answered: Sequence[Answered]) -> Recorded:
    """Write the answers in one transaction. A month nobody has written in yet is made first."""
    try:
        return await _record(tools, day, answered)
    except IntegrityError as error:
        if not lacks_partition(error):
            raise
    for month in {one.asked.at.date().replace(day=1) for one in answered}:
        async with tools.database.system() as session:
            await ensure_month(session, month)
    return await _record(tools, day, answered)


async def _record(tools: Tools, day: date, answered: Sequence[Answered]) -> Recorded:
    outcomes: Counter[Outcome] = Counter()
    notices = 0
    by_company = sorted(answered, key=lambda one: one.asked.tenant_id)
    async with tools.database.batch() as session:
        for tenant_id, company in groupby(by_company, key=lambda one: one.asked.tenant_id):
            await session.bind(tenant_id)
            closed, told = await _record_company(session, tools, day, tenant_id, list(company))
            outcomes += closed
            notices += told
        await count_outcomes(session, day, outcomes)
    return Recorded(outcomes, notices)


async def _record_company(
    session: BatchSession, tools: Tools, day: date, tenant_id: TenantId, company: list[Answered]
) -> tuple[Counter[Outcome], int]:
    keeps = {one.asked.driver_id: kept(one.answer) for one in company}
    asked = [
        {"driver_id": q.driver_id, "fence": q.fence, "hash": keeps[q.driver_id].hash.hex()}
        for q in (one.question for one in company)
    ]
    rows = await session.execute(
        _HOLD, {"day": day, "tenant_id": tenant_id, "asked": msgspec.json.encode(asked).decode()}
    )
    held = {row.id: row for row in rows}
    judged = [
        _Judged(one, held[one.asked.driver_id], keeps[one.asked.driver_id])
        for one in company
        if one.asked.driver_id in held
    ]
    new = [one.found for one in judged if one.is_new]
    known = await keep_answers(session, tools, tenant_id, new)
    if known:
        for one in judged:
            one.found = one.found.kept_as(known)
    effective = [one.found for one in judged if one.applies]
    if judged:
        items = msgspec.json.encode([one.item() for one in judged]).decode()
        where = {"day": day, "tenant_id": tenant_id, "items": items}
        await session.execute(_CLOSE, {**where, "rows": written_rows(effective)})
    notices = await tell(session, tools, tenant_id, effective)
    if len(judged) < len(company):
        await session.execute(_GONE, {"day": day, "tenant_id": tenant_id, "ids": list(keeps)})
    return Counter(one.outcome for one in judged if one.state == "done"), notices


class _Judged:
    """One answer beside the rows it is about, held by this transaction."""

    def __init__(self, answered: Answered, row: Row[Any], keeps: Kept) -> None:
        self.asked = answered.asked
        self.outcome = outcome_of(answered.answer, answered.asked.day)
        self._row = row
        self.same_document = row.document_no == answered.asked.document_no
        overtaken = row.asked_at is not None and row.asked_at > answered.asked.began
        self.believed = self.same_document and not overtaken
        self.missing_since: datetime | None = None
        if self.outcome is Outcome.NOT_FOUND and row.status not in {UNKNOWN, Outcome.NOT_FOUND}:
            self.missing_since = _since(row) or answered.asked.at
        self.is_new = self.same_document and row.answer_id is None
        self.found = Found(
            asked=answered.asked,
            previous=row.status,
            outcome=self.outcome,
            kept=keeps,
            answer_id=AnswerId(row.answer_id or new_id()),
            counts=self.believed,
        )

    @property
    def looked_for_again(self) -> bool:
        """A document that was there and is missing is looked for once more, an hour later."""
        return (
            self.missing_since is not None and self.asked.at - self.missing_since < LOOK_AGAIN_AFTER
        )

    @property
    def state(self) -> str:
        """What becomes of the item."""
        if not self.same_document:
            return "due"
        if not self.believed:
            return "done"
        if self.looked_for_again:
            return "due"
        return "held" if is_suspicious(self._row.status, self.outcome) else "done"

    @property
    def applies(self) -> bool:
        """Whether the answer is written in this transaction; overtaken, as history alone."""
        return self.same_document and self.state == "done"

    def item(self) -> dict[str, Any]:
        """The item's row from now on. Judged by an older document, it is simply due again."""
        again = self.asked.at + LOOK_AGAIN_AFTER if self.looked_for_again else None
        keeps = self.same_document
        return {
            "driver_id": self.asked.driver_id,
            "state": self.state,
            "outcome": self.outcome if keeps else None,
            "answer_id": self.found.answer_id if keeps else None,
            "asked_at": self.asked.began,
            "done_at": None if self.state == "due" else self.asked.at,
            "not_found_since": self.missing_since if self.same_document else None,
            "turned": False,
            "next_try_at": again if self.same_document else self.asked.at,
        }


def _since(row: Row[Any]) -> datetime | None:
    """Since when the document has been missing, unless it was seen in between (reading R11)."""
    since: datetime | None = row.not_found_since
    if since is None or (row.verified_at is not None and row.verified_at > since):
        return None
    return since


async def count_outcomes(session: BatchSession, day: date, outcomes: Counter[Outcome]) -> None:
    """Add closed items to the run's counts; last in a transaction, for the row is everybody's."""
    if outcomes:
        by_word = {outcome.value: outcomes[outcome] for outcome in Outcome}
        await session.execute(_COUNT, {"day": day, "done": outcomes.total(), **by_word})


async def try_again(tools: Tools, day: date, unanswered: Sequence[Unanswered]) -> None:
    """Note that there was no answer, and when to ask again. No driver changes (reading R10)."""
    if not unanswered:
        return
    now = tools.clock.now()
    rows = [_again(one, now) for one in unanswered]
    async with tools.database.system() as session:
        await session.execute(_TRY_AGAIN, {"day": day, "rows": msgspec.json.encode(rows).decode()})


def _again(one: Unanswered, now: datetime) -> dict[str, Any]:
    question, error = one.question, one.error
    trouble = error.trouble if isinstance(error, RegisterError) else None
    asked_for = error.retry_after if isinstance(error, RegisterError) else None
    wait = wait_after(trouble, question.attempts + 1, asked_for=asked_for)
    return {
        "tenant_id": question.tenant_id,
        "driver_id": question.driver_id,
        "fence": question.fence,
        "error_kind": one.kind,
        "counts": 0 if isinstance(error, AccountError) else 1,
        "next_try_at": now + wait,
    }
