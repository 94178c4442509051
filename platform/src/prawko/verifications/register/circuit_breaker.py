"""Circuit breaker of the register, as pure functions of state and time.

Errors slow down every process: 429 pauses for the Retry-After, else for 30 s doubling to an hour;
a server that does not answer opens the breaker, which lets one probe through every 30 s; a rejected
account pauses like a 429 and is reported to operators. Missing answers and rejections that concern
one company's new documents alone do neither (`evidence`). One valid answer resets all of it, except
a running pause. Times are the system clock's; one that is further ahead than these rules set it
comes from a clock that was wrong, and is not believed.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial

import msgspec

from prawko.base.backoff import bounded_delay
from prawko.base.clock import MAX_CLOCK_SKEW
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import RegisterError, RegisterErrorKind
from prawko.verifications.register.evidence import Evidence, FailedQuery

FIRST_PAUSE = 30.0
MAX_PAUSE = 3600.0
# Bounds of a Retry-After.
SHORTEST_PAUSE = timedelta(seconds=1)
LONGEST_PAUSE = timedelta(days=1)
PROBE_INTERVAL = timedelta(seconds=30)
FAILURE_THRESHOLD = 10


class BreakerState(StrEnum):
    """Closed: normal operation. Open: blocked until the next probe. Half open: a probe was sent."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class LimiterState(msgspec.Struct, frozen=True, kw_only=True):
    """Shared state of one lane. `failures` counts those since the last answer.

    `refused` and `failed` say whose queries since then met a refused account, or no answer.
    """

    next_free_at: datetime
    paused_until: datetime | None = None
    pause_seconds: float = 0
    breaker: BreakerState = BreakerState.CLOSED
    failures: int = 0
    probe_at: datetime | None = None
    account_error: str | None = None
    refused: Evidence = Evidence()
    failed: Evidence = Evidence()

    @property
    def is_degraded(self) -> bool:
        """Whether there is anything that a success would reset."""
        return self != LimiterState(next_free_at=self.next_free_at)


def without_future_times(
    state: LimiterState, now: datetime, max_reserved: timedelta
) -> LimiterState:
    """State without times that no clock near `now` has set.

    Slots are reserved at most `max_reserved` ahead.
    """
    latest = now + MAX_CLOCK_SKEW
    if state.next_free_at > latest + max_reserved:
        state = msgspec.structs.replace(state, next_free_at=now)
    if state.probe_at is not None and state.probe_at > latest + PROBE_INTERVAL:
        state = msgspec.structs.replace(state, probe_at=now)
    pause = timedelta(seconds=state.pause_seconds)
    if state.paused_until is not None and state.paused_until > latest + pause:
        state = msgspec.structs.replace(state, paused_until=None)
    return state


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
        refused=state.refused,
    )


def on_failures(state: LimiterState, now: datetime, failed: Sequence[FailedQuery]) -> LimiterState:
    """State after queries without an answer; opens the breaker at the threshold."""
    state = msgspec.structs.replace(
        state, failures=state.failures + len(failed), failed=state.failed.with_failures(failed)
    )
    if state.breaker is BreakerState.OPEN or state.failures < FAILURE_THRESHOLD:
        return state
    if not state.failed.is_conclusive:
        return state
    return msgspec.structs.replace(state, breaker=BreakerState.OPEN, probe_at=now + PROBE_INTERVAL)


def on_throttled(state: LimiterState, now: datetime, retry_after: float | None) -> LimiterState:
    """State after a 429; `retry_after` is in seconds, None if the register sent none.

    During a pause, a 429 without Retry-After is ignored (the query was in flight when the pause
    started); one with a Retry-After can only extend the pause.
    """
    is_paused = state.paused_until is not None and state.paused_until > now
    if retry_after is not None:
        bounded = bounded_delay(retry_after, longest=LONGEST_PAUSE, shortest=SHORTEST_PAUSE)
        seconds = FIRST_PAUSE if bounded is None else bounded.total_seconds()
    elif is_paused:
        return state
    else:
        seconds = min(max(state.pause_seconds * 2, FIRST_PAUSE), MAX_PAUSE)
    end = now + timedelta(seconds=seconds)
    if is_paused and state.paused_until is not None and state.paused_until >= end:
        return state
    return msgspec.structs.replace(state, paused_until=end, pause_seconds=seconds)


def on_account_rejected(
    state: LimiterState, now: datetime, failed: Sequence[FailedQuery]
) -> LimiterState:
    """State after the register rejected our account for these queries.

    Once the evidence is conclusive, queries pause, longer each time; one probe follows each pause.
    """
    state = msgspec.structs.replace(state, refused=state.refused.with_failures(failed))
    if not state.refused.is_conclusive:
        return state
    reason = type(failed[0].error).__name__
    return msgspec.structs.replace(on_throttled(state, now, None), account_error=reason)


def transition_for(
    failed: Sequence[FailedQuery], *, any_success: bool
) -> Callable[[LimiterState, datetime], LimiterState] | None:
    """The state transition for a batch of failed queries; None if they do not affect the limiter.

    A rejected account takes precedence, then a 429. Rejections and unavailability count only if
    no query of the batch was answered; invalid answers and adapter bugs are ignored.
    """
    refused = [query for query in failed if isinstance(query.error, ProviderAccountError)]
    if refused and not any_success:
        return partial(on_account_rejected, failed=refused)
    unavailable = []
    for query in failed:
        if not isinstance(query.error, RegisterError):
            continue
        if query.error.kind is RegisterErrorKind.RATE_LIMITED:
            return partial(on_throttled, retry_after=query.error.retry_after)
        if query.error.kind is RegisterErrorKind.UNAVAILABLE:
            unavailable.append(query)
    return partial(on_failures, failed=unavailable) if unavailable and not any_success else None
