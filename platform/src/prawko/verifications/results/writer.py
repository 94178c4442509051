"""Writes answers, verifications, driver states and notices for many drivers of one company.

Each statement is one round trip for any number of drivers. The caller has locked the drivers'
rows; whether an answer takes effect is decided in `decision`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import text

from prawko.base.context import AppContext
from prawko.drivers.models import Outcome
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.kinds import DriverPayload
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko.notifications.status_alerts import notice_kind_for
from prawko.verifications.outcome import is_expired
from prawko.verifications.register.client import SentQuery
from prawko.verifications.results.answers import (
    StoredAnswer,
    encrypt_answer,
    new_verification_id,
    to_verification_out,
)
from prawko_tenants.ids import AnswerId, DriverId, TenantId, VerificationId
from prawko_tenants.sessions import BatchSession, TenantSession

_INSERT_ANSWERS = text("""
    INSERT INTO register_answer (tenant_id, driver_id, id, first_seen_at, document_version,
        first_name, last_name, license_number, hash, key_id, raw, document_code, document_status,
        issuing_authority, expiry_date, categories, reasons, notes)
    SELECT :tenant_id, r.driver_id, r.id, r.first_seen_at, r.document_version, r.first_name,
           r.last_name, r.license_number, decode(r.hash, 'hex'), r.key_id,
           decode(r.raw, 'hex'), r.document_code, r.document_status, r.issuing_authority,
           r.expiry_date, r.categories, r.reasons, r.notes
      FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r(
           driver_id uuid, id uuid, first_seen_at timestamptz, document_version int,
           first_name text, last_name text, license_number text, hash text, key_id text, raw text,
           document_code text, document_status text, issuing_authority text, expiry_date date,
           categories jsonb, reasons jsonb, notes text)
    ON CONFLICT (tenant_id, driver_id, document_version, hash) DO NOTHING
    RETURNING driver_id
""")
_EXISTING_ANSWERS = text("""
    SELECT a.driver_id, a.id
      FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r(
           driver_id uuid, document_version int, hash text)
      JOIN register_answer a ON a.tenant_id = :tenant_id AND a.driver_id = r.driver_id
       AND a.document_version = r.document_version AND a.hash = decode(r.hash, 'hex')
""")
# First part of a statement, so that a caller can do more in the same round trip; `rows` is the
# text of `result_rows`.
RESULTS_CTE = """
    WITH r AS MATERIALIZED (
        SELECT * FROM json_to_recordset(CAST(:rows AS json)) AS r(
               driver_id uuid, id uuid, verified_at timestamptz,
               asked_at_system timestamptz, answer_id uuid, outcome text, latest json,
               is_current boolean)
    ), verification_inserted AS (
        INSERT INTO verification (tenant_id, driver_id, id, verified_at, answer_id, outcome)
        SELECT :tenant_id, r.driver_id, r.id, r.verified_at, r.answer_id, r.outcome FROM r
        ON CONFLICT DO NOTHING
    ), driver_updated AS (
        UPDATE driver d
           SET status = r.outcome, verified_at = r.verified_at, latest = r.latest,
               asked_at_system = r.asked_at_system
          FROM r WHERE r.is_current AND d.tenant_id = :tenant_id AND d.id = r.driver_id
    )
"""
_INSERT_RESULTS = text(f"{RESULTS_CTE} SELECT")


class CheckResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a check about a driver whose row is locked.

    `answer_id` is the id of the stored answer. `is_current`: the result becomes the driver's
    status; otherwise it is written to the history only.
    """

    sent_query: SentQuery
    previous_status: str
    outcome: Outcome
    answer: StoredAnswer
    answer_id: AnswerId
    is_current: bool
    verification_id: VerificationId = msgspec.field(default_factory=new_verification_id)

    def with_existing_answer(self, existing: Mapping[DriverId, AnswerId]) -> "CheckResult":
        """A copy that refers to the answer already stored under another id, if there is one."""
        answer_id = existing.get(self.sent_query.driver_id, self.answer_id)
        return msgspec.structs.replace(self, answer_id=answer_id)


