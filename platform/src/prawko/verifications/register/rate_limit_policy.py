"""Rate limit of the register, as pure functions of state and time.

Queries are spaced evenly (generic cell rate algorithm: one stored time, the next free slot), and
none is reserved while the circuit breaker blocks them. Times are the system clock's.
"""

from datetime import datetime, timedelta

import msgspec

from prawko.kit.providers.availability import after_probe, blocked_until, needs_probe
from prawko.verifications.register.circuit_breaker import LimiterState

# No caller reserves slots further ahead.
MAX_HORIZON = 5.0
RUN_SHARE = 0.8
MANUAL_SHARE = 0.2


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
