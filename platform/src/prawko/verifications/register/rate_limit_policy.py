"""Rate limit and circuit breaker of the register, as pure functions of state and time.

Queries are spaced evenly (generic cell rate algorithm: one stored time, the next free slot).
Errors slow down every process: 429 pauses for the Retry-After, else for 30 s doubling to an hour;
a server that does not answer opens a circuit breaker, which lets one probe through every 30 s; a
rejected account pauses like a 429 and is reported to operators. One valid answer resets all of
it, except a running pause. Times are the system clock's.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial

import msgspec

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import RegisterError, RegisterErrorKind

RUN_SHARE = 0.8
MANUAL_SHARE = 0.2
FIRST_PAUSE = 30.0
MAX_PAUSE = 3600.0
# Upper bound of a Retry-After, in seconds.
MAX_RETRY_AFTER = 86_400.0
PROBE_INTERVAL = timedelta(seconds=30)
FAILURE_THRESHOLD = 10


class BreakerState(StrEnum):
    """Closed: normal operation. Open: blocked until the next probe. Half open: a probe was sent."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class LimiterState(msgspec.Struct, frozen=True, kw_only=True):
    """Shared state of one lane. `failures` counts those since the last answer."""

    next_free_at: datetime
    paused_until: datetime | None = None
    pause_seconds: float = 0
    breaker: BreakerState = BreakerState.CLOSED
    failures: int = 0
    probe_at: datetime | None = None
    account_error: str | None = None

    @property
    def is_degraded(self) -> bool:
        """Whether there is anything that a success would reset."""
        return self != LimiterState(next_free_at=self.next_free_at)


class Reservation(msgspec.Struct, frozen=True):
    """Slots for `count` queries: the first at `first_at`, the others `spacing` seconds apart."""

    count: int
    first_at: datetime
    spacing: float

    def slot_time(self, index: int) -> datetime:
        """Time of the slot with this index."""
        return self.first_at + timedelta(seconds=index * self.spacing)


def blocked_until(state: LimiterState, now: datetime) -> datetime | None:
    """Time until which no query is allowed; None if one is allowed now."""
    ends = [
        end
        for end in (
            state.paused_until,
            state.probe_at if _needs_probe(state) else None,
        )
        if end is not None and end > now
    ]
    return max(ends, default=None)


def reserve_slots(
    state: LimiterState, now: datetime, *, max_slots: int, rate: float, horizon: float
) -> Reservation | None:
    """The free slots within `horizon` seconds, at most `max_slots`.

    `rate` is in queries per second. Returns None while queries are blocked, or if every slot within
    the horizon is taken. With an open breaker or a rejected account there is one slot, for the
    probe.
    """
    if blocked_until(state, now) is not None:
        return None
    first = max(state.next_free_at, now)
    spacing = 1 / rate
    remaining = (now - first).total_seconds() + horizon
    if remaining < 0:
        return None
    free = max(1, int(remaining * rate))
    count = min(max_slots, 1 if _needs_probe(state) else free)
    return Reservation(count=count, first_at=first, spacing=spacing)


def after_reservation(
    state: LimiterState, now: datetime, reservation: Reservation, count: int
) -> LimiterState:
    """State after `count` of the reserved slots are used; a probe delays the next one."""
    return after_probe(
        msgspec.structs.replace(state, next_free_at=reservation.slot_time(count)), now
    )


def after_probe(state: LimiterState, now: datetime) -> LimiterState:
    """State after a query was sent: if it was a probe, the next one is due an interval later."""
    if not _needs_probe(state):
        return state
    breaker = (
        BreakerState.CLOSED if state.breaker is BreakerState.CLOSED else BreakerState.HALF_OPEN
    )
    return msgspec.structs.replace(state, breaker=breaker, probe_at=now + PROBE_INTERVAL)


def _needs_probe(state: LimiterState) -> bool:
    return state.breaker is not BreakerState.CLOSED or state.account_error is not None


def on_success(state: LimiterState, now: datetime) -> LimiterState:
    """State after a valid answer: everything is reset, except a running pause.

    An answer during a pause was in flight when it started and does not end it.
    """
    reset = LimiterState(next_free_at=state.next_free_at)
    if state.paused_until is None or state.paused_until <= now:
        return reset
    return msgspec.structs.replace(
        reset,
        paused_until=state.paused_until,
        pause_seconds=state.pause_seconds,
        account_error=state.account_error,
    )


def on_failures(state: LimiterState, now: datetime, failures: int = 1) -> LimiterState:
    """State after that many queries without an answer; opens the breaker at the threshold."""
    state = msgspec.structs.replace(state, failures=state.failures + failures)
    if state.breaker is BreakerState.OPEN or state.failures < FAILURE_THRESHOLD:
        return state
    return msgspec.structs.replace(state, breaker=BreakerState.OPEN, probe_at=now + PROBE_INTERVAL)


def on_throttled(state: LimiterState, now: datetime, retry_after: float | None) -> LimiterState:
    """State after a 429; `retry_after` is in seconds, None if the register sent none.

    During a pause, a 429 without Retry-After is ignored (the query was in flight when the pause
    started); one with a Retry-After can only extend the pause.
    """
    is_paused = state.paused_until is not None and state.paused_until > now
    if retry_after is not None:
        seconds = min(max(retry_after, 1.0), MAX_RETRY_AFTER)
    elif is_paused:
        return state
    else:
        seconds = min(max(state.pause_seconds * 2, FIRST_PAUSE), MAX_PAUSE)
    end = now + timedelta(seconds=seconds)
    if is_paused and state.paused_until is not None:
        end = max(end, state.paused_until)
    return msgspec.structs.replace(state, paused_until=end, pause_seconds=seconds)


def on_account_rejected(state: LimiterState, now: datetime, reason: str) -> LimiterState:
    """State after the register rejected our account: a growing pause, then one probe each."""
    return msgspec.structs.replace(on_throttled(state, now, None), account_error=reason)


def transition_for(
    errors: Sequence[Exception], *, any_success: bool
) -> Callable[[LimiterState, datetime], LimiterState] | None:
    """The state transition for a batch of failed queries; None if they do not affect the limiter.

    A rejected account takes precedence, then a 429. Unavailability counts only if no query of the
    batch was answered; invalid answers and adapter bugs are ignored.
    """
    for error in errors:
        if isinstance(error, ProviderAccountError):
            return partial(on_account_rejected, reason=type(error).__name__)
    register_errors = [error for error in errors if isinstance(error, RegisterError)]
    for error in register_errors:
        if error.kind is RegisterErrorKind.RATE_LIMITED:
            return partial(on_throttled, retry_after=error.retry_after)
    failures = sum(error.kind is RegisterErrorKind.UNAVAILABLE for error in register_errors)
    return partial(on_failures, failures=failures) if failures and not any_success else None
