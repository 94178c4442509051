"""Reports on the daily work: the check, the messages, the providers, monitoring."""

from collections.abc import AsyncIterator
from datetime import datetime
from enum import StrEnum

import msgspec
from sqlalchemy import func, select

from prawko.hooks.channels import Medium
from prawko.kit.clock import WARSAW, utc_now, warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.deliveries.monitoring import MAX_DELAY
from prawko.kit.incidents.heartbeats import HeartbeatKind, Watch, describe_gap, load_watch
from prawko.kit.incidents.models import ProviderPause
from prawko.kit.incidents.repository import IncidentRepository
from prawko.kit.outbox.repository import DeliveryRepository
from prawko.verifications.daily.operator_requests import paused_since
from prawko.verifications.daily.run_repository import RunProgress, load_progress
from prawko.verifications.daily.schedule import CheckSchedule
from prawko.verifications.models import CheckItem, RegisterLimiter
from prawko_tenants.sessions import SystemSession


class FindingState(StrEnum):
    """An operator should look at `warn`, and must act now at `fail`."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


class Finding(msgspec.Struct, frozen=True):
    """One line of a report."""

    state: FindingState
    about: str
    text: str


def new_finding(about: str, text: str, state: FindingState = FindingState.OK) -> Finding:
    """Return a line, by default of the state OK."""
    return Finding(state, about, text)


async def collect_status(context: AppContext) -> list[Finding]:
    """Return the state of the daily work, with a worker's login."""
    now = context.clock.now()
    progress = await load_progress(context, warsaw_date(now))
    async with context.database.system() as session:
        pause = await paused_since(session)
        errors = await _count_errors(session, now)
        lines = [_describe_run(context, progress, errors, now, pause)]
        lines += [await _describe_messages(session, medium) for medium in Medium]
        lines += [one async for one in _describe_providers(session)]
        incidents = await IncidentRepository(session).list_all(include_closed=False)
        watch = await load_watch(session)
    lines += (
        new_finding(
            "incident",
            f"{one.kind} {one.key} since {_instant(one.opened_at)}: {one.detail}",
            FindingState.WARN,
        )
        for one in incidents
    )
    lines.append(_describe_watch(watch))
    return lines


def _describe_run(
    context: AppContext,
    progress: RunProgress,
    errors: dict[str, int],
    now: datetime,
    pause: datetime | None,
) -> Finding:
    deadline = CheckSchedule.from_settings(context.settings).deadline(warsaw_date(now))
    about = f"check of {warsaw_date(now)}"
    is_late = now >= deadline
    if progress.planned == 0 and progress.finished_at is None:
        state = FindingState.WARN if is_late else FindingState.OK
        return new_finding(about, f"nothing is planned; due by {_warsaw(deadline)}", state)
    reasons = ", ".join(f"{kind} {number}" for kind, number in errors.items())
    unresolved = progress.unresolved + progress.quarantined
    text = f"{progress.done} of {progress.planned} done, {unresolved} unresolved"
    if reasons:
        text += f" ({reasons})"
    if progress.quarantined:
        text += f", {progress.quarantined} await a review"
    if pause is not None:
        text += f"; paused since {_instant(pause)}"
    if progress.finished_at is not None:
        text += f"; finished at {_warsaw(progress.finished_at)}"
    needs_look = progress.quarantined or pause or (is_late and progress.unresolved)
    return new_finding(about, text, FindingState.WARN if needs_look else FindingState.OK)


async def _count_errors(session: SystemSession, now: datetime) -> dict[str, int]:
    statement = (
        select(func.coalesce(CheckItem.error_kind, "not queried yet"), func.count())
        .where(CheckItem.day == warsaw_date(now), CheckItem.state == "due")
        .group_by(CheckItem.error_kind)
        .order_by(func.count().desc())
    )
    return {str(kind): number for kind, number in await session.execute(statement)}


async def _describe_messages(session: SystemSession, medium: Medium) -> Finding:
    now = utc_now()
    repository = DeliveryRepository(session)
    count, oldest = await repository.count_waiting(medium, now)
    if oldest is None:
        return new_finding(medium.value, "no message waits")
    reason = await repository.find_waiting_reason(medium, now)
    text = f"{count} wait, the oldest since {_instant(oldest)}" + (f" ({reason})" if reason else "")
    is_long = now - oldest > MAX_DELAY
    return new_finding(
        medium.value, text, FindingState.WARN if is_long or reason else FindingState.OK
    )


async def _describe_providers(session: SystemSession) -> AsyncIterator[Finding]:
    for lane in await session.scalars(select(RegisterLimiter).order_by(RegisterLimiter.lane)):
        about = f"register {lane.register} ({lane.lane})"
        if lane.account_error is not None:
            yield new_finding(
                about, f"rejects our account: {lane.account_error}", FindingState.FAIL
            )
        elif lane.breaker != "closed":
            yield new_finding(about, f"is unwell: {lane.failures} failures", FindingState.WARN)
        else:
            yield new_finding(about, "answers")
    for pause in await session.scalars(select(ProviderPause)):
        text = f"refused our account at {_instant(pause.since)}: {pause.reason}"
        yield new_finding(pause.provider, text, FindingState.FAIL)


def _describe_watch(watch: Watch) -> Finding:
    if (gap := describe_gap(watch)) is not None:
        return new_finding("watch", gap, FindingState.FAIL)
    age = round(watch.ages[HeartbeatKind.MONITORING])
    return new_finding("watch", f"{watch.workers} worker(s), monitoring {age} s ago")


def _instant(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}Z"


def _warsaw(moment: datetime) -> str:
    return f"{moment.astimezone(WARSAW):%H:%M} in Warsaw"
