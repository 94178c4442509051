"""The daily check in one go, in this process: for the command line and the demo's door."""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta

import msgspec

from prawko.base.clock import warsaw_day
from prawko.base.jobs import Tools
from prawko.deliveries.composing import Correspondence
from prawko.deliveries.sending import deliver_all
from prawko.verifications.jobs import PUMPS
from prawko.verifications.leases import anything_leased
from prawko.verifications.outcome import Outcome
from prawko.verifications.planning import plan
from prawko.verifications.pump import Pump
from prawko.verifications.runs import Progress, finish, progress
from prawko.verifications.settling import settle

POLL_SECONDS = 0.2

OnProgress = Callable[[Progress], None]


class DailyCheckReport(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What one call did. `unresolved` drivers of the day still wait for an answer."""

    day: date
    planned: int
    done: int
    valid: int
    invalid: int
    attention: int
    not_found: int
    unresolved: int
    notices: int


async def run_daily_check(
    tools: Tools,
    correspondence: Correspondence,
    *,
    on_progress: OnProgress = lambda _: None,
) -> DailyCheckReport:
    """Plan who is due today, check until nothing is due before its next try, and deliver.

    May be interrupted and called again; whoever has an item for the day already is not asked
    twice. Works beside the workers, and waits for what they have under way.
    """
    now = tools.clock.now()
    day = warsaw_day(now)
    planned = await plan(tools.database, day, day - timedelta(days=1), now)
    pumps = [Pump(tools, day) for _ in range(PUMPS)]
    over = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        group.create_task(_watch(tools, day, on_progress, over))
        await _pump_dry(tools, day, pumps)
        over.set()
    settled = await settle(tools, day)
    await finish(tools, day)
    await deliver_all(tools, correspondence)
    outcomes = sum((pump.pumped.outcomes for pump in pumps), start=settled.outcomes)
    end = await progress(tools, day)
    on_progress(end)
    return _report(
        day, planned, outcomes, end, settled.notices + sum(p.pumped.notices for p in pumps)
    )


async def _pump_dry(tools: Tools, day: date, pumps: list[Pump]) -> None:
    """Pump until nothing is due and nobody else is asking."""
    while not tools.stopping:
        async with asyncio.TaskGroup() as group:
            for pump in pumps:
                group.create_task(pump.run(lambda: False))
        if not await anything_leased(tools.database, day):
            return
        await asyncio.sleep(POLL_SECONDS)


async def _watch(tools: Tools, day: date, on_progress: OnProgress, over: asyncio.Event) -> None:
    while not over.is_set():
        on_progress(await progress(tools, day))
        with suppress(TimeoutError):
            async with asyncio.timeout(1):
                await over.wait()


def _report(
    day: date, planned: int, outcomes: Counter[Outcome], end: Progress, notices: int
) -> DailyCheckReport:
    return DailyCheckReport(
        day=day,
        planned=planned,
        done=outcomes.total(),
        valid=outcomes[Outcome.VALID],
        invalid=outcomes[Outcome.INVALID],
        attention=outcomes[Outcome.ATTENTION],
        not_found=outcomes[Outcome.NOT_FOUND],
        unresolved=end.unresolved + end.held,
        notices=notices,
    )
