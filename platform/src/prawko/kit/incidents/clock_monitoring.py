"""The incident of a machine whose clock differs from PostgreSQL's.

Its times are PostgreSQL's. A worker with a wrong clock sends nothing: another worker mails the
incident, and the log always has it. Panel and console cannot open an incident: they log it, and are
not ready.
"""

import asyncio
import socket
from datetime import datetime, timedelta

from prawko.kit.clock import describe_deviation
from prawko.kit.context import AppContext
from prawko.kit.incidents.models import Detail
from prawko.kit.incidents.service import close_incident, open_incident
from prawko.kit.observability import logs
from prawko_tenants.outages import is_unavailable

CLOCK_INCIDENT = "clock_differs"
SECONDS_BETWEEN_COMPARISONS = 5

log = logs.get_logger(__name__)


class ReportedClock:
    """The state of this process's clock as last reported; None before the first comparison."""

    is_trusted: bool | None = None


async def watch_clock(context: AppContext, *, opens_incidents: bool = True) -> None:
    """Compare the clock with PostgreSQL's until cancelled; within a second of a jump, too."""
    reported = context.components.get(ReportedClock)
    while True:
        try:
            await check_clock(context, opens_incidents=opens_incidents)
        except Exception:  # the boundary of a task: the clock is compared again
            log.exception("clock_check_failed")
        for _ in range(SECONDS_BETWEEN_COMPARISONS):
            await asyncio.sleep(1)
            if context.clock_guard.is_trusted != reported.is_trusted:
                break


async def check_clock(context: AppContext, *, opens_incidents: bool = True) -> bool:
    """Compare the clock with the database's and sync the incident; returns whether it is right.

    A database that cannot be reached is no reason to distrust the clock.
    """
    guard, reported = context.clock_guard, context.components.get(ReportedClock)
    try:
        now = await guard.compare(context.database)
        is_trusted = guard.is_trusted
        if is_trusted != reported.is_trusted:
            if opens_incidents:
                await _report_clock(context, now, is_trusted=is_trusted)
            elif reported.is_trusted is not None or not is_trusted:
                _log_clock(context, is_trusted=is_trusted)
            reported.is_trusted = is_trusted
    except Exception as error:
        if not is_unavailable(error):
            raise
        log.warning("clock_not_checked", reason=type(error).__name__)
    return guard.is_trusted


async def require_right_clock(context: AppContext) -> None:
    """Raise ClockDiffersError unless the clock is right."""
    await check_clock(context)
    context.clock_guard.require_trusted()


async def _report_clock(context: AppContext, now: datetime, *, is_trusted: bool) -> None:
    kind, key = CLOCK_INCIDENT, socket.gethostname()
    async with context.database.system() as session:
        if is_trusted:
            await close_incident(session, kind=kind, key=key, now=now)
            return
        detail = _describe_difference(context)
        await open_incident(session, kind=kind, key=key, detail=detail, now=now, system_now=now)


def _log_clock(context: AppContext, *, is_trusted: bool) -> None:
    if is_trusted:
        log.info("clock_agrees")
    else:
        difference = describe_deviation(context.clock_guard.deviation)
        log.critical(CLOCK_INCIDENT, detail=f"{difference} PostgreSQL's")


def _describe_difference(context: AppContext) -> Detail:
    deviation = context.clock_guard.deviation
    text = "clock_behind" if deviation < timedelta(0) else "clock_ahead"
    return Detail(text, {"size": str(timedelta(seconds=round(abs(deviation).total_seconds())))})
