"""Health checks of the daily check and the register; each failure opens an operator incident."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

import msgspec
from sqlalchemy import update

from prawko.hooks.licence_register import HasCertificate
from prawko.kit.clock import WARSAW, utc_now, warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.incidents.heartbeats import (
    HeartbeatKind,
    Watch,
    load_watch,
    prune_heartbeats,
    record_heartbeat,
)
from prawko.kit.incidents.models import Incident
from prawko.kit.incidents.plugin_faults import PLUGIN_FAILING, get_experience, record_fault
from prawko.kit.incidents.repository import IncidentRepository
from prawko.kit.incidents.service import set_incident
from prawko.kit.providers.availability import BreakerState
from prawko.kit.providers.calls import PluginBlockedError, PluginFaultError
from prawko.kit.providers.registry import PluginKind, full_name
from prawko.kit.work.jobs import job
from prawko.verifications.daily.operator_requests import paused_since
from prawko.verifications.daily.planning import count_due_drivers
from prawko.verifications.daily.run_repository import RunProgress, load_progress
from prawko.verifications.daily.schedule import CheckSchedule
from prawko.verifications.register.client import read_certificate_end
from prawko.verifications.register.rate_limit_policy import LimiterState
from prawko.verifications.register.rate_limiter import RateLimiter
from prawko_tenants.sessions import SystemSession

MAX_UNRESOLVED_PERCENT = 1
MAX_CAPACITY_PERCENT = 80
MAX_PAUSE = timedelta(days=1)
# So long an incident of a register's plugin is also the one about its missing answers. Later the
# register itself may be down, which no success of the plugin shows.
PLUGIN_INCIDENT_COVERS = timedelta(minutes=30)
CERTIFICATE_WARNING_DAYS = (35, 45, 60)

CERTIFICATE_ENDS = "certificate_ends"
RUN_LATE = "run_late"
RUN_UNRESOLVED = "run_unresolved"


class HealthCheck(msgspec.Struct, frozen=True):
    """Result of one health check; kind and key identify its incident, `detail` has the figures.

    A superseded incident is replaced by another one, so its end is not mailed.
    """

    kind: str
    key: str
    is_failing: bool
    detail: str
    is_superseded: bool = False


@job(timeout=120)
async def check_health(context: AppContext) -> None:
    """Run all health checks; open incidents of failing ones and close those of the others."""
    now = context.clock.now()
    today = warsaw_date(now)
    schedule = CheckSchedule.from_settings(context.settings)
    async with context.database.planner() as planner:
        drivers = await count_due_drivers(planner, now)
    checks, is_register_down = await _check_registers(context, now)
    progress = await load_progress(context, today)
    checks += check_daily_run(
        schedule, today, drivers, progress, now, is_register_down=is_register_down
    )
    is_queue_down = not await context.queue.is_available()
    async with context.database.system() as session:
        checks.append(HealthCheck("queue_down", "redis", is_queue_down, ""))
        checks.append(check_pause(await paused_since(session), now))
        await prune_heartbeats(session)
        checks.append(check_workers(await load_watch(session)))
        for check in checks:
            await _sync_incident(session, check, now)
        await _close_outdated_incidents(session, checks, today, now)
        await record_heartbeat(session, HeartbeatKind.MONITORING)


async def _check_registers(context: AppContext, now: datetime) -> tuple[list[HealthCheck], bool]:
    """Check every access to the register; also whether all of them are down."""
    registers = context.plugins.get_registers(context.settings.register_names)
    async with context.database.system() as session:
        opened = await IncidentRepository(session).list_all(include_closed=False)
    since = utc_now() - PLUGIN_INCIDENT_COVERS
    failing = {one.key for one in opened if one.kind == PLUGIN_FAILING and one.opened_at > since}
    checks: list[HealthCheck] = []
    accesses_down = 0
    for register in registers:
        limiter = RateLimiter(context.database, register.name, context.settings.register_rate)
        register_checks = check_register(
            register.name,
            await limiter.state(),
            utc_now(),
            is_plugin_failing=full_name(PluginKind.REGISTER, register.name) in failing,
        )
        accesses_down += any(check.is_failing for check in register_checks)
        checks += register_checks
        if isinstance(register, HasCertificate):
            checks += await _check_certificate(context, register.name, register, opened, now)
    return checks, accesses_down == len(registers)


async def _check_certificate(
    context: AppContext,
    name: str,
    register: HasCertificate,
    opened: Sequence[Incident],
    now: datetime,
) -> list[HealthCheck]:
    """Check a register's certificate; one that its plugin does not read stays as it was found."""
    plugin = get_experience(context, PluginKind.REGISTER, name)
    try:
        return check_certificate(name, read_certificate_end(plugin, register), now)
    except PluginBlockedError:
        pass  # an incident of its own
    except PluginFaultError as fault:
        await record_fault(context, plugin, fault, is_harmless=True)
    return [
        HealthCheck(one.kind, one.key, is_failing=True, detail=one.detail)
        for one in opened
        if one.kind == CERTIFICATE_ENDS and one.key.startswith(f"{name} ")
    ]


