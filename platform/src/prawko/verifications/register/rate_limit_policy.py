"""The rate limit of a register access, and which errors of queries slow down every process. Pure.

Queries are spaced evenly (generic cell rate algorithm: one stored time, the next free slot), and
none is reserved while the access is not available. Times are the system clock's.

429 pauses for the Retry-After, else for 30 s doubling to an hour. A register that does not answer
is probed every 30 s. A rejected account pauses like a 429 and is reported to operators. Missing
answers and rejections that concern one company's new documents alone do neither
(`kit.providers.evidence`).
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import ClassVar, Protocol

import msgspec

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import RegisterError, RegisterErrorKind
from prawko.kit.backoff import Backoff
from prawko.kit.clock import MAX_CLOCK_SKEW
from prawko.kit.providers import availability
from prawko.kit.providers.availability import (
    Availability,
    Rules,
    StateT,
    after_probe,
    needs_probe,
    unavailable_until,
)
from prawko.kit.providers.evidence import FailedCall

FAILURE_THRESHOLD = 10
# No caller reserves slots further ahead.
MAX_HORIZON = 5.0
RUN_SHARE = 0.8
INTERACTIVE_SHARE = 0.2


class LimiterState(Availability, frozen=True, kw_only=True):
    """Shared state of one lane: the availability of the access, and the next free slot."""

    rules: ClassVar = Rules(
        failures=FAILURE_THRESHOLD,
        probe_interval=timedelta(seconds=30),
        pause=Backoff(timedelta(seconds=30), timedelta(hours=1)),
    )

    next_free_at: datetime


class LaneTransition(Protocol):
    """A change of an access's state."""

    def __call__(self, state: StateT, now: datetime) -> StateT:
        """Return the state after the change."""
        ...


def without_future_times(
    state: LimiterState, now: datetime, max_reserved: timedelta
) -> LimiterState:
    """Return the state without times that no clock near `now` has set.

    Slots are reserved at most `max_reserved` ahead.
    """
    if state.next_free_at > now + MAX_CLOCK_SKEW + max_reserved:
        state = msgspec.structs.replace(state, next_free_at=now)
    return availability.without_future_times(state, now)


def transition_for(failed: Sequence[FailedCall], *, any_success: bool) -> LaneTransition | None:
    """Return the transition for a batch of failed queries; None if they do not affect the limiter.

    A rejected account takes precedence, then a 429. Rejections and unavailability count only if
    no query of the batch was answered; invalid answers and adapter bugs are ignored.
    """
    refused = [query for query in failed if isinstance(query.error, ProviderAccountError)]
    if refused and not any_success:
        return partial(availability.on_account_rejected, failed=refused)
    unavailable = []
    for query in failed:
        if not isinstance(query.error, RegisterError):
            continue
        if query.error.kind is RegisterErrorKind.RATE_LIMITED:
            return partial(availability.on_throttled, retry_after=query.error.retry_after)
        if query.error.kind is RegisterErrorKind.UNAVAILABLE:
            unavailable.append(query)
    return (
        partial(availability.on_failures, failed=unavailable)
        if unavailable and not any_success
        else None
    )


class Reservation(msgspec.Struct, frozen=True):
    """Slots for `count` queries: the first at `first_at`, the others `spacing` seconds apart."""

    count: int
    first_at: datetime
    spacing: float

    def slot_time(self, index: int) -> datetime:
        """Time of the slot with this index."""
        return self.first_at + timedelta(seconds=index * self.spacing)


def reserve_slots(
    state: LimiterState, now: datetime, *, max_slots: int, rate: float, horizon: float
) -> Reservation | None:
    """The free slots within `horizon` seconds, at most `max_slots`.

    `rate` is in queries per second. Returns None while queries are blocked, or if every slot within
    the horizon is taken. While the register does not answer, or has rejected our
    account, there is one slot, for the probe.
    """
    if unavailable_until(state, now) is not None:
        return None
    first = max(state.next_free_at, now)
    spacing = 1 / rate
    remaining = (now - first).total_seconds() + horizon
    if remaining < 0:
        return None
    free = max(1, int(remaining * rate))
    count = min(max_slots, 1 if needs_probe(state) else free)
    return Reservation(count=count, first_at=first, spacing=spacing)


def max_reserved(rate: float) -> timedelta:
    """How far ahead the next free slot can be, at this rate of a lane."""
    return timedelta(seconds=MAX_HORIZON + 1 / rate)


def after_reservation(
    state: LimiterState, now: datetime, reservation: Reservation, count: int
) -> LimiterState:
    """State after `count` of the reserved slots are used; a probe delays the next one."""
    return after_probe(
        msgspec.structs.replace(state, next_free_at=reservation.slot_time(count)), now
    )
