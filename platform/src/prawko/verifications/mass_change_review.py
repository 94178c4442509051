"""Applies quarantined status changes when a run is complete, or after an operator's decision.

Why: docs/decisions/0010-mass-change-quarantine.md.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from itertools import groupby
from typing import Any

from prawko.drivers.models import Driver, Outcome
from prawko.drivers.status_notices import stored_categories
from prawko.hooks.licence_register import LicenceQuery
from prawko.kit.clock import utc_now, warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.incidents.models import Detail
from prawko.kit.incidents.service import close_incident, open_incident
from prawko.verifications.answers import AnswerContent
from prawko.verifications.decision import CheckResult, Decision, is_overtaken
from prawko.verifications.mass_change import (
    MAX_UNREVIEWED_CHANGES,
    PENDING,
    PendingReview,
    ReviewDecision,
    ReviewRepository,
    StatusChanges,
    counts_towards_limit,
    is_mass_change,
    is_mass_return,
)
from prawko.verifications.models import CheckItem, CheckRun, RegisterAnswer
from prawko.verifications.register.check_tasks import SentQuery
from prawko.verifications.results_writer import CheckTotals, add_to_run_counts, save_results
from prawko_tenants.ids import AnswerId, TenantId
from prawko_tenants.sessions import BatchSession, SystemSession

MASS_CHANGE_INCIDENT = "mass_change"
MASS_WITHDRAWAL_INCIDENT = "mass_withdrawal"
MASS_RETURN_INCIDENT = "mass_return"
BATCH_SIZE = 500


async def resolve_changes(context: AppContext, day: date) -> CheckTotals:
    """Apply the day's quarantined changes, or open a review if there are too many.

    Locks the run's row and counts again before every batch, so that changes quarantined meanwhile
    are counted before they are applied.
    """
    applied = CheckTotals()
    while True:
        async with context.database.batch() as session:
            repository = ReviewRepository(session)
            run = await repository.lock_run(day)
            changes = await repository.count_changes(day, warsaw_date(context.clock.now()))
            if run is None or changes.provisional == 0:
                return applied
            if _needs_review(run, changes):
                await _open_review(session, context, run, changes.provisional)
                return applied
            applied += await _apply_batch(session, context, run)


async def report_mass_answers(context: AppContext, day: date) -> None:
    """Open an incident if unusually many drivers became invalid in the day's run, or valid again.

    Nothing is held back: a delayed true alert would cost more than a false one, and a true return
    that waits keeps a driver off the road. A register that has lost its withheld licences looks
    like many returns. An operator finds out whether it is right, and closes the incident.
    """
    async with context.database.system() as session:
        repository = ReviewRepository(session)
        run = await repository.get_run(day)
        if run is None:
            return
        if is_mass_change(run.invalid, run.done):
            count = await repository.count_new_alarms(day)
            if is_mass_change(count, run.done):
                await _open_incident(session, context, MASS_WITHDRAWAL_INCIDENT, run, count)
        before = await repository.get_run_before(day)
        # Each first check comes here: the items are read only where there may be so many.
        if before is not None and before.invalid > MAX_UNREVIEWED_CHANGES:
            count, invalid_before = await repository.count_returns(day, before.day)
            if is_mass_return(count, invalid_before):
                await _open_incident(session, context, MASS_RETURN_INCIDENT, run, count)


async def decide_review(
    session: SystemSession, day: date, decision: ReviewDecision, now: datetime
) -> bool:
    """Store the decision and close the incident; False if no review is pending.

    `apply_decisions` does what was decided.
    """
    if not await ReviewRepository(session).close_review(day, decision):
        return False
    await close_incident(session, kind=MASS_CHANGE_INCIDENT, key=day.isoformat(), now=now)
    return True


async def apply_decisions(context: AppContext) -> None:
    """Apply the decisions that no process has applied to the end; may run twice."""
    async with context.database.system() as session:
        decided = await ReviewRepository(session).list_decided()
    for day, decision in decided:
        if decision is ReviewDecision.APPROVED:
            await apply_approval(context, day)
        else:
            await apply_rejection(context, day)


async def apply_approval(context: AppContext, day: date) -> CheckTotals:
    """Apply the day's quarantined changes, which an operator approved."""
    applied = await resolve_changes(context, day)
    async with context.database.system() as session:
        await ReviewRepository(session).mark_applied(day)
    return applied


