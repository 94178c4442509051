"""What a subscription is worth at an instant (readings R3, R4 and R5).

What is stored lags behind: a job writes the end. Every read asks here instead, so that access
closes at the end itself.
"""

from datetime import datetime
from enum import StrEnum


class Status(StrEnum):
    """The words of the spec. Only `active` unlocks anything; `trial`, if ever stored, does not."""

    ACTIVE = "active"
    INACTIVE = "inactive"
    CANCELLED = "cancelled"
    TRIAL = "trial"
    EXPIRED = "expired"


def effective_status(
    stored: str, end_date: datetime, cancelled_at: datetime | None, now: datetime
) -> Status:
    """The status at `now` of a row that says `stored`.

    A row that is active ends at `end_date`, exclusively: cancelled where the customer had
    cancelled it, else expired (a trial as well). Every other word was somebody's decision and
    stands at once.
    """
    status = Status(stored)
    if status is not Status.ACTIVE or now < end_date:
        return status
    return Status.EXPIRED if cancelled_at is None else Status.CANCELLED
