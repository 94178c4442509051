"""An operator's decision about a mass change, and its effect, in one step."""

from datetime import date

from prawko.kit.context import AppContext
from prawko.verifications.mass_change import ReviewDecision
from prawko.verifications.mass_change_review import apply_approval, apply_rejection, decide_review
from prawko.verifications.results_writer import CheckTotals


async def approve_changes(context: AppContext, day: date) -> CheckTotals:
    """Approve the day's changes and apply them; nothing where none are pending."""
    if not await _decide(context, day, ReviewDecision.APPROVED):
        return CheckTotals()
    return await apply_approval(context, day)


async def reject_changes(context: AppContext, day: date) -> int:
    """Reject the day's changes; return their number."""
    if not await _decide(context, day, ReviewDecision.REJECTED):
        return 0
    return await apply_rejection(context, day)


async def _decide(context: AppContext, day: date, decision: ReviewDecision) -> bool:
    async with context.database.system() as session:
        return await decide_review(session, day, decision, context.clock.now())
