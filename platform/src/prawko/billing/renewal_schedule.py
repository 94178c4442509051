"""The schedule of a renewal: three charges, closing, end of the grace period (docs/rules.md T4).

A successful charge moves the end, and a new schedule begins. Reminders of subscriptions that do
not renew are in `billing.notices`.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from prawko.billing.models import RenewalStepKind, grace_end
from prawko.kit.clock import add_days

CHARGE_DAYS_BEFORE = 1


CHARGE_STEPS = (
    RenewalStepKind.FIRST_CHARGE,
    RenewalStepKind.SECOND_CHARGE,
    RenewalStepKind.THIRD_CHARGE,
)

# Counted from the charge before: 6 and 18 hours after the first, without an outage.
_RETRY_DELAYS = {
    RenewalStepKind.SECOND_CHARGE: (RenewalStepKind.FIRST_CHARGE, timedelta(hours=6)),
    RenewalStepKind.THIRD_CHARGE: (RenewalStepKind.SECOND_CHARGE, timedelta(hours=12)),
}


def due_step(
    end: datetime, completed: Mapping[RenewalStepKind, datetime], now: datetime
) -> RenewalStepKind | None:
    """The step to take at `now`, None for none; `completed` has the time of each step taken.

    After an outage the charges keep their distance: one made late delays the next, and may fall
    into the grace period, where a success starts a period at the payment. After the grace period
    nothing is charged; only its end is left to record.
    """
    if now >= grace_end(end):
        return None if RenewalStepKind.GRACE_END in completed else RenewalStepKind.GRACE_END
    charge = _next_charge(end, completed)
    if charge is not None and charge[1] <= now:
        return charge[0]
    return (
        RenewalStepKind.CLOSING if now >= end and RenewalStepKind.CLOSING not in completed else None
    )


def next_charge_at(end: datetime, completed: Mapping[RenewalStepKind, datetime]) -> datetime | None:
    """The time of the next charge; None if there will be none."""
    charge = _next_charge(end, completed)
    return charge[1] if charge is not None and charge[1] < grace_end(end) else None


def _next_charge(
    end: datetime, completed: Mapping[RenewalStepKind, datetime]
) -> tuple[RenewalStepKind, datetime] | None:
    if RenewalStepKind.FIRST_CHARGE not in completed:
        return RenewalStepKind.FIRST_CHARGE, add_days(end, -CHARGE_DAYS_BEFORE)
    for step, (before, wait) in _RETRY_DELAYS.items():
        if step not in completed:
            return step, completed[before] + wait
    return None
