"""The daily check's jobs. Each may run twice, on any worker, at any time."""

from datetime import date, datetime, timedelta

from prawko.base import logs
from prawko.base.clock import machine_now, warsaw_day
from prawko.base.jobs import Tools, job
from prawko.deliveries.jobs import deliver_pending
from prawko.verifications import pace
from prawko.verifications.leases import anything_due, anything_leased
from prawko.verifications.planning import (
    KEEP_DAYS,
    count_due,
    forget_old_days,
    plan,
    plan_missing,
)
from prawko.verifications.pump import Pump
from prawko.verifications.runs import finish, is_begun, is_open, is_taken_over
from prawko.verifications.settling import settle
from prawko.verifications.timetable import Timetable

log = logs.logger(__name__)

PUMPS = 4
SHIFT = timedelta(minutes=1)
A_DAY = timedelta(days=1)


def timetable_of(tools: Tools) -> Timetable:
    """The timetable that the settings make: a run has its lane's share of the rate."""
    settings = tools.settings
    return Timetable(settings.check_time, settings.register_rate * pace.RUN_SHARE)


class Crew:
    """The pumps at work in this process."""

    def __init__(self, most: int) -> None:
        self._free = most

    def takes_on(self) -> bool:
        """Whether one more may work; it has been counted then."""
        if self._free == 0:
            return False
        self._free -= 1
        return True

    def lets_go(self) -> None:
        """One has finished."""
        self._free += 1


_crew = Crew(PUMPS)


@job(timeout=180)
async def pump(tools: Tools, *, day: date) -> None:
    """Check due drivers for a minute, settle when nothing is due, and ring the next pump.

    A process has so many pumps and no more: rings are many, and messages must get through.
    """
    if await is_taken_over(tools, day) or not _crew.takes_on():
        return
    try:
        home = machine_now() + SHIFT
        working = Pump(tools, day)
        # Without a timetable nobody looks again by himself: whoever rang is waiting for us.
        patient = tools.settings.timetable
        await working.run(lambda: machine_now() > home, patient=patient)
    finally:
        _crew.lets_go()
    if tools.stopping:
        return
    if await anything_due(tools.database, day, tools.clock.now()):
        if patient or await working.may_ask():
            await tools.queue.put(pump, day=day)
    else:
        await _end(tools, day)


@job(timeout=300)
async def reconcile(tools: Tools) -> None:
    """Start a run that is due, plan who is missing, and ring for whatever waits."""
    now = tools.clock.now()
    today, yesterday = warsaw_day(now), warsaw_day(now) - A_DAY
    planned = await _plan(tools, today, yesterday, now)
    if planned:
        log.info("drivers_planned", day=today.isoformat(), drivers=planned)
    # Yesterday's stragglers are asked until today's run takes them over; what was answered then
    # still counts.
    for day in (today, yesterday):
        if await anything_due(tools.database, day, now) and not await is_taken_over(tools, day):
            for _ in range(PUMPS):
                await tools.queue.put(pump, day=day)
        elif await is_open(tools, day):
            await _end(tools, day)
    await tools.queue.put(deliver_pending)


async def _plan(tools: Tools, today: date, yesterday: date, now: datetime) -> int:
    """Everybody when the check begins; whoever is missing before and after."""
    begins = await _has_begun(tools, now)
    if begins and not await is_begun(tools, today):
        return await plan(tools.database, today, yesterday, now)
    return await plan_missing(tools.database, today, yesterday, now, newcomers_only=not begins)


async def _has_begun(tools: Tools, now: datetime) -> bool:
    """Whether today's check has begun, for everybody; newcomers do not wait for it."""
    timetable = timetable_of(tools)
    if timetable.must_have_started(now, 0):
        return True
    async with tools.database.planner() as planner:
        drivers = await count_due(planner, now)
    return timetable.must_have_started(now, drivers) is not None


async def _end(tools: Tools, day: date) -> None:
    """Settle and finish a run, unless somebody is asking still."""
    if await anything_leased(tools.database, day):
        return
    settled = await settle(tools, day)
    await finish(tools, day)
    if settled.notices:
        await tools.queue.put(deliver_pending)


@job(timeout=300)
async def plan_again(tools: Tools) -> None:
    """Go through everybody, driver by driver: the reconciler only counts."""
    now = tools.clock.now()
    today = warsaw_day(now)
    if await is_begun(tools, today):
        await plan(tools.database, today, today - A_DAY, now)


@job(timeout=300)
async def forget_days(tools: Tools) -> None:
    """Drop check items that are older than a fortnight."""
    before = warsaw_day(tools.clock.now()) - timedelta(days=KEEP_DAYS)
    dropped = await forget_old_days(tools.database, before)
    if dropped:
        log.info("days_forgotten", days=dropped)
