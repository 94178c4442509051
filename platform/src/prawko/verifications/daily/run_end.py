"""The end of a day's run: its quarantined changes take effect or wait for a review."""

from datetime import date

from prawko.kit.context import AppContext
from prawko.verifications.daily.repository import has_due_items, has_leased_items, has_paused_items
from prawko.verifications.daily.run_repository import find_later_run, finish_run
from prawko.verifications.mass_change import PENDING
from prawko.verifications.mass_change_review import report_mass_answers, resolve_changes
from prawko.verifications.results_writer import CheckTotals


async def finish_if_idle(context: AppContext, day: date) -> CheckTotals:
    """Unless an item is leased, apply quarantined changes; finish the run if done or superseded.

    Not while a pause holds items back, because the changes of a part of the run do not measure the
    run. The changes of a run that was superseded before it was complete wait for the later run.
    Returns what was applied.
    """
    now = context.clock.now()
    if await has_leased_items(context.database, day):
        return CheckTotals()
    if await has_paused_items(context.database, day, now):
        return CheckTotals()
    await report_mass_answers(context, day)
    if await _awaits_later_run(context, day):
        return CheckTotals()
    applied = await resolve_changes(context, day)
    await finish_run(context, day)
    return applied


async def _awaits_later_run(context: AppContext, day: date) -> bool:
    """Whether the day has quarantined changes and a later run, which queries again, is incomplete.

    A later run whose own changes wait for a review counts as incomplete.
    """
    now, later = context.clock.now(), await find_later_run(context, day)
    if later is None:
        return False
    return (
        later.review_state == PENDING
        or await has_leased_items(context.database, later.day)
        or await has_due_items(context.database, later.day, now)
        or await has_paused_items(context.database, later.day, now)
    )
