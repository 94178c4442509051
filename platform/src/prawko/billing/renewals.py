"""When a subscription with a mandate is charged, closed and given up. Pure.

The readings ("Time and money"): charged the day before the end, again after 6 and 18 hours;
then the panel closes at the end, while checks and alerts go on for 3 days of grace; after that
the operator decides. A charge that succeeds gives the subscription another end, and with it a
new timetable. Reminders of ends that do not renew themselves stand in `ends.py`.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum

from prawko.billing.periods import days_later

GRACE_DAYS = 3
_CHARGED_DAYS_BEFORE = 1


class Step(StrEnum):
    """The steps of one end, each taken once; the failed ones are told by a mail each.

    Stored for ever.
    """

    FIRST_CHARGE = "first_charge"
    SECOND_CHARGE = "second_charge"
    THIRD_CHARGE = "third_charge"
    CLOSING = "closing"
    GRACE_END = "grace_end"


CHARGES = (Step.FIRST_CHARGE, Step.SECOND_CHARGE, Step.THIRD_CHARGE)

# Counted from the charge before it: 6 and 18 hours after the first, if nothing stood still.
_REPEATED_AFTER = {
    Step.SECOND_CHARGE: (Step.FIRST_CHARGE, timedelta(hours=6)),
    Step.THIRD_CHARGE: (Step.SECOND_CHARGE, timedelta(hours=12)),
}


def timetable(end: datetime) -> dict[Step, datetime]:
    """When each step is meant to happen for a period that ends at `end`, in order."""
    times = {Step.FIRST_CHARGE: days_later(end, -_CHARGED_DAYS_BEFORE)}
    for step, (before, wait) in _REPEATED_AFTER.items():
        times[step] = times[before] + wait
    return {**times, Step.CLOSING: end, Step.GRACE_END: grace_end(end)}


def due_step(end: datetime, done: Mapping[Step, datetime], now: datetime) -> Step | None:
    """The one step to take at `now`, None for none; `done` says when each was taken.

    After an outage nothing is made up for in a hurry: a charge that comes late keeps the next
    one waiting as long as ever, and may fall into the grace, where a success starts a period at
    the payment. Nobody is charged when the grace is over; then its end is all that is left.
    """
    if now >= grace_end(end):
        return None if Step.GRACE_END in done else Step.GRACE_END
    charge = _next_charge(end, done)
    if charge is not None and charge[1] <= now:
        return charge[0]
    return Step.CLOSING if now >= end and Step.CLOSING not in done else None


def next_charge_at(end: datetime, done: Mapping[Step, datetime]) -> datetime | None:
    """When the next charge is meant to be tried; None where nobody will try any more."""
    charge = _next_charge(end, done)
    return charge[1] if charge is not None and charge[1] < grace_end(end) else None


def grace_end(end: datetime) -> datetime:
    """Until when, exclusively, drivers are checked after a renewal that failed."""
    return days_later(end, GRACE_DAYS)


def in_grace(end: datetime, now: datetime) -> bool:
    """Whether the panel is closed but checks and alerts go on (reading R6).

    Only for a subscription that renews itself; every other one ends at its end.
    """
    return end <= now < grace_end(end)


def _next_charge(end: datetime, done: Mapping[Step, datetime]) -> tuple[Step, datetime] | None:
    if Step.FIRST_CHARGE not in done:
        return Step.FIRST_CHARGE, days_later(end, -_CHARGED_DAYS_BEFORE)
    for step, (before, wait) in _REPEATED_AFTER.items():
        if step not in done:
            return step, done[before] + wait
    return None
