"""What a notice knows, as the words and rows that its texts put together. Pure."""

from datetime import date, datetime
from itertools import groupby

from prawko.base.clock import WARSAW
from prawko.base.texts import Language, say
from prawko.deliveries.dates import day, instant
from prawko.deliveries.letter import one_line
from prawko.notifications.expiry import DOCUMENT
from prawko.notifications.kinds import (
    CompanyFacts,
    DriverFacts,
    Expiry,
    ExpiryFacts,
    Facts,
    PaymentFacts,
    SubscriptionFacts,
)

Row = tuple[str, str]

_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def words_of(facts: Facts, language: Language) -> dict[str, object]:
    """The parameters of a notice's texts."""
    match facts:
        case DriverFacts():
            nothing = say("notices.facts.no_data", language)
            return {
                **_driver(facts, language),
                "state": one_line(facts.state or nothing),
                "expires": day(facts.expires, language) if facts.expires else nothing,
            }
        case ExpiryFacts():
            return {**_driver(facts, language), "dates": dates(facts, language)}
        case CompanyFacts():
            since = say("notices.facts.no_data", language)
            return {
                "count": facts.drivers,
                "since": instant(facts.since, language) if facts.since else since,
            }
        case SubscriptionFacts():
            return {
                "when": in_days(facts.days, language),
                "ends": instant(facts.ends_at, language),
                "checked_until": instant(facts.checked_until or facts.ends_at, language),
            }
        case PaymentFacts():
            nobody = say("notices.facts.no_data", language)
            return {
                "amount": amount(facts.gross, language),
                "ends": instant(facts.ends_at, language),
                "next": instant(facts.next_try_at, language) if facts.next_try_at else nobody,
            }


def short_words_of(facts: Facts, language: Language) -> dict[str, object]:
    """The same for the line of an SMS, where an instant takes as little room as it can."""
    words = words_of(facts, language)
    match facts:
        case DriverFacts():
            return words | {"checked": short_instant(facts.checked_at, language)}
        case ExpiryFacts():
            on, same = _by_date(facts)[0]
            ends = _what_ends([one.category for one in same], language)
            return words | {"dates": f"{ends} {day(on, language)}"}
        case CompanyFacts() if facts.since:
            return words | {"since": short_instant(facts.since, language)}
        case SubscriptionFacts():
            return words | {
                "ends": short_instant(facts.ends_at, language),
                "checked_until": short_instant(facts.checked_until or facts.ends_at, language),
            }
        case PaymentFacts():
            upcoming = facts.next_try_at
            soon = {"next": short_instant(upcoming, language)} if upcoming else {}
            return words | {"ends": short_instant(facts.ends_at, language)} | soon
        case _:
            return words


def rows_of(facts: Facts, language: Language) -> list[Row]:
    """What is known, a row each; what nobody said has no row."""
    match facts:
        case DriverFacts():
            return _document(facts, language)
        case ExpiryFacts():
            return [
                (_label("driver", language), one_line(facts.name)),
                (_label("number", language), facts.license_number),
                *((_upper(what), when) for what, when in _dates(facts, language)),
                (_label("checked", language), instant(facts.checked_at, language)),
            ]
        case CompanyFacts():
            return []
        case SubscriptionFacts():
            return [
                *_company(facts.company, language),
                (_label("ends", language), instant(facts.ends_at, language)),
                *_instant("checked_until", facts.checked_until, language),
                (_label("driver_limit", language), str(facts.driver_limit)),
            ]
        case PaymentFacts():
            return [
                *_company(facts.company, language),
                (_label("amount", language), amount(facts.gross, language)),
                (_label("tried", language), instant(facts.tried_at, language)),
                *_instant("next_try", facts.next_try_at, language),
                (_label("open_until", language), instant(facts.ends_at, language)),
            ]


def row_of_many(facts: ExpiryFacts, language: Language) -> Row:
    """One driver in a list of drivers."""
    return f"{one_line(facts.name)}, {facts.license_number}", _upper(dates(facts, language))


def dates(facts: ExpiryFacts, language: Language) -> str:
    """The dates in one line: 'document: 20 January 2027 (in 60 days); category C: …'."""
    return "; ".join(f"{what}: {when}" for what, when in _dates(facts, language))


def in_days(days: int, language: Language) -> str:
    """'today', 'tomorrow', 'in 2 days'."""
    if days == 0:
        return say("notices.when.today", language)
    if days == 1:
        return say("notices.when.tomorrow", language)
    return say("notices.when.days", language, count=days)


def amount(grosze: int, language: Language) -> str:
    """Money as the language writes it."""
    zloty, rest = divmod(grosze, 100)
    if language is Language.PL:
        return f"{zloty:,},{rest:02d} zł".replace(",", "\xa0", f"{zloty:,}".count(","))
    return f"PLN {zloty:,}.{rest:02d}"


def short_instant(at: datetime, language: Language) -> str:
    """A point in time without its year, by Warsaw's clock."""
    local = at.astimezone(WARSAW)
    if language is Language.PL:
        return f"{local:%d.%m %H:%M}"
    return f"{local.day} {_MONTHS[local.month - 1]} {local:%H:%M}"


def _driver(facts: DriverFacts | ExpiryFacts, language: Language) -> dict[str, object]:
    return {
        "name": one_line(facts.name),
        "number": facts.license_number,
        "checked": instant(facts.checked_at, language),
    }


def _document(facts: DriverFacts, language: Language) -> list[Row]:
    said = [
        ("driver", facts.name),
        ("number", facts.license_number),
        ("state", facts.state),
        ("reasons", "; ".join(one_line(reason) for reason in facts.reasons)),
        ("expires", day(facts.expires, language) if facts.expires else None),
        ("authority", facts.authority),
        ("checked", instant(facts.checked_at, language)),
    ]
    return [(_label(name, language), one_line(value)) for name, value in said if value]


def _dates(facts: ExpiryFacts, language: Language) -> list[Row]:
    """Each date once, with all that ends on it."""
    return [
        (
            _what_ends([one.category for one in same], language),
            f"{day(on, language)} ({in_days((on - facts.day).days, language)})",
        )
        for on, same in _by_date(facts)
    ]


def _by_date(facts: ExpiryFacts) -> list[tuple[date, list[Expiry]]]:
    ordered = sorted(facts.expiries)
    return [(on, list(same)) for on, same in groupby(ordered, key=lambda one: one.on)]


def _what_ends(codes: list[str], language: Language) -> str:
    """'document', 'category C', 'document and categories B, C'."""
    categories = [one_line(code) for code in codes if code != DOCUMENT]
    parts = []
    if DOCUMENT in codes:
        parts.append(say("notices.expiries.document", language))
    if categories:
        listed = ", ".join(categories)
        parts.append(
            say("notices.expiries.categories", language, count=len(categories), codes=listed)
        )
    if len(parts) == 1:
        return parts[0]
    return say("notices.expiries.both", language, first=parts[0], second=parts[1])


def _company(name: str, language: Language) -> list[Row]:
    return [(_label("company", language), one_line(name))] if name.strip() else []


def _instant(name: str, at: datetime | None, language: Language) -> list[Row]:
    return [(_label(name, language), instant(at, language))] if at else []


def _label(name: str, language: Language) -> str:
    return say(f"notices.facts.{name}", language)


def _upper(words: str) -> str:
    return words[:1].upper() + words[1:]