async def apply_rejection(context: AppContext, day: date) -> int:
    """Close the day's quarantined items without effect; return their number."""
    async with context.database.batch() as session:
        repository = ReviewRepository(session)
        rejected = await repository.reject_items(day)
        await repository.mark_applied(day)
        await add_to_run_counts(session, day, Counter(rejected))
    return len(rejected)


async def list_pending_reviews(context: AppContext) -> list[PendingReview]:
    """Runs with a pending review, oldest first."""
    async with context.database.system() as session:
        return await ReviewRepository(session).list_pending()


def _needs_review(run: CheckRun, changes: StatusChanges) -> bool:
    """Whether the changes wait for a decision; a pending review stays so with fewer changes.

    An approval applies to the changes that were quarantined then, not to later ones of the day.
    """
    if run.review_state == PENDING:
        return True
    # Drivers without an answer do not show how many changes are plausible.
    answered = run.done + changes.provisional + changes.awaiting_recheck
    return not _is_being_approved(run) and is_mass_change(
        changes.counted, min(run.planned, answered)
    )


def _is_being_approved(run: CheckRun) -> bool:
    """Whether an approval of the run is not applied to the end."""
    return run.review_state == ReviewDecision.APPROVED and run.quarantined > 0


async def _open_review(
    session: BatchSession, context: AppContext, run: CheckRun, count: int
) -> None:
    """Open or update the run's review, and the operators' incident."""
    run.review_state, run.quarantined = PENDING, count
    await _open_incident(session, context, MASS_CHANGE_INCIDENT, run, count)


async def _open_incident(
    session: BatchSession | SystemSession, context: AppContext, kind: str, run: CheckRun, count: int
) -> None:
    """Report how many of the drivers of a run have changed."""
    detail = Detail("changes", {"count": count, "planned": run.planned})
    await open_incident(
        session, kind=kind, key=run.day.isoformat(), detail=detail, now=context.clock.now()
    )


async def _apply_batch(session: BatchSession, context: AppContext, run: CheckRun) -> CheckTotals:
    applied, day = CheckTotals(), run.day
    items = await ReviewRepository(session).lock_items(day, BATCH_SIZE)
    for tenant_id, company in groupby(items, key=lambda item: item.tenant_id):
        await session.switch_tenant(tenant_id)
        applied += await _apply_company(session, context, run, tenant_id, list(company))
    await add_to_run_counts(session, day, applied.outcomes)
    return applied


async def _apply_company(
    session: BatchSession,
    context: AppContext,
    run: CheckRun,
    tenant_id: TenantId,
    items: Sequence[CheckItem],
) -> CheckTotals:
    """Apply a company's changes; those that an operator approved do not count towards the limit."""
    day, is_approved = run.day, _is_being_approved(run)
    driver_ids = [item.driver_id for item in items]
    repository = ReviewRepository(session)
    rows = await repository.lock_drivers(day, tenant_id, driver_ids)
    results = [
        _to_result(item, driver, answer, latest)
        for item, driver, answer, latest in rows
        if driver.document_version == answer.document_version
    ]
    applied = await save_results(session, context, tenant_id, results)
    counted = {
        result.sent_query.driver_id
        for result in results
        if result.is_effective and not is_approved and counts_towards_limit(result.previous_status)
    }
    await repository.close_items(day, tenant_id, driver_ids, counted)
    return applied


def _to_result(
    item: CheckItem, driver: Driver, answer: RegisterAnswer, latest: dict[str, Any] | None
) -> CheckResult:
    """The quarantined result; overtaken if a newer query has taken effect since."""
    if item.outcome is None or item.done_at is None or item.asked_at_system is None:
        raise ValueError("a quarantined item has an answer")
    query = SentQuery(
        tenant_id=item.tenant_id,
        driver_id=item.driver_id,
        document_version=answer.document_version,
        query=LicenceQuery(answer.first_name, answer.last_name, answer.license_number),
        asked_at=item.done_at,
        asked_at_system=item.asked_at_system,
    )
    overtaken = is_overtaken(query, driver.asked_at_system, utc_now())
    return CheckResult(
        sent_query=query,
        previous_status=driver.status,
        outcome=Outcome(item.outcome),
        decision=Decision.OVERTAKEN if overtaken else Decision.EFFECTIVE,
        answer=AnswerContent.from_row(answer),
        answer_id=AnswerId(answer.id),
        needed_categories=driver.needed_categories,
        previous_categories=stored_categories(latest),
        previous_valid_until=driver.valid_until,
    )
