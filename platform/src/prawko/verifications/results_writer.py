"""Saves answers, verifications, driver states, notices and run counts, for sets of drivers.

SQL text: each statement is one round trip for any number of drivers. The caller has locked the
drivers' rows; whether an answer takes effect is decided in `decision`.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import msgspec
from sqlalchemy import select, tuple_

from prawko.drivers.models import UNKNOWN, Driver, MayDrive, Outcome
from prawko.drivers.needed_categories import Validity
from prawko.drivers.queries import STALE_AFTER
from prawko.drivers.status_notices import CheckedDocument, notice_kind_for, to_category_notice
from prawko.kit.clock import warsaw_date
from prawko.kit.context import AppContext
from prawko.notifications.fanout import ChannelPolicy, digest_time
from prawko.notifications.payloads import DriverPayload
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko.verifications.answers import AnswerContent
from prawko.verifications.decision import CheckResult
from prawko.verifications.models import RegisterAnswer
from prawko.verifications.outcome import is_expired
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import BatchSession, HotStatement, TenantSession

_INSERT_ANSWERS = HotStatement("""
    INSERT INTO register_answer
    SELECT * FROM jsonb_populate_recordset(CAST(NULL AS register_answer), CAST(:rows AS jsonb))
    ON CONFLICT (tenant_id, driver_id, document_version, hash) DO NOTHING
    RETURNING driver_id
""")
# First part of a statement, so that a caller can do more in the same round trip.
RESULTS_CTE = """
    WITH r AS MATERIALIZED (
        SELECT * FROM json_to_recordset(CAST(:rows AS json)) AS r(
               driver_id uuid, id uuid, verified_at timestamptz, asked_at_system timestamptz,
               answer_id uuid, outcome text, latest json, is_effective boolean, valid_until date)
    ), verification_inserted AS (
        INSERT INTO verification (tenant_id, driver_id, id, verified_at, answer_id, outcome)
        SELECT CAST(:tenant_id AS uuid), r.driver_id, r.id, r.verified_at, r.answer_id, r.outcome
          FROM r
        ON CONFLICT DO NOTHING
    ), driver_updated AS (
        UPDATE driver d
           SET status = r.outcome, verified_at = r.verified_at, latest = r.latest,
               asked_at_system = r.asked_at_system,
               valid_until = r.valid_until
          FROM r WHERE r.is_effective AND d.tenant_id = :tenant_id AND d.id = r.driver_id
    )
"""
_INSERT_RESULTS = HotStatement(f"{RESULTS_CTE} SELECT")
_ADD_COUNTS = HotStatement("""
    UPDATE check_run SET done = done + :done, valid = valid + :valid, invalid = invalid + :invalid,
           attention = attention + :attention, not_found = not_found + :not_found WHERE day = :day
""")


class CheckTotals(msgspec.Struct, frozen=True):
    """Results written to the history, by outcome, and the number of new notices."""

    outcomes: Counter[Outcome] = msgspec.field(default_factory=Counter)
    notices: int = 0

    def __add__(self, other: "CheckTotals") -> "CheckTotals":
        return CheckTotals(self.outcomes + other.outcomes, self.notices + other.notices)


async def save_answers(
    session: TenantSession | BatchSession,
    context: AppContext,
    results: Sequence[CheckResult],
) -> list[CheckResult]:
    """Insert the unsaved answers; returns the results, all with the id of a stored answer.

    An answer that a concurrent transaction has stored meanwhile has another id.
    """
    rows = [
        _answer_row(context, result, result.unsaved_answer)
        for result in results
        if result.unsaved_answer is not None
    ]
    if not rows:
        return list(results)
    inserted = await session.fetch(_INSERT_ANSWERS, {"rows": encode_rows(rows)})
    inserted_ids = {row["driver_id"] for row in inserted}
    conflicts = [
        (sent.tenant_id, sent.driver_id, sent.document_version, result.answer.hash)
        for result in results
        for sent in [result.sent_query]
        if result.unsaved_answer is not None and sent.driver_id not in inserted_ids
    ]
    if not conflicts:
        return list(results)
    stored = RegisterAnswer
    key = tuple_(stored.tenant_id, stored.driver_id, stored.document_version, stored.hash)
    existing = await session.execute(select(stored.driver_id, stored.id).where(key.in_(conflicts)))
    answer_ids = {row.driver_id: row.id for row in existing}
    return [
        msgspec.structs.replace(
            result, answer_id=answer_ids.get(result.sent_query.driver_id, result.answer_id)
        )
        for result in results
    ]


async def save_results(
    session: TenantSession | BatchSession,
    context: AppContext,
    tenant_id: TenantId,
    results: Sequence[CheckResult],
    *,
    statement: HotStatement = _INSERT_RESULTS,
    **params: object,
) -> CheckTotals:
    """Save verifications, driver states and the notices about status changes.

    The answers are stored already. `statement` is `RESULTS_CTE` with what the caller writes in
    the same round trip, and `params` are that part's.
    """
    rows = encode_rows([_result_row(result) for result in results])
    await session.fetch(statement, {"tenant_id": tenant_id, "rows": rows, **params})
    now = context.clock.now()
    drafts = [
        (result, draft)
        for result in results
        if result.is_effective and (draft := _to_notice_draft(result, now)) is not None
    ]
    notices = await publish_notices(
        session,
        tenant_id,
        await _bundle_imports(session, context, tenant_id, drafts),
        policy=ChannelPolicy.from_settings(context.settings),
        now=now,
    )
    return CheckTotals(Counter(result.outcome for result in results), notices)


async def _bundle_imports(
    session: TenantSession | BatchSession,
    context: AppContext,
    tenant_id: TenantId,
    drafts: Sequence[tuple[CheckResult, NoticeDraft]],
) -> list[NoticeDraft]:
    """Return the drafts; those of the first check of an import are for its digest."""
    first_checks = [
        result.sent_query.driver_id for result, _ in drafts if result.previous_status == UNKNOWN
    ]
    if not first_checks:
        return [draft for _, draft in drafts]
    imported = select(Driver.id, Driver.imported_at).where(
        Driver.tenant_id == tenant_id,
        Driver.id.in_(first_checks),
        Driver.imported_at.is_not(None),
    )
    rows = (await session.execute(imported)).all()
    now = context.clock.now()  # a window that has ended meanwhile is not joined
    digest_times = {row.id: digest_time(row.imported_at, now) for row in rows}
    return [
        msgspec.structs.replace(draft, digest_at=digest_times.get(result.sent_query.driver_id))
        for result, draft in drafts
    ]


async def add_to_run_counts(session: BatchSession, day: date, outcomes: Counter[Outcome]) -> None:
    """Add closed items to the run's counts; last in a transaction, for all workers lock the row."""
    if outcomes:
        counts = {outcome.value: outcomes[outcome] for outcome in Outcome}
        await session.fetch(_ADD_COUNTS, {"day": day, "done": outcomes.total(), **counts})


