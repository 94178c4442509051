"""How fast the register may be asked: the arithmetic, without a clock or a database.

One row per register is shared by all processes. Asking is spaced evenly (the generic cell rate
algorithm: one stored instant, the next free slot). Trouble slows everybody down: 429 pauses
for as long as the register says, else 30 s doubling to an hour; servers that do not answer
open a breaker that lets one probe through every 30 s; a refused account pauses like a 429
and is told to the operators. One believed answer ends all of it. Times are the machine's.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial

import msgspec

from prawko.hooks.failures import AccountError
from prawko.hooks.licence_register import RegisterError, RegisterTrouble

RUN_SHARE = 0.8
MANUAL_SHARE = 0.2
FIRST_PAUSE = 30.0
LONGEST_PAUSE = 3600.0
# The register may ask for more patience than we would have; a day is the end of it.
LONGEST_ASKED_FOR = 86_400.0
PROBE_EVERY = timedelta(seconds=30)
FAILURES_TO_OPEN = 10


class Breaker(StrEnum):
    """Closed: ask freely. Open: ask nothing before the probe. Half open: a probe is out."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """What all processes know of a register. `failures` counts those since the last answer."""

    next_free_at: datetime
    paused_until: datetime | None = None
    pause_seconds: float = 0
    breaker: Breaker = Breaker.CLOSED
    failures: int = 0
    probe_at: datetime | None = None
    account_error: str | None = None

    @property
    def troubled(self) -> bool:
        """Whether an answer would change anything here."""
        return self != Pace(next_free_at=self.next_free_at)


class Slots(msgspec.Struct, frozen=True):
    """`count` questions may be asked, the first at `first_at`, the others `spacing` s apart."""

    count: int
    first_at: datetime
    spacing: float

    def at(self, index: int) -> datetime:
        """When the question with this index may be asked."""
        return self.first_at + timedelta(seconds=index * self.spacing)


def closed_until(pace: Pace, now: datetime) -> datetime | None:
    """Until when nothing at all may be asked; None when something may be asked now."""
    ends = [
        end
        for end in (
            pace.paused_until,
            pace.probe_at if _probing(pace) else None,
        )
        if end is not None and end > now
    ]
    return max(ends, default=None)


def slots(pace: Pace, now: datetime, *, wanted: int, rate: float, ahead: float) -> Slots | None:
    """The slots that may be taken now, at most `wanted`, none later than `ahead` seconds.

    `rate` is in questions per second. None: the register is closed, or every slot that near
    has been taken. With the breaker open and its probe due there is one slot, the probe's;
    the same after a refused account.
    """
    if closed_until(pace, now) is not None:
        return None
    first = max(pace.next_free_at, now)
    spacing = 1 / rate
    reach = (now - first).total_seconds() + ahead
    if reach < 0:
        return None
    free = max(1, int(reach * rate))
    count = min(wanted, 1 if _probing(pace) else free)
    return Slots(count=count, first_at=first, spacing=spacing)


def taken(pace: Pace, now: datetime, slots: Slots, count: int) -> Pace:
    """The pace after `count` of the slots were taken; a probe closes the door behind itself."""
    return probed(msgspec.structs.replace(pace, next_free_at=slots.at(count)), now)


def probed(pace: Pace, now: datetime) -> Pace:
    """The pace after a question left: in trouble it was a probe, and nobody else sends one."""
    if not _probing(pace):
        return pace
    breaker = Breaker.CLOSED if pace.breaker is Breaker.CLOSED else Breaker.HALF_OPEN
    return msgspec.structs.replace(pace, breaker=breaker, probe_at=now + PROBE_EVERY)


def _probing(pace: Pace) -> bool:
    return pace.breaker is not Breaker.CLOSED or pace.account_error is not None


def answered(pace: Pace, now: datetime) -> Pace:
    """The register answered and was believed: all trouble is over, but for a running pause.

    What answers during a pause was in flight when it began, and cannot end it.
    """
    fresh = Pace(next_free_at=pace.next_free_at)
    if pace.paused_until is None or pace.paused_until <= now:
        return fresh
    return msgspec.structs.replace(
        fresh,
        paused_until=pace.paused_until,
        pause_seconds=pace.pause_seconds,
        account_error=pace.account_error,
    )


def failed(pace: Pace, now: datetime, failures: int = 1) -> Pace:
    """That many questions got no answer in a row. Opens the breaker when they are many."""
    pace = msgspec.structs.replace(pace, failures=pace.failures + failures)
    if pace.breaker is Breaker.OPEN or pace.failures < FAILURES_TO_OPEN:
        return pace
    return msgspec.structs.replace(pace, breaker=Breaker.OPEN, probe_at=now + PROBE_EVERY)


def throttled(pace: Pace, now: datetime, retry_after: float | None) -> Pace:
    """The register asked for patience, for `retry_after` seconds where it said so.

    What was in flight when the pause began does not lengthen it, unless the register names a
    later end itself.
    """
    running = pace.paused_until is not None and pace.paused_until > now
    if retry_after is not None:
        seconds = min(max(retry_after, 1.0), LONGEST_ASKED_FOR)
    elif running:
        return pace
    else:
        seconds = min(max(pace.pause_seconds * 2, FIRST_PAUSE), LONGEST_PAUSE)
    end = now + timedelta(seconds=seconds)
    if running and pace.paused_until is not None:
        end = max(end, pace.paused_until)
    return msgspec.structs.replace(pace, paused_until=end, pause_seconds=seconds)


def refused(pace: Pace, now: datetime, reason: str) -> Pace:
    """Our account was refused: a growing pause, one probe after each, and the operators told."""
    return msgspec.structs.replace(throttled(pace, now, None), account_error=reason)


def change_after(
    errors: Sequence[Exception], *, answered: bool
) -> Callable[[Pace, datetime], Pace] | None:
    """What unanswered questions change of the pace; None when nothing.

    A refusal of our account weighs most, then a call for patience. Silence counts only where
    nothing at all was answered meanwhile; garbage and bugs say nothing about the pace.
    """
    for error in errors:
        if isinstance(error, AccountError):
            return partial(refused, reason=type(error).__name__)
    told = [error for error in errors if isinstance(error, RegisterError)]
    for error in told:
        if error.trouble is RegisterTrouble.THROTTLED:
            return partial(throttled, retry_after=error.retry_after)
    silent = sum(error.trouble is RegisterTrouble.UNAVAILABLE for error in told)
    return partial(failed, failures=silent) if silent and not answered else None