async def save_answers(
    session: TenantSession | BatchSession,
    context: AppContext,
    tenant_id: TenantId,
    results: Sequence[CheckResult],
) -> dict[DriverId, AnswerId]:
    """Insert answers that were not stored when the drivers' rows were read.

    Returns the ids of those that a concurrent transaction has stored meanwhile.
    """
    if not results:
        return {}
    rows = [_answer_row(context, result) for result in results]
    inserted = await session.execute(
        _INSERT_ANSWERS, {"tenant_id": tenant_id, "rows": _encode_rows(rows)}
    )
    inserted_ids = {row.driver_id for row in inserted}
    conflicts = [row for row in rows if row["driver_id"] not in inserted_ids]
    if not conflicts:
        return {}
    keys = ("driver_id", "document_version", "hash")
    existing = await session.execute(
        _EXISTING_ANSWERS,
        {
            "tenant_id": tenant_id,
            "rows": _encode_rows([{key: row[key] for key in keys} for row in conflicts]),
        },
    )
    return {row.driver_id: row.id for row in existing}


async def save_results(
    session: TenantSession | BatchSession,
    context: AppContext,
    tenant_id: TenantId,
    results: Sequence[CheckResult],
) -> int:
    """Write verifications, driver states and the notices about status changes.

    The answers are stored already. Returns the number of new notices; if there are any, the
    caller enqueues `deliver_pending` after its commit.
    """
    if not results:
        return 0
    await session.execute(_INSERT_RESULTS, {"tenant_id": tenant_id, "rows": result_rows(results)})
    return await notify_changes(session, context, tenant_id, results)


def result_rows(results: Sequence[CheckResult]) -> str:
    """JSON of the results as `RESULTS_CTE` reads it."""
    return _encode_rows(
        [
            {
                "driver_id": result.sent_query.driver_id,
                "id": result.verification_id,
                "verified_at": result.sent_query.asked_at,
                "asked_at_system": result.sent_query.asked_at_system,
                "answer_id": result.answer_id,
                "outcome": result.outcome,
                "latest": to_verification_out(
                    result.sent_query, result.answer, result.outcome, result.verification_id
                ),
                "is_current": result.is_current,
            }
            for result in results
        ]
    )


async def notify_changes(
    session: TenantSession | BatchSession,
    context: AppContext,
    tenant_id: TenantId,
    results: Sequence[CheckResult],
) -> int:
    """Publish notices about status changes; returns the number of new ones."""
    drafts = [_to_notice_draft(result) for result in results if result.is_current]
    return await publish_notices(
        session,
        tenant_id,
        [draft for draft in drafts if draft is not None],
        policy=ChannelPolicy.from_settings(context.settings),
        now=context.clock.now(),
    )


def _to_notice_draft(result: CheckResult) -> NoticeDraft | None:
    kind = notice_kind_for(result.previous_status, result.outcome)
    if kind is None:
        return None
    query, answer = result.sent_query.query, result.answer
    return NoticeDraft(
        kind=kind,
        dedup_key=str(result.verification_id),
        driver_id=result.sent_query.driver_id,
        payload=DriverPayload(
            first_name=query.first_name,
            last_name=query.last_name,
            license_number=query.number,
            checked_at=result.sent_query.asked_at,
            state=answer.document_status,
            reasons=tuple(reason["wartosc"] for reason in answer.reasons),
            authority=answer.issuing_authority,
            expires=answer.expiry_date,
            expired=is_expired(answer.expiry_date, result.sent_query.day),
        ),
    )


def _answer_row(context: AppContext, result: CheckResult) -> dict[str, Any]:
    sent, answer = result.sent_query, result.answer
    return {
        "driver_id": sent.driver_id,
        "id": result.answer_id,
        "first_seen_at": sent.asked_at,
        "document_version": sent.document_version,
        "first_name": sent.query.first_name,
        "last_name": sent.query.last_name,
        "license_number": sent.query.number,
        "hash": answer.hash.hex(),
        "key_id": context.key_ring.answer_cipher.current_key_id,
        "raw": encrypt_answer(context.key_ring, result.answer_id, answer.canonical).hex(),
        "document_code": answer.document_code,
        "document_status": answer.document_status,
        "issuing_authority": answer.issuing_authority,
        "expiry_date": answer.expiry_date,
        "categories": answer.categories,
        "reasons": answer.reasons,
        "notes": answer.notes,
    }


def _encode_rows(rows: Sequence[dict[str, Any]]) -> str:
    return msgspec.json.encode(rows).decode()
