"""Nobody's mistake may become a mass alarm: when a run's alarms wait for an operator's word.

A dictionary renamed or a table lost at the register would turn every driver at once. So a
turn to `not_found` or `attention` is provisional until the run has asked all it can; when the
run holds too many of them, none takes effect before an operator says so. "Zatrzymany" is
never held: a false pause of a true alarm would cost more than the alarm.
"""

from typing import NamedTuple

from prawko.verifications.outcome import UNKNOWN, Outcome

FEW = 20
SHARE_PERCENT = 2


class Turns(NamedTuple):
    """The suspicious turns of one run.

    `waiting` are provisional now, `expected` were seen once and will be asked again, `passed`
    took effect earlier in the run and concerned drivers who had an outcome before.
    """

    waiting: int
    expected: int
    passed: int


def is_suspicious(previous: str, outcome: Outcome) -> bool:
    """Whether a turn from the driver's status to this outcome has to wait for the run."""
    return previous != outcome and outcome in {Outcome.ATTENTION, Outcome.NOT_FOUND}


def counts_for_the_run(previous: str) -> bool:
    """Whether the turn goes on counting after it took effect: a newcomer's does not."""
    return previous != UNKNOWN


def is_mass_change(turns: Turns, run_size: int) -> bool:
    """Whether so many turns in a run of that many drivers need an operator's word."""
    return sum(turns) > FEW and sum(turns) * 100 > SHARE_PERCENT * run_size
