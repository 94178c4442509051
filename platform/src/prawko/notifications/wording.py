"""Says a notice in words: in the panel, in a mail and in an SMS. Pure.

The words stand in `texts/<language>/notices.toml`, one table for each kind.
"""

import msgspec

from prawko.base.texts import Language, say
from prawko.deliveries.dates import day, instant
from prawko.deliveries.letter import letter, one_line
from prawko.hooks.channels import Medium, Notice
from prawko.notifications.kinds import MEDIA, CompanyFacts, DriverFacts, Facts, NoticeKind

DRIVERS_PAGE = "/panel/drivers"
SUBSCRIPTION_PAGE = "/panel/subscription"


class Site(msgspec.Struct, frozen=True):
    """The name on our letters and where the panel is."""

    brand: str
    base_url: str


class Entry(msgspec.Struct, frozen=True):
    """A notice as the panel lists it."""

    title: str
    content: str


def entry(kind: NoticeKind, facts: Facts, language: Language) -> Entry:
    """The words for the list of notifications in the panel."""
    table, params = _table(kind, facts), _params(facts, language)
    return Entry(
        one_line(say(f"{table}.title", language, **params)),
        say(f"{table}.content", language, **params),
    )


def message(kind: NoticeKind, facts: Facts, language: Language, site: Site) -> Notice:
    """The words for a mail and an SMS. Raises KeyError for a kind that only the panel shows."""
    table, params = _table(kind, facts), _params(facts, language)
    paragraphs = [say(f"{table}.what", language, **params)]
    if isinstance(facts, DriverFacts):
        paragraphs.append(_document(facts, language, params))
    paragraphs.append(say(f"{table}.mail", language, **params))
    short = say(f"{table}.line", language, **params) if Medium.SMS in MEDIA[kind] else None
    page = SUBSCRIPTION_PAGE if kind is NoticeKind.CHECKING_STOPPED else DRIVERS_PAGE
    return letter(
        language,
        site.brand,
        say(f"{table}.title", language, **params),
        paragraphs,
        line=f"{site.brand}: {short}" if short else None,
        link=f"{site.base_url}{page}",
    )


def _table(kind: NoticeKind, facts: Facts) -> str:
    if kind is NoticeKind.ATTENTION and isinstance(facts, DriverFacts) and facts.expired:
        return "notices.attention_expired"
    return f"notices.{kind.value}"


def _params(facts: Facts, language: Language) -> dict[str, object]:
    if isinstance(facts, CompanyFacts):
        return _company_params(facts, language)
    nothing = say("notices.facts.no_data", language)
    return {
        "name": one_line(facts.name),
        "number": facts.license_number,
        "state": facts.state or nothing,
        "checked": instant(facts.checked_at, language),
        "expires": day(facts.expires, language) if facts.expires else nothing,
    }


def _company_params(facts: CompanyFacts, language: Language) -> dict[str, object]:
    since = say("notices.facts.no_data", language)
    return {
        "count": facts.drivers,
        "since": instant(facts.since, language) if facts.since else since,
    }


def _document(facts: DriverFacts, language: Language, params: dict[str, object]) -> str:
    """What the register said, a line each; what it did not say has no line."""
    lines = ["driver", "number"]
    if facts.state is not None:
        lines.append("state")
    rows = [say(f"notices.facts.{line}", language, **params) for line in lines]
    if facts.reasons:
        reasons = "; ".join(one_line(reason) for reason in facts.reasons)
        rows.append(say("notices.facts.reasons", language, reasons=reasons))
    if facts.expires is not None:
        rows.append(say("notices.facts.expires", language, **params))
    if facts.authority:
        rows.append(say("notices.facts.authority", language, authority=one_line(facts.authority)))
    rows.append(say("notices.facts.checked", language, **params))
    return "\n".join(rows)
