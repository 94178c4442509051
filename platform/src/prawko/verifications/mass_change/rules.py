"""Limits above which the suspicious status changes of a run need an operator's review.

A renamed dictionary entry or a lost table at the register would change the status of every driver
at once. A change to `not_found` or `attention` is therefore quarantined until the run is complete;
if there are too many, none takes effect before an operator approves.
"""

from typing import NamedTuple

from prawko.drivers.models import UNKNOWN

MAX_UNREVIEWED_CHANGES = 20
MAX_UNREVIEWED_PERCENT = 2
# How many changes one company may add by drivers who had no outcome before. A company chooses their
# numbers itself, and a failing register fails for every company.
MAX_FIRST_OUTCOMES_PER_COMPANY = 5


class StatusChanges(NamedTuple):
    """Numbers of suspicious status changes in one run.

    `provisional` ones are quarantined, `awaiting_recheck` documents were missing once and are
    queried again, `effective` ones were applied earlier in the run (new drivers not counted).
    `excess` are first outcomes among the provisional ones, beyond each company's share. `later`
    are those of other drivers in the runs that have superseded this one.
    """

    provisional: int
    awaiting_recheck: int
    effective: int
    excess: int = 0
    later: int = 0

    @property
    def counted(self) -> int:
        """How many of them count towards the limit."""
        of_run = self.provisional - self.excess + self.awaiting_recheck + self.effective
        return of_run + self.later


def counts_towards_limit(previous_status: str) -> bool:
    """Whether a change counts in full; new drivers' changes count up to their company's share."""
    return previous_status != UNKNOWN


def is_mass_change(changes: StatusChanges, answered: int) -> bool:
    """Whether the changes need a review; `answered` drivers of the run have an answer."""
    return (
        changes.counted > MAX_UNREVIEWED_CHANGES
        and changes.counted * 100 > MAX_UNREVIEWED_PERCENT * answered
    )