async def _sync_incident(session: SystemSession, check: HealthCheck, now: datetime) -> None:
    """Open or close the incident of a check."""
    if check.is_superseded:
        await IncidentRepository(session).supersede(check.kind, check.key, now)
        return
    await set_incident(
        session,
        kind=check.kind,
        key=check.key,
        is_active=check.is_failing,
        detail=check.detail,
        now=now,
    )


async def _close_outdated_incidents(
    session: SystemSession, checks: Sequence[HealthCheck], today: date, now: datetime
) -> None:
    """Close the incidents of runs whose day is over, and of certificates that were replaced."""
    of_earlier_runs = Incident.kind.in_([RUN_LATE, RUN_UNRESOLVED]) & (
        Incident.key < today.isoformat()
    )
    of_replaced_certificates = (Incident.kind == CERTIFICATE_ENDS) & Incident.key.not_in(
        [check.key for check in checks]
    )
    await session.execute(
        update(Incident)
        .where(of_earlier_runs | of_replaced_certificates, Incident.closed_at.is_(None))
        .values(closed_at=now)
    )


def check_daily_run(
    schedule: CheckSchedule,
    today: date,
    drivers: int,
    progress: RunProgress,
    now: datetime,
    *,
    is_register_down: bool,
) -> list[HealthCheck]:
    """Whether today's run is late, has too many unresolved drivers or exceeds the capacity.

    `drivers` is the number of drivers due today. While the register is down, which has an incident
    of its own, a started run is not late.
    """
    key = today.isoformat()
    is_due = now >= schedule.deadline(today) and drivers > 0
    planned = max(progress.planned, drivers)
    unresolved = progress.unanswered + progress.overdue
    capacity = schedule.capacity(today)
    return [
        HealthCheck(
            RUN_LATE,
            key,
            is_due and (progress.planned == 0 or (progress.overdue > 0 and not is_register_down)),
            f"{progress.done}/{planned}",
        ),
        HealthCheck(
            RUN_UNRESOLVED,
            key,
            is_due and unresolved * 100 > MAX_UNRESOLVED_PERCENT * planned,
            f"{unresolved}/{planned}",
        ),
        # One key for all days: no new incident every day.
        HealthCheck(
            "run_capacity",
            "capacity",
            drivers * 100 > MAX_CAPACITY_PERCENT * capacity,
            f"{drivers}/{capacity}",
        ),
    ]


def check_pause(since: datetime | None, now: datetime) -> HealthCheck:
    """Whether an operator has paused the daily check for more than a day."""
    is_long = since is not None and now - since > MAX_PAUSE
    return HealthCheck(
        "check_paused",
        "check",
        is_long,
        "" if since is None else f"{since.astimezone(WARSAW):%Y-%m-%d %H:%M}",
    )


def check_workers(watch: Watch) -> HealthCheck:
    """Whether a worker is silent that did not stop in order, because it was killed or hangs.

    Without another worker this check does not run; then the dead-man switch reports it.
    """
    workers = watch.workers + watch.silent_workers
    return HealthCheck(
        "worker_silent", "workers", watch.silent_workers > 0, f"{watch.silent_workers}/{workers}"
    )


def check_register(
    name: str, state: LimiterState, now: datetime, *, is_plugin_failing: bool = False
) -> list[HealthCheck]:
    """Whether one access is rejected, or gets no answers (its circuit breaker is open).

    The incident of a plugin that fails takes the place of the one about no answers.
    """
    is_down = state.breaker is not BreakerState.CLOSED and state.failures > 0
    return [
        HealthCheck(
            "register_refused", name, state.account_error is not None, state.account_error or ""
        ),
        HealthCheck(
            "register_down",
            name,
            is_down,
            f"{state.failures}, {now.astimezone(WARSAW):%H:%M}",
            is_superseded=is_plugin_failing,
        ),
    ]


def check_certificate(name: str, expires_at: datetime, now: datetime) -> list[HealthCheck]:
    """One check for each of the warnings 60, 45 and 35 days before the certificate expires."""
    remaining = expires_at - now
    # From the most urgent on, which goes on with those before it.
    reached = [days for days in CERTIFICATE_WARNING_DAYS if remaining <= timedelta(days=days)]
    return [
        HealthCheck(
            CERTIFICATE_ENDS,
            f"{name} {expires_at:%Y-%m-%d} {days}",
            days == min(reached, default=None),
            f"{expires_at.astimezone(WARSAW):%Y-%m-%d}",
            is_superseded=days in reached[1:],
        )
        for days in CERTIFICATE_WARNING_DAYS
    ]
