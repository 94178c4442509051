"""Applies quarantined status changes when a run is complete, or after an operator's decision.

Why: docs/decisions/0010-mass-change-quarantine.md.
"""

from collections import Counter
from datetime import date
from itertools import groupby
from typing import Any

import msgspec
from sqlalchemy import Row, text

from prawko.base.context import AppContext
from prawko.drivers.models import Outcome
from prawko.hooks.licence_register import LicenceQuery
from prawko.incidents.service import close_incident, open_incident
from prawko.verifications.daily.repository import add_to_run_counts
from prawko.verifications.mass_change.rules import (
    StatusChanges,
    counts_towards_limit,
    is_mass_change,
)
from prawko.verifications.register.client import SentQuery
from prawko.verifications.results.answers import StoredAnswer
from prawko.verifications.results.decision import is_overtaken
from prawko.verifications.results.writer import CheckResult, save_results
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import BatchSession

MASS_CHANGE_INCIDENT = "mass_change"
BATCH_SIZE = 500

_LOCK_RUN = text("SELECT planned, review_state FROM check_run WHERE day = :day FOR UPDATE")
_COUNT_CHANGES = text("""
    SELECT count(*) FILTER (WHERE state = 'quarantined') AS provisional,
           count(*) FILTER (
               WHERE state = 'due' AND not_found_since IS NOT NULL) AS awaiting_recheck,
           count(*) FILTER (WHERE state = 'done' AND counted_change) AS effective
      FROM check_item
     WHERE day = :day AND (state = 'quarantined' OR counted_change OR not_found_since IS NOT NULL)
""")
_OPEN_REVIEW = text(
    "UPDATE check_run SET review_state = 'pending', quarantined = :count WHERE day = :day"
)
_CLOSE_REVIEW = text("""
    UPDATE check_run SET review_state = :decision, quarantined = 0
     WHERE day = :day AND review_state = 'pending'
    RETURNING day
""")
_LOCK_QUARANTINED = text("""
    SELECT tenant_id, driver_id FROM check_item
     WHERE day = :day AND state = 'quarantined' ORDER BY tenant_id, driver_id LIMIT :limit
       FOR UPDATE
""")
_LOCK_RESULTS = text("""
    SELECT d.id, d.document_version, d.status, d.asked_at_system AS newest_asked_at,
           i.asked_at_system, i.done_at, i.outcome, a.id AS answer_id,
           a.document_version AS answer_document_version, a.first_name, a.last_name,
           a.license_number, a.hash, a.document_code, a.document_status, a.issuing_authority,
           a.expiry_date, a.categories, a.reasons, a.notes
      FROM check_item i
      JOIN driver d ON d.tenant_id = :tenant_id AND d.id = i.driver_id
      JOIN register_answer a ON a.tenant_id = :tenant_id AND a.driver_id = d.id
       AND a.id = i.answer_id
     WHERE i.day = :day AND i.tenant_id = :tenant_id AND i.driver_id = ANY(:ids)
       AND i.state = 'quarantined'
     ORDER BY d.id
       FOR UPDATE OF d
""")
_CLOSE_ITEMS = text("""
    UPDATE check_item i
       SET state = 'done', counted_change = i.driver_id = ANY(:counted)
     WHERE i.day = :day AND i.tenant_id = :tenant_id AND i.driver_id = ANY(:ids)
       AND i.state = 'quarantined'
""")
_REJECT_ITEMS = text("""
    UPDATE check_item SET state = 'done', counted_change = true
     WHERE day = :day AND state = 'quarantined'
    RETURNING outcome
""")
_PENDING_REVIEWS = text("""
    SELECT r.day, r.planned,
           (SELECT count(*) FROM check_item i
             WHERE i.day = r.day AND i.state = 'quarantined') AS quarantined
      FROM check_run r WHERE r.review_state = 'pending' ORDER BY r.day
""")


class PendingReview(msgspec.Struct, frozen=True):
    """A run whose quarantined changes wait for an operator's decision."""

    day: date
    planned: int
    quarantined: int


class ReviewResult(msgspec.Struct, frozen=True):
    """Applied outcomes, number of new notices, and the changes still quarantined."""

    outcomes: Counter[Outcome]
    notices: int
    quarantined: int


async def resolve_changes(context: AppContext, day: date) -> ReviewResult:
    """Apply the day's quarantined changes, or open a review if there are too many.

    Locks the run's row and counts again before every batch, so that changes quarantined meanwhile
    are counted before they are applied.
    """
    outcomes: Counter[Outcome] = Counter()
    notices = 0
    while True:
        async with context.database.batch() as session:
            run = (await session.execute(_LOCK_RUN, {"day": day})).one_or_none()
            counts = (await session.execute(_COUNT_CHANGES, {"day": day})).one()
            changes = StatusChanges(*counts)
            if run is None or changes.provisional == 0:
                return ReviewResult(outcomes, notices, 0)
            if _needs_review(run, changes):
                await _quarantine(session, context, day, run.planned, changes.provisional)
                return ReviewResult(outcomes, notices, changes.provisional)
            applied, published = await _apply_batch(session, context, day)
        outcomes += applied
        notices += published


