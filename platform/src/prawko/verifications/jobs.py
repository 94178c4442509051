"""The daily check's jobs. Each may run twice, on any worker, at any time."""

from datetime import date, timedelta

from prawko.base import logs
from prawko.base.clock import machine_now, warsaw_day
from prawko.base.jobs import Tools, job
from prawko.deliveries.jobs import deliver_pending
from prawko.verifications import pace
from prawko.verifications.leases import anything_due, anything_leased
from prawko.verifications.planning import KEEP_DAYS, count_due, forget_old_days, plan
from prawko.verifications.pump import Pump
from prawko.verifications.runs import finish, known_day
from prawko.verifications.settling import settle
from prawko.verifications.timetable import Timetable

log = logs.logger(__name__)

PUMPS = 4
SHIFT = timedelta(minutes=1)


def timetable_of(tools: Tools) -> Timetable:
    """The timetable that the settings make: a run has its lane's share of the rate."""
    settings = tools.settings
    return Timetable(settings.check_time, settings.register_rate * pace.RUN_SHARE)


@job(timeout=180)
async def pump(tools: Tools, *, day: date) -> None:
    """Check due drivers for a minute, settle when nothing is due, and ring the next pump."""
    home = machine_now() + SHIFT
    worker = Pump(tools, day)
    await worker.run(lambda: machine_now() > home)
    if tools.stopping:
        return
    if await anything_due(tools.database, day, tools.clock.now()):
        if machine_now() > home:
            await tools.queue.put(pump, day=day)
        return
    if not await anything_leased(tools.database, day):
        settled = await settle(tools, day)
        await finish(tools, day)
        if settled.notices:
            await tools.queue.put(deliver_pending)


@job(timeout=300)
async def reconcile(tools: Tools) -> None:
    """Start a run that is due, plan who is missing, and ring for whatever waits."""
    now = tools.clock.now()
    today = warsaw_day(now)
    async with tools.database.planner() as planner:
        drivers = await count_due(planner, now)
    started = timetable_of(tools).must_have_started(now, drivers) is not None
    if started or await known_day(tools, today):
        planned = await plan(tools.database, today, today - timedelta(days=1), now)
        if planned:
            log.info("drivers_planned", day=today.isoformat(), drivers=planned)
    # Yesterday's stragglers are yesterday's: their drivers are asked about again today.
    if await anything_due(tools.database, today, now):
        for _ in range(PUMPS):
            await tools.queue.put(pump, day=today)
    elif not await anything_leased(tools.database, today):
        await settle(tools, today)
        await finish(tools, today)
    await tools.queue.put(deliver_pending)


@job(timeout=300)
async def forget_days(tools: Tools) -> None:
    """Drop check items that are older than a fortnight."""
    before = warsaw_day(tools.clock.now()) - timedelta(days=KEEP_DAYS)
    dropped = await forget_old_days(tools.database, before)
    if dropped:
        log.info("days_forgotten", days=dropped)
