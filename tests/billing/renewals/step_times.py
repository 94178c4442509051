"""The scheduled times of a renewal's steps, without an outage."""

from datetime import datetime, timedelta

from prawko.billing.models import RenewalStepKind
from prawko.kit.clock import add_days


def step_times(end: datetime) -> dict[RenewalStepKind, datetime]:
    """The time of each step for a period that ends at `end`, in order (docs/rules.md T4)."""
    first_charge = add_days(end, -1)
    return {
        RenewalStepKind.FIRST_CHARGE: first_charge,
        RenewalStepKind.SECOND_CHARGE: first_charge + timedelta(hours=6),
        RenewalStepKind.THIRD_CHARGE: first_charge + timedelta(hours=18),
        RenewalStepKind.CLOSING: end,
        RenewalStepKind.GRACE_END: add_days(end, 3),
    }