async def approve_changes(context: AppContext, day: date) -> ReviewResult:
    """Apply the day's quarantined changes by an operator's decision."""
    if not await _decide(context, day, "approved"):
        return ReviewResult(Counter(), 0, 0)
    return await resolve_changes(context, day)


async def reject_changes(context: AppContext, day: date) -> int:
    """Close the day's quarantined items without effect; returns their number."""
    if not await _decide(context, day, "rejected"):
        return 0
    async with context.database.batch() as session:
        rejected = (await session.execute(_REJECT_ITEMS, {"day": day})).scalars().all()
        await add_to_run_counts(session, day, Counter(Outcome(value) for value in rejected))
    return len(rejected)


async def list_pending_reviews(context: AppContext) -> list[PendingReview]:
    """Runs with a pending review, oldest first."""
    async with context.database.system() as session:
        rows = await session.execute(_PENDING_REVIEWS)
        return [PendingReview(row.day, row.planned, row.quarantined) for row in rows]


def _needs_review(run: Row[Any], changes: StatusChanges) -> bool:
    """Whether the changes wait for a decision; a pending review stays so with fewer changes."""
    if run.review_state in {"pending", "approved"}:
        return bool(run.review_state == "pending")
    return is_mass_change(changes, run.planned)


async def _quarantine(
    session: BatchSession, context: AppContext, day: date, run_size: int, count: int
) -> None:
    """Open or update the run's review, and the operators' incident."""
    await session.execute(_OPEN_REVIEW, {"day": day, "count": count})
    await open_incident(
        session,
        kind=MASS_CHANGE_INCIDENT,
        key=day.isoformat(),
        detail=f"{count} of {run_size}",
        now=context.clock.now(),
    )


async def _decide(context: AppContext, day: date, decision: str) -> bool:
    """Store the decision and close the incident; False if no review is pending."""
    async with context.database.system() as session:
        closed = await session.scalar(_CLOSE_REVIEW, {"day": day, "decision": decision})
        if closed is None:
            return False
        await close_incident(
            session, kind=MASS_CHANGE_INCIDENT, key=day.isoformat(), now=context.clock.now()
        )
        return True


async def _apply_batch(
    session: BatchSession, context: AppContext, day: date
) -> tuple[Counter[Outcome], int]:
    rows = (await session.execute(_LOCK_QUARANTINED, {"day": day, "limit": BATCH_SIZE})).all()
    outcomes: Counter[Outcome] = Counter()
    notices = 0
    for tenant_id, company in groupby(rows, key=lambda row: row.tenant_id):
        await session.switch_tenant(tenant_id)
        ids = [row.driver_id for row in company]
        applied, published = await _apply_company(session, context, day, tenant_id, ids)
        outcomes += applied
        notices += published
    await add_to_run_counts(session, day, outcomes)
    return outcomes, notices


async def _apply_company(
    session: BatchSession, context: AppContext, day: date, tenant_id: TenantId, ids: list[Any]
) -> tuple[Counter[Outcome], int]:
    params = {"day": day, "tenant_id": tenant_id, "ids": ids}
    rows = (await session.execute(_LOCK_RESULTS, params)).all()
    results = [
        _to_result(tenant_id, row)
        for row in rows
        if row.document_version == row.answer_document_version
    ]
    notices = await save_results(session, context, tenant_id, results)
    counted = [
        result.sent_query.driver_id
        for result in results
        if result.is_current and counts_towards_limit(result.previous_status)
    ]
    await session.execute(_CLOSE_ITEMS, {**params, "counted": counted})
    return Counter(result.outcome for result in results), notices


def _to_result(tenant_id: TenantId, row: Row[Any]) -> CheckResult:
    """The quarantined result; not current if a newer query has taken effect since."""
    query = SentQuery(
        tenant_id=tenant_id,
        driver_id=row.id,
        document_version=row.answer_document_version,
        query=LicenceQuery(row.first_name, row.last_name, row.license_number),
        asked_at=row.done_at,
        asked_at_system=row.asked_at_system,
    )
    return CheckResult(
        sent_query=query,
        previous_status=row.status,
        outcome=Outcome(row.outcome),
        answer=StoredAnswer(
            hash=row.hash,
            canonical=b"",  # stored already
            document_code=row.document_code,
            document_status=row.document_status,
            issuing_authority=row.issuing_authority,
            expiry_date=row.expiry_date,
            categories=row.categories,
            reasons=row.reasons,
            notes=row.notes,
        ),
        answer_id=row.answer_id,
        is_current=not is_overtaken(query, row.newest_asked_at),
    )
