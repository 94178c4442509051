"""Tells operators what is wrong with the daily check: one mail per incident, none for its echo."""

from datetime import date, datetime, timedelta

import msgspec
from sqlalchemy import text

from prawko.base.clock import WARSAW, machine_now, warsaw_day
from prawko.base.jobs import Tools, job
from prawko.deliveries.incidents import keep_incident
from prawko.deliveries.jobs import deliver_pending
from prawko.hooks.licence_register import HasCertificate
from prawko.verifications.bucket import Bucket
from prawko.verifications.jobs import timetable_of
from prawko.verifications.pace import Breaker, Pace
from prawko.verifications.planning import count_due
from prawko.verifications.runs import Progress, progress
from prawko.verifications.timetable import Timetable

UNRESOLVED_PERCENT = 1
CAPACITY_PERCENT = 80
CERTIFICATE_DAYS = (35, 45, 60)


# A day that is over is late no more.
_PAST = text("""
    UPDATE incident SET closed_at = :now
     WHERE kind IN ('run_late', 'run_unresolved') AND key < :today AND closed_at IS NULL
""")


class Sight(msgspec.Struct, frozen=True):
    """Something the watchman looks at: whether it is wrong, and the figures that show it."""

    kind: str
    key: str
    wrong: bool
    detail: str


@job(timeout=120)
async def watch(tools: Tools) -> None:
    """Look around, open an incident for what is wrong, and close those that are over."""
    now = tools.clock.now()
    today = warsaw_day(now)
    timetable = timetable_of(tools)
    register = tools.plugins.register(tools.settings.register)
    async with tools.database.planner() as planner:
        drivers = await count_due(planner, now)
    pace = await Bucket(tools.database, register.name, tools.settings.register_rate).pace()
    away = look_at_register(register.name, pace, machine_now())
    run = await progress(tools, today)
    known = any(sight.wrong for sight in away)
    sights = [*look_at_run(timetable, today, drivers, run, now, cause_known=known), *away]
    if isinstance(register, HasCertificate):
        sights += look_at_certificate(register.name, register.certificate_ends(), now)
    opened = 0
    async with tools.database.system() as session:
        for sight in sights:
            opened += await keep_incident(session, **msgspec.structs.asdict(sight), now=now)
        await session.execute(_PAST, {"now": now, "today": today.isoformat()})
    if opened:
        await tools.queue.put(deliver_pending)


def look_at_run(
    timetable: Timetable,
    today: date,
    drivers: int,
    run: Progress,
    now: datetime,
    *,
    cause_known: bool,
) -> list[Sight]:
    """Whether today's run is late, unresolved or too large. Figures only: no names.

    A run that waits for a register of which the operators hear anyway is not called late too.
    """
    key = today.isoformat()
    due = now >= timetable.ready_by(today) and drivers > 0
    planned = max(run.planned, drivers)
    unresolved = run.unanswered + run.overdue
    capacity = timetable.capacity(today)
    return [
        Sight(
            "run_late",
            key,
            due and (run.planned == 0 or (run.overdue > 0 and not cause_known)),
            f"{run.done}/{planned}",
        ),
        Sight(
            "run_unresolved",
            key,
            due and unresolved * 100 > UNRESOLVED_PERCENT * planned,
            f"{unresolved}/{planned}",
        ),
        # Until it is mended: not a new mail every day.
        Sight(
            "run_capacity",
            "capacity",
            drivers * 100 > CAPACITY_PERCENT * capacity,
            f"{drivers}/{capacity}",
        ),
    ]


def look_at_register(name: str, pace: Pace, now: datetime) -> list[Sight]:
    """Whether the register refuses our account, or has been away for a while."""
    away = pace.breaker is not Breaker.CLOSED and pace.failures > 0
    return [
        Sight("register_refused", name, pace.account_error is not None, pace.account_error or ""),
        Sight("register_down", name, away, f"{pace.failures}, {now.astimezone(WARSAW):%H:%M}"),
    ]


def look_at_certificate(name: str, ends: datetime, now: datetime) -> list[Sight]:
    """One incident for each of the three warnings, 60, 45 and 35 days before the end."""
    left = ends - now
    reached = [days for days in CERTIFICATE_DAYS if left <= timedelta(days=days)]
    return [
        Sight(
            "certificate_ends",
            f"{name} {ends:%Y-%m-%d} {days}",
            days == min(reached, default=None),
            f"{ends.astimezone(WARSAW):%Y-%m-%d}",
        )
        for days in CERTIFICATE_DAYS
    ]
