"""Rate and expected end of a run, and whether it is stalled, from its counts and times. Pure."""

from datetime import datetime, timedelta

import msgspec

# A worker reserves queries at least every two seconds, unless each takes longer than that.
STALLED_AFTER = timedelta(seconds=4)
_MIN_ELAPSED_SECONDS = 1.0


class RunActivity(msgspec.Struct, frozen=True, kw_only=True):
    """The work of the workers in today's run; `last_progress_at` is by the system clock.

    `leased` items are claimed by a worker; `recent_batches` are the claims of the last seconds.
    """

    due: int = 0
    leased: int = 0
    recent_batches: int = 0
    last_progress_at: datetime | None = None
    is_blocked: bool = False


def rate_per_minute(
    done: int, started_at: datetime | None, finished_at: datetime | None, now: datetime
) -> float | None:
    """Return the drivers checked per minute so far; None for a run that has not started."""
    if started_at is None:
        return None
    elapsed = ((finished_at or now) - started_at).total_seconds()
    return round(done * 60 / max(elapsed, _MIN_ELAPSED_SECONDS), 1)


def expected_end(
    unresolved: int, measured_per_minute: float | None, allowed_per_second: float, now: datetime
) -> datetime | None:
    """Return when the unresolved drivers will be checked, at the measured rate or the allowed."""
    if unresolved == 0 or measured_per_minute is None:
        return None
    per_second = measured_per_minute / 60 or allowed_per_second
    return now + timedelta(seconds=unresolved / per_second)


def is_stalled(
    activity: RunActivity, *, is_paused: bool, resumed_at: datetime, system_now: datetime
) -> bool:
    """Whether work is due and no worker has done any for a while.

    `resumed_at` is when the run started or its last pause ended: workers then need a moment.
    """
    if is_paused or activity.is_blocked or activity.due == 0:
        return False
    last_progress_at = max(resumed_at, activity.last_progress_at or resumed_at)
    return system_now - last_progress_at > STALLED_AFTER
