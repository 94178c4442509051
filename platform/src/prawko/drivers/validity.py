"""Until which day a driver's status `valid` holds without another answer (docs/rules.md R9a). Pure.

A status of a valid document turns to `attention` by itself, after the first last day of the
document and of the needed categories. The begin of that episode follows from the stored day.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from prawko.drivers.models import Outcome
from prawko.drivers.needed_categories import Category, last_valid_days

BEFORE_ANY_DAY = date.min  # of an episode that began with a document in another state


class Validity(NamedTuple):
    """A driver's stored status, and the last day on which it holds; None without end."""

    status: str
    until: date | None

    def is_over(self, day: date) -> bool:
        """Return whether the status is `valid`, and over on a Warsaw day."""
        return self.status == Outcome.VALID and self.until is not None and self.until < day


def status_valid_until(
    document: date | None, needed: Sequence[str], categories: Iterable[Category]
) -> date | None:
    """The last day on which a valid document makes the driver's status `valid`; None without end.

    CATEGORY_MISSING if there is no such day.
    """
    days = [document, *(last_day for _, last_day in last_valid_days(needed, categories))]
    return min((day for day in days if day is not None), default=None)


def continued_until(previous: Validity, current: Validity, day: date) -> date | None:
    """The `valid_until` to store on a Warsaw day, in place of that of `previous`.

    A status that was over and stays so keeps its day, because the episode began after the first
    such day. After `attention` it is BEFORE_ANY_DAY, because that episode continues.
    """
    if not current.is_over(day):
        return current.until
    if previous.is_over(day):
        return previous.until
    return BEFORE_ANY_DAY if previous.status == Outcome.ATTENTION else current.until
