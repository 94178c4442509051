"""What an answer does to a driver, written for many drivers of one company at once.

Every statement is one round trip however many drivers there are. The caller holds the
drivers' rows; nothing here decides whether an answer counts.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import text

from prawko.base.jobs import Tools
from prawko.notifications.announcing import Announcement, announce
from prawko.notifications.changes import notice_for
from prawko.notifications.fanout import Rules
from prawko.notifications.kinds import DriverFacts
from prawko.verifications.answers import Kept, as_shown, new_verification_id, seal
from prawko.verifications.outcome import Outcome, is_expired
from prawko.verifications.questions import Asked
from prawko_tenants.ids import AnswerId, DriverId, TenantId, VerificationId
from prawko_tenants.sessions import BatchSession, TenantSession

_KEEP = text("""
    INSERT INTO register_answer (tenant_id, driver_id, id, first_seen_at, document_no, first_name,
        last_name, license_number, hash, key_id, raw, document_code, document_status,
        issuing_authority, expiry_date, categories, reasons, notes)
    SELECT :tenant_id, r.driver_id, r.id, r.first_seen_at, r.document_no, r.first_name,
           r.last_name, r.license_number, decode(r.hash, 'hex'), r.key_id,
           decode(r.raw, 'hex'), r.document_code, r.document_status, r.issuing_authority,
           r.expiry_date, r.categories, r.reasons, r.notes
      FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r(
           driver_id uuid, id uuid, first_seen_at timestamptz, document_no int, first_name text,
           last_name text, license_number text, hash text, key_id text, raw text,
           document_code text, document_status text, issuing_authority text, expiry_date date,
           categories jsonb, reasons jsonb, notes text)
    ON CONFLICT (tenant_id, driver_id, document_no, hash) DO NOTHING
    RETURNING driver_id
""")
_KNOWN = text("""
    SELECT a.driver_id, a.id
      FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r(
           driver_id uuid, document_no int, hash text)
      JOIN register_answer a ON a.tenant_id = :tenant_id AND a.driver_id = r.driver_id
       AND a.document_no = r.document_no AND a.hash = decode(r.hash, 'hex')
""")
# The head of a statement that may do more with the same transaction's one round trip; `rows` are
# `written_rows`.
WRITTEN = """
    WITH r AS MATERIALIZED (
        SELECT * FROM json_to_recordset(CAST(:rows AS json)) AS r(
               driver_id uuid, id uuid, verified_at timestamptz, began timestamptz,
               answer_id uuid, outcome text, latest json, counts boolean)
    ), verified AS (
        INSERT INTO verification (tenant_id, driver_id, id, verified_at, answer_id, outcome)
        SELECT :tenant_id, r.driver_id, r.id, r.verified_at, r.answer_id, r.outcome FROM r
        ON CONFLICT DO NOTHING
    ), told AS (
        UPDATE driver d
           SET status = r.outcome, verified_at = r.verified_at, asked_at = r.began,
               latest = r.latest
          FROM r WHERE r.counts AND d.tenant_id = :tenant_id AND d.id = r.driver_id
    )
