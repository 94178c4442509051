"""Dates and times as people read them: in Warsaw time, in Polish format in both languages."""

from datetime import date, datetime

from babel.dates import format_date as babel_format_date
from babel.dates import format_datetime

from prawko.kit.clock import WARSAW
from prawko.kit.text.i18n import Language, translate

_SHORT_INSTANT = {Language.PL: "dd.MM HH:mm", Language.EN: "d MMM HH:mm"}


def format_instant(instant: datetime, language: Language) -> str:
    """Return `21.11.2026, 06:05 (czas polski)`."""
    local = instant.astimezone(WARSAW)
    return translate(
        "mails.letter.instant",
        language,
        day=format_date(local.date()),
        time=f"{local:%H:%M}",
    )


def format_instant_without_zone(instant: datetime) -> str:
    """Return `21.11.2026, 06:05`, where a heading says that it is Polish time."""
    local = instant.astimezone(WARSAW)
    return f"{format_date(local.date())}, {local:%H:%M}"


def format_short_instant(instant: datetime, language: Language) -> str:
    """Return `21.11 06:05`, without the year."""
    local = instant.astimezone(WARSAW)
    return str(
        format_datetime(local, _SHORT_INSTANT[language], locale=language.value, tzinfo=WARSAW)
    )


def format_date(day: date) -> str:
    """Return `21.11.2026`."""
    return f"{day:%d.%m.%Y}"


def format_month(day: date, language: Language) -> str:
    """Return `październik 2026`, in the language."""
    return str(babel_format_date(day, "LLLL yyyy", locale=language.value))
