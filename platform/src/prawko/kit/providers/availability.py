"""Whether a provider may be called: open, paused until a time, or probing.

These are pure functions of state and time. A provider that asks for a pause is paused as long as
it says, else for a time that doubles. One that fails again and again is not called until the next
probe. One that refuses our account is paused, and then probed. Failures count only once the
evidence shows that they are the provider's. One success resets all of it, except a running pause.
Times are the system clock's; one that is further ahead than these rules set it comes from a clock
that was wrong, and is not believed.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import ClassVar, TypeVar

import msgspec

from prawko.kit.backoff import Backoff, bounded_delay
from prawko.kit.clock import MAX_CLOCK_SKEW
from prawko.kit.providers.evidence import Evidence, FailedCall

# Bounds of a pause that a provider asks for.
SHORTEST_PAUSE = timedelta(seconds=1)
LONGEST_PAUSE = timedelta(days=1)


class BreakerState(StrEnum):
    """Closed: normal operation. Open: blocked until the next probe. Half open: a probe was sent."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """When a kind of provider counts as unavailable, and for how long.

    `failures` in a row open the breaker, which lets a probe through each `probe_interval`. `pause`
    is for a provider that names no delay.
    """

    failures: int
    probe_interval: timedelta
    pause: Backoff


class Availability(msgspec.Struct, frozen=True, kw_only=True):
    """The state of one provider or register access. `failures` counts those since the last success.

    `refused` and `failed` say whose calls since then met a refused account, or failed.
    """

    rules: ClassVar[Rules]

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
        return self != msgspec.structs.replace(self, **_OPEN)


StateT = TypeVar("StateT", bound=Availability)
_OPEN = {field.name: field.default for field in msgspec.structs.fields(Availability)}


def without_future_times(state: StateT, now: datetime) -> StateT:
    """Return the state without times that no clock near `now` has set."""
    latest = now + MAX_CLOCK_SKEW
    if state.probe_at is not None and state.probe_at > latest + state.rules.probe_interval:
        state = msgspec.structs.replace(state, probe_at=now)
    pause = timedelta(seconds=state.pause_seconds)
    if state.paused_until is not None and state.paused_until > latest + pause:
        state = msgspec.structs.replace(state, paused_until=None)
    return state


def unavailable_until(state: Availability, now: datetime) -> datetime | None:
    """Return the time until which no call is allowed; None if one is allowed now."""
    probe_at = state.probe_at if needs_probe(state) else None
    return max((at for at in (state.paused_until, probe_at) if at and at > now), default=None)


def needs_probe(state: Availability) -> bool:
    """Whether one call at a time is let through, to find out how the provider is."""
    return state.breaker is not BreakerState.CLOSED or state.account_error is not None


def after_probe(state: StateT, now: datetime) -> StateT:
    """Return the state after a call: if it was a probe, the next one is due an interval later."""
    if not needs_probe(state):
        return state
    is_closed = state.breaker is BreakerState.CLOSED
    breaker = BreakerState.CLOSED if is_closed else BreakerState.HALF_OPEN
    return msgspec.structs.replace(
        state, breaker=breaker, probe_at=now + state.rules.probe_interval
    )


def on_success(state: StateT, now: datetime) -> StateT:
    """Return the state after a success: everything is reset, except a running pause.

    An answer during a pause was in flight when it started and does not end it.
    """
    reset = msgspec.structs.replace(state, **_OPEN)
    if state.paused_until is None or state.paused_until <= now:
        return reset
    return msgspec.structs.replace(
        reset,
        paused_until=state.paused_until,
        pause_seconds=state.pause_seconds,
        account_error=state.account_error,
        refused=state.refused,
    )


def on_failures(state: StateT, now: datetime, failed: Sequence[FailedCall]) -> StateT:
    """Return the state after calls that failed; opens the breaker at the threshold."""
    state = msgspec.structs.replace(
        state, failures=state.failures + len(failed), failed=state.failed.with_failures(failed)
    )
    if state.breaker is BreakerState.OPEN or state.failures < state.rules.failures:
        return state
    if not state.failed.is_conclusive:
        return state
    probe_at = now + state.rules.probe_interval
    return msgspec.structs.replace(state, breaker=BreakerState.OPEN, probe_at=probe_at)


def on_throttled(state: StateT, now: datetime, retry_after: float | None) -> StateT:
    """Return the state after a demand to pause, of `retry_after` seconds if it names a delay.

    During a pause, a demand without a delay is ignored (the call was in flight when the pause
    started); one with a delay can only extend the pause.
    """
    is_paused = state.paused_until is not None and state.paused_until > now
    first, longest = state.rules.pause.first.total_seconds(), state.rules.pause.longest
    if retry_after is not None:
        bounded = bounded_delay(retry_after, longest=LONGEST_PAUSE, shortest=SHORTEST_PAUSE)
        seconds = first if bounded is None else bounded.total_seconds()
    elif is_paused:
        return state
    else:
        seconds = min(max(state.pause_seconds * 2, first), longest.total_seconds())
    end = now + timedelta(seconds=seconds)
    if is_paused and state.paused_until is not None and state.paused_until >= end:
        return state
    return msgspec.structs.replace(state, paused_until=end, pause_seconds=seconds)


def on_account_rejected(state: StateT, now: datetime, failed: Sequence[FailedCall]) -> StateT:
    """Return the state after the provider refused our account for these calls.

    Once the evidence is conclusive, calls pause, longer each time; one probe follows each pause.
    """
    state = msgspec.structs.replace(state, refused=state.refused.with_failures(failed))
    if not state.refused.is_conclusive:
        return state
    reason = type(failed[0].error).__name__
    return msgspec.structs.replace(on_throttled(state, now, None), account_error=reason)
