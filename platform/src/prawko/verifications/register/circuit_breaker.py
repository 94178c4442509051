"""Circuit breaker of the register, as pure functions of state and time.

Errors slow down every process: 429 pauses for the Retry-After, else for 30 s doubling to an hour;
a server that does not answer opens the breaker, which lets one probe through every 30 s; a rejected
account pauses like a 429 and is reported to operators. One valid answer resets all of it, except a
running pause. Times are the system clock's.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial

import msgspec

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import RegisterError, RegisterErrorKind

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


def blocked_until(state: LimiterState, now: datetime) -> datetime | None:
    """Time until which no query is allowed; None if one is allowed now."""
    probe_at = state.probe_at if needs_probe(state) else None
    return max((at for at in (state.paused_until, probe_at) if at and at > now), default=None)


def after_probe(state: LimiterState, now: datetime) -> LimiterState:
    """State after a query was sent: if it was a probe, the next one is due an interval later."""
    if not needs_probe(state):
        return state
    is_closed = state.breaker is BreakerState.CLOSED
    breaker = BreakerState.CLOSED if is_closed else BreakerState.HALF_OPEN
    return msgspec.structs.replace(state, breaker=breaker, probe_at=now + PROBE_INTERVAL)


def needs_probe(state: LimiterState) -> bool:
    """Whether one query at a time is let through, to find out how the register is."""
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
