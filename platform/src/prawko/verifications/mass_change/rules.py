"""Limits above which the suspicious status changes of a run need an operator's review.

A renamed dictionary entry or a lost table at the register would change the status of every driver
at once. A change to `not_found` or `attention` is therefore quarantined until the run is complete;
if there are too many, none takes effect before an operator approves.
"""

from typing import NamedTuple

from prawko.drivers.models import UNKNOWN

MAX_UNREVIEWED_CHANGES = 20
MAX_UNREVIEWED_PERCENT = 2


class StatusChanges(NamedTuple):
    """Numbers of suspicious status changes in one run.

    `provisional` ones are quarantined, `awaiting_recheck` documents were missing once and are
    queried again, `effective` ones were applied earlier in the run (new drivers not counted).
    """

    provisional: int
    awaiting_recheck: int
    effective: int


def counts_towards_limit(previous_status: str) -> bool:
    """Whether an effective change still counts towards the limit; a new driver's does not."""
    return previous_status != UNKNOWN


def is_mass_change(changes: StatusChanges, run_size: int) -> bool:
    """Whether the changes in a run of `run_size` drivers need a review."""
    return (
        sum(changes) > MAX_UNREVIEWED_CHANGES
        and sum(changes) * 100 > MAX_UNREVIEWED_PERCENT * run_size
    )
