"""Dates and times as letters write them, by the wall clock of Warsaw."""

from datetime import date, datetime

from prawko.base.clock import WARSAW
from prawko.base.texts import Language, say

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


def instant(at: datetime, language: Language) -> str:
    """A point in time, with a word on whose clock it is."""
    local = at.astimezone(WARSAW)
    words = {"day": day(local.date(), language), "time": f"{local:%H:%M}"}
    return say("mails.letter.instant", language, **words)


def day(on: date, language: Language) -> str:
    """A date."""
    if language is Language.PL:
        return f"{on:%d.%m.%Y}"
    return f"{on.day} {_MONTHS[on.month - 1]} {on.year}"