def encode_rows(rows: Sequence[dict[str, Any]]) -> str:
    """JSON of the rows, as a parameter of `json_to_recordset`."""
    return msgspec.json.encode(rows).decode()


def _result_row(result: CheckResult) -> dict[str, Any]:
    return {
        "driver_id": result.sent_query.driver_id,
        "id": result.verification_id,
        "verified_at": result.sent_query.asked_at,
        "asked_at_system": result.sent_query.asked_at_system,
        "answer_id": result.answer_id,
        "outcome": result.outcome,
        "latest": result.to_verification_out(),
        "is_effective": result.is_effective,
        "valid_until": result.valid_until,
    }


def _to_notice_draft(result: CheckResult, now: datetime) -> NoticeDraft | None:
    """The notice about a result; a quarantined one is judged by the day on which it is applied."""
    query, answer = result.sent_query.query, result.answer
    if result.category_problems:
        return _to_category_notice(result) if result.new_category_problems else None
    is_valid = result.outcome is Outcome.VALID
    kind = notice_kind_for(result.previous_status, result.outcome)
    had_problems = bool(result.previous_problems) or result.was_over
    if kind is None and is_valid and had_problems:
        kind = notice_kind_for(Outcome.ATTENTION, result.outcome)
    if kind is None:  # of nearly every driver
        return None
    may_drive = Validity(result.outcome, result.valid_until).may_drive(
        warsaw_date(now), is_current=result.sent_query.asked_at >= now - STALE_AFTER
    )
    if is_valid and may_drive is MayDrive.NO:  # "restored" would be a false "valid"
        return None
    return NoticeDraft(
        kind=kind,
        dedup_key=str(result.verification_id),
        driver_id=result.sent_query.driver_id,
        payload=DriverPayload(
            first_name=query.first_name,
            last_name=query.last_name,
            license_number=query.number,
            checked_at=result.sent_query.asked_at,
            may_drive=may_drive,
            state=answer.document_status,
            reasons=tuple(reason.wartosc for reason in answer.reasons),
            authority=answer.issuing_authority,
            expires=answer.expiry_date,
            expired=is_expired(answer.expiry_date, result.sent_query.day),
        ),
    )


def _to_category_notice(result: CheckResult) -> NoticeDraft:
    """The notice about needed categories, instead of one about a valid document."""
    sent_query, query = result.sent_query, result.sent_query.query
    document = CheckedDocument(
        driver_id=sent_query.driver_id,
        first_name=query.first_name,
        last_name=query.last_name,
        license_number=query.number,
        checked_at=sent_query.asked_at,
    )
    return to_category_notice(
        document, result.new_category_problems, sent_query.day, str(result.verification_id)
    )


def _answer_row(context: AppContext, result: CheckResult, canonical: bytes) -> dict[str, Any]:
    """The row by its columns' names; `bytea` is text in hexadecimal notation."""
    sent, answer, cipher = result.sent_query, result.answer, context.key_ring.answer_cipher
    encrypted = cipher.encrypt(canonical, associated_data=result.answer_id.bytes)
    return {name: getattr(answer, name) for name in AnswerContent.__struct_fields__} | {
        "tenant_id": sent.tenant_id,
        "driver_id": sent.driver_id,
        "id": result.answer_id,
        "first_seen_at": sent.asked_at,
        "document_version": sent.document_version,
        "first_name": sent.query.first_name,
        "last_name": sent.query.last_name,
        "license_number": sent.query.number,
        "hash": f"\\x{answer.hash.hex()}",
        "key_id": cipher.current_key_id,
        "raw": f"\\x{encrypted.hex()}",
    }
