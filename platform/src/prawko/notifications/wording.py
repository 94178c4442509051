"""Says a notice in words: in the panel, in a mail and in an SMS. Pure.

The words stand in `texts/<language>/notices.toml`, one table for each kind.
"""

from collections.abc import Mapping, Sequence

import msgspec

from prawko.base.texts import Language, say
from prawko.deliveries import letter
from prawko.deliveries.letter import Tone, one_line
from prawko.hooks.channels import Notice
from prawko.notifications.kinds import DriverFacts, ExpiryFacts, Facts, NoticeKind, PaymentFacts
from prawko.notifications.phrases import row_of_many, rows_of, short_words_of, words_of
from prawko.notifications.plain import one_part

DRIVERS_PAGE = "/panel/drivers"
SUBSCRIPTION_PAGE = "/panel/subscription"
MOST_LISTED = 30

_PAGES = {
    NoticeKind.CHECKING_STOPPED: SUBSCRIPTION_PAGE,
    NoticeKind.TRIAL_ENDING: SUBSCRIPTION_PAGE,
    NoticeKind.TRIAL_ENDED: SUBSCRIPTION_PAGE,
    NoticeKind.SUBSCRIPTION_ENDING: SUBSCRIPTION_PAGE,
    NoticeKind.SUBSCRIPTION_ENDED: SUBSCRIPTION_PAGE,
    NoticeKind.PAYMENT_FAILED: SUBSCRIPTION_PAGE,
    NoticeKind.PAYMENT_CONSENT: SUBSCRIPTION_PAGE,
    NoticeKind.GRACE_STARTED: SUBSCRIPTION_PAGE,
}
_TONES = {
    NoticeKind.WITHHELD: Tone.ALARM,
    NoticeKind.RESTORED: Tone.GOOD,
    NoticeKind.ATTENTION: Tone.WARNING,
    NoticeKind.NOT_FOUND: Tone.WARNING,
    NoticeKind.EXPIRING: Tone.WARNING,
    NoticeKind.RESULTS_STALE: Tone.WARNING,
    NoticeKind.CHECKING_STOPPED: Tone.WARNING,
    NoticeKind.TRIAL_ENDED: Tone.WARNING,
    NoticeKind.SUBSCRIPTION_ENDED: Tone.WARNING,
    NoticeKind.PAYMENT_FAILED: Tone.WARNING,
    NoticeKind.PAYMENT_CONSENT: Tone.WARNING,
    NoticeKind.GRACE_STARTED: Tone.WARNING,
}
# What an SMS may shorten; everything else in it is a number, a date or our own words.
_ELASTIC = ("name", "state", "dates")


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
    table, params = _table(kind, facts), words_of(facts, language)
    return Entry(
        one_line(say(f"{table}.title", language, **params)),
        say(f"{table}.content", language, **params),
    )


def message(
    kind: NoticeKind,
    facts: Facts,
    language: Language,
    site: Site,
    *,
    beside: Sequence[Facts] = (),
) -> Notice:
    """The words for a mail and an SMS. Raises KeyError for a kind that only the panel shows.

    `beside` are other notices of the same kind that the same message tells of.
    """
    expiring = (one for one in (facts, *beside) if isinstance(one, ExpiryFacts))
    drivers = sorted(expiring, key=lambda one: one.expiries)
    if len(drivers) > 1:
        table = "notices.expiring_many"
        params: dict[str, object] = {"count": len(drivers)}
        short = params
        listed = [row_of_many(one, language) for one in drivers[:MOST_LISTED]]
    else:
        table = _table(kind, facts)
        params, short = words_of(facts, language), short_words_of(facts, language)
        listed = rows_of(facts, language)
    paragraphs: list[str | letter.Facts] = [say(f"{table}.what", language, **params)]
    if listed:
        paragraphs.append(letter.Facts(tuple(listed)))
    if len(drivers) > MOST_LISTED:
        more = len(drivers) - MOST_LISTED
        paragraphs.append(say("notices.expiries.more", language, count=more))
    paragraphs.append(say(f"{table}.mail", language, **params))
    consent = facts.url if isinstance(facts, PaymentFacts) else ""
    return letter.letter(
        language,
        site.brand,
        say(f"{table}.title", language, **params),
        paragraphs,
        line=_line(f"{table}.line", short, language, site.brand),
        link=consent or f"{site.base_url}{_PAGES.get(kind, DRIVERS_PAGE)}",
        link_label=say(f"{table}.link", language) if consent else None,
        tone=_TONES.get(kind, Tone.PLAIN),
    )


def _table(kind: NoticeKind, facts: Facts) -> str:
    if kind is NoticeKind.ATTENTION and isinstance(facts, DriverFacts) and facts.expired:
        return "notices.attention_expired"
    if kind is NoticeKind.PAYMENT_FAILED and isinstance(facts, PaymentFacts):
        if facts.tried_at >= facts.ends_at:
            return "notices.payment_failed_late"
        if facts.next_try_at is None:
            return "notices.payment_failed_last"
    return f"notices.{kind.value}"


def _line(key: str, params: Mapping[str, object], language: Language, brand: str) -> str:
    elastic = {name: str(params[name]) for name in _ELASTIC if name in params}
    return one_part(lambda words: f"{brand}: {say(key, language, **{**params, **words})}", elastic)
