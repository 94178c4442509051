"""Licence categories that a company needs of a driver (docs/rules.md R9a). Pure.

The register lists the categories that a document entitles to. A needed category that is not
listed, or whose last valid day has passed, is a problem: the licence is valid, but the driver must
not drive the vehicles that the company needs. The register reports no restriction of a category,
and does not list a withdrawn one.

A valid licence stops entitling by itself, after the first last day of the document, of the needed
categories and of all categories together. The begin of that episode follows from the stored day.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from prawko.drivers.models import MayDrive, Outcome

# The categories of the Act on drivers of vehicles (art. 6), in the order of the licence card.
LICENCE_CATEGORIES = (
    "AM", "A1", "A2", "A", "B1", "B", "B+E", "C1", "C1+E", "C", "C+E", "D1", "D1+E", "D", "D+E",
    "T",
)  # fmt: skip
CATEGORY_MISSING = date.min  # the last valid day of what the licence does not entitle to
WITHOUT_END = date.max
BEFORE_ANY_DAY = date.min  # of an episode that began with a document in another state

Category = tuple[str, date | None]  # a code and the last valid day, None without end


class CategoryProblem(NamedTuple):
    """A needed category that does not entitle; `expired_on` is None if it is not listed."""

    category: str
    expired_on: date | None


@lru_cache(maxsize=64)  # the register has two dozen codes
def category_key(code: str) -> str:
    """Return the code for comparison: 'B+E' equals 'BE', because the register may use both."""
    return "".join(code.upper().replace("+", " ").split())


_NAMES = {category_key(code): code for code in LICENCE_CATEGORIES}


def category_name(code: str) -> str:
    """Return the code as the law writes it, 'B+E' for 'BE'; unknown codes unchanged."""
    return _NAMES.get(category_key(code), code)


def normalise_categories(codes: Iterable[str]) -> list[str] | None:
    """Return each category once, in the order of the law; None if one is not a category."""
    chosen = set(codes)
    if not chosen <= set(LICENCE_CATEGORIES):
        return None
    return [code for code in LICENCE_CATEGORIES if code in chosen]


def _last_days(categories: Iterable[Category]) -> dict[str, date]:
    """The last valid day of each listed category, by its key.

    For a category that is listed more than once the earliest day counts: the register contradicts
    itself, and the later day may be wrong.
    """
    days: dict[str, date] = {}
    for code, expires in categories:
        key = category_key(code)
        days[key] = min(days.get(key, WITHOUT_END), expires or WITHOUT_END)
    return days


def _needed_days(needed: Sequence[str], days: Mapping[str, date]) -> list[tuple[str, date]]:
    """The last valid day of each needed category; CATEGORY_MISSING if it is not listed."""
    return [(code, days.get(category_key(code), CATEGORY_MISSING)) for code in needed]


def find_category_problems(
    needed: Sequence[str], categories: Iterable[Category], day: date
) -> tuple[CategoryProblem, ...]:
    """The needed categories that do not entitle on a Warsaw day, in the order of the law."""
    return tuple(
        CategoryProblem(code, None if last_day == CATEGORY_MISSING else last_day)
        for code, last_day in _needed_days(needed, _last_days(categories) if needed else {})
        if last_day < day
    )


class Validity(NamedTuple):
    """A driver's status, and the last day on which the licence entitles; None without end."""

    status: str
    until: date | None

    def may_drive(self, day: date, *, is_current: bool = True) -> MayDrive:
        """Return the answer on a Warsaw day (docs/rules.md R9c); lists decide by the same in SQL.

        A result that is not current is stale, or of a company that is not monitored.
        """
        is_past = self._is_past(day)
        if self.status == Outcome.INVALID or (is_past and self.status != Outcome.NOT_FOUND):
            return MayDrive.NO
        return MayDrive.YES if self.status == Outcome.VALID and is_current else MayDrive.CHECK

    def is_over(self, day: date) -> bool:
        """Return whether a valid licence entitles no longer on a Warsaw day."""
        return self.status == Outcome.VALID and self._is_past(day)

    def _is_past(self, day: date) -> bool:
        return self.until is not None and self.until < day


def entitled_until(
    document: date | None, needed: Sequence[str], categories: Sequence[Category]
) -> date | None:
    """The last day on which a document entitles to drive what is needed; None without end.

    It ends with the document, with a needed category and with the last of all categories; a list
    without categories says nothing. CATEGORY_MISSING if there is no such day.
    """
    listed = _last_days(categories)
    last_day = min(
        document or WITHOUT_END,
        max(listed.values(), default=WITHOUT_END),
        *(day for _, day in _needed_days(needed, listed)),
    )
    return None if last_day == WITHOUT_END else last_day


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