"""
_WRITE = text(f"{WRITTEN} SELECT")


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """An answer about a driver whose row is held, under the id it is kept by.

    `counts`: it is the newest about the present document and becomes the driver's state;
    else it only stands in the history.
    """

    asked: Asked
    previous: str
    outcome: Outcome
    kept: Kept
    answer_id: AnswerId
    counts: bool
    verification_id: VerificationId = msgspec.field(default_factory=new_verification_id)

    def kept_as(self, known: Mapping[DriverId, AnswerId]) -> "Found":
        """The same, where its answer had been kept meanwhile under another id."""
        answer_id = known.get(self.asked.driver_id, self.answer_id)
        return msgspec.structs.replace(self, answer_id=answer_id)


async def keep_answers(
    session: TenantSession | BatchSession, tools: Tools, tenant_id: TenantId, found: Sequence[Found]
) -> dict[DriverId, AnswerId]:
    """Write answers that were not known when the drivers' rows were read.

    Returns the ids of those that somebody else, whom we then waited for, has written meanwhile.
    """
    if not found:
        return {}
    rows = [_answer_row(tools, one) for one in found]
    kept = await session.execute(_KEEP, {"tenant_id": tenant_id, "rows": _json(rows)})
    written = {row.driver_id for row in kept}
    late = [row for row in rows if row["driver_id"] not in written]
    if not late:
        return {}
    known = await session.execute(
        _KNOWN,
        {
            "tenant_id": tenant_id,
            "rows": _json(
                [{k: row[k] for k in ("driver_id", "document_no", "hash")} for row in late]
            ),
        },
    )
    return {row.driver_id: row.id for row in known}


async def apply(
    session: TenantSession | BatchSession, tools: Tools, tenant_id: TenantId, found: Sequence[Found]
) -> int:
    """Write verifications, the drivers' states, and the notices their changes call for.

    The answers are kept already. Returns how many notices were new; the caller rings
    `deliver_pending` once its transaction stands.
    """
    if not found:
        return 0
    await session.execute(_WRITE, {"tenant_id": tenant_id, "rows": written_rows(found)})
    return await tell(session, tools, tenant_id, found)


def written_rows(found: Sequence[Found]) -> str:
    """The verifications and the drivers' states as `WRITTEN` reads them."""
    return _json(
        [
            {
                "driver_id": one.asked.driver_id,
                "id": one.verification_id,
                "verified_at": one.asked.at,
                "began": one.asked.began,
                "answer_id": one.answer_id,
                "outcome": one.outcome,
                "latest": as_shown(one.asked, one.kept, one.outcome, one.verification_id),
                "counts": one.counts,
            }
            for one in found
        ]
    )


async def tell(
    session: TenantSession | BatchSession, tools: Tools, tenant_id: TenantId, found: Sequence[Found]
) -> int:
    """Write the notices that changes of outcome call for; returns how many were new."""
    news = [said for one in found if one.counts and (said := _announcement(one)) is not None]
    return await announce(
        session, tenant_id, news, rules=Rules.of(tools.settings), now=tools.clock.now()
    )


def _announcement(found: Found) -> Announcement | None:
    kind = notice_for(found.previous, found.outcome)
    if kind is None:
        return None
    query, kept = found.asked.query, found.kept
    return Announcement(
        kind=kind,
        dedup=str(found.verification_id),
        driver_id=found.asked.driver_id,
        facts=DriverFacts(
            first_name=query.first_name,
            last_name=query.last_name,
            license_number=query.number,
            checked_at=found.asked.at,
            state=kept.document_status,
            reasons=tuple(reason["wartosc"] for reason in kept.reasons),
            authority=kept.issuing_authority,
            expires=kept.expiry_date,
            expired=is_expired(kept.expiry_date, found.asked.day),
        ),
    )


def _answer_row(tools: Tools, found: Found) -> dict[str, Any]:
    asked, kept = found.asked, found.kept
    return {
        "driver_id": asked.driver_id,
        "id": found.answer_id,
        "first_seen_at": asked.at,
        "document_no": asked.document_no,
        "first_name": asked.query.first_name,
        "last_name": asked.query.last_name,
        "license_number": asked.query.number,
        "hash": kept.hash.hex(),
        "key_id": tools.vault.answers.current,
        "raw": seal(tools.vault, found.answer_id, kept.canonical).hex(),
        "document_code": kept.document_code,
        "document_status": kept.document_status,
        "issuing_authority": kept.issuing_authority,
        "expiry_date": kept.expiry_date,
        "categories": kept.categories,
        "reasons": kept.reasons,
        "notes": kept.notes,
    }


def _json(rows: Sequence[dict[str, Any]]) -> str:
    return msgspec.json.encode(rows).decode()
