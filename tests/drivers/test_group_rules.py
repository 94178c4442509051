"""The groups of drivers in exported lists. The panel's twin is driver-filter.test.ts."""

from datetime import UTC, date, datetime, timedelta

import msgspec
import pytest

from prawko.drivers.list_export import describe_status, groups_of
from prawko.drivers.schemas import CategoryOut, VerificationSummaryOut
from prawko.kit.text.i18n import Language
from support.listed_drivers import listed_driver

TODAY = date(2026, 11, 21)
YESTERDAY = TODAY - timedelta(days=1)
NEAR = date(2026, 11, 25)
FAR = date(2034, 5, 17)
STALE = datetime(2026, 11, 18, 5, tzinfo=UTC)


def found(
    status: str = "valid", *, until: date | None = FAR, c: date | None = None, expired: bool = False
) -> VerificationSummaryOut:
    """A verification: a document `until` a day, with C until `c` if that is given."""
    categories = [CategoryOut(kategoria="B", data_waznosci=None)]
    if c is not None:
        categories.append(CategoryOut(kategoria="C", data_waznosci=c))
    return VerificationSummaryOut(
        status=status,
        verified_at=datetime(2026, 11, 20, 5, tzinfo=UTC),
        document_status=None,
        issuing_authority=None,
        expiry_date=until,
        expired=expired,
        categories=categories,
    )


@pytest.mark.parametrize(
    ("one", "groups"),
    [
        (listed_driver(found()), {"valid"}),
        (listed_driver(None), {"waiting"}),
        (listed_driver(None, over_limit=True), {"attention"}),
        (listed_driver(found("invalid")), {"withheld"}),
        (listed_driver(found("invalid", until=NEAR)), {"withheld"}),
        (listed_driver(found("invalid", c=YESTERDAY)), {"withheld"}),
        (listed_driver(found("invalid"), stale_since=STALE), {"withheld", "attention"}),
        (listed_driver(found("attention")), {"attention"}),
        (listed_driver(found("attention", until=NEAR)), {"attention"}),
        (listed_driver(found("not_found", until=None)), {"attention"}),
        (listed_driver(found("attention", until=YESTERDAY, expired=True)), {"attention"}),
        (listed_driver(found(until=YESTERDAY)), {"attention", "valid"}),
        (listed_driver(found(c=YESTERDAY)), {"attention", "valid"}),
        (listed_driver(found(c=date(2026, 12, 1))), {"expiring", "expiring90", "valid"}),
        (
            listed_driver(found(until=date(2026, 12, 1), c=YESTERDAY)),
            {"attention", "expiring", "expiring90", "valid"},
        ),
        (listed_driver(found(), needed=["C"]), {"attention", "valid"}),
        (
            listed_driver(found(until=NEAR), needed=["C"]),
            {"attention", "valid", "expiring7", "expiring", "expiring90"},
        ),
        (
            listed_driver(found(c=TODAY), needed=["C"]),
            {"valid", "expiring7", "expiring", "expiring90"},
        ),
        (listed_driver(found(), stale_since=STALE), {"attention", "valid"}),
        (listed_driver(found(until=None)), {"valid"}),
    ],
)
def test_a_driver_is_in_the_groups_that_the_panel_shows(one, groups) -> None:
    assert groups_of(one, TODAY) == {"all", "no", "unhandled", *groups}


@pytest.mark.parametrize(
    ("days_left", "groups"),
    [
        (0, {"expiring7", "expiring", "expiring90"}),
        (7, {"expiring7", "expiring", "expiring90"}),
        (8, {"expiring", "expiring90"}),
        (30, {"expiring", "expiring90"}),
        (31, {"expiring90"}),
        (90, {"expiring90"}),
        (91, set()),
    ],
)
def test_what_ends_within_so_many_days_is_in_each_wider_group(days_left, groups) -> None:
    last_day = TODAY + timedelta(days=days_left)
    for one in (listed_driver(found(until=last_day)), listed_driver(found(c=last_day))):
        assert groups_of(one, TODAY) == {"all", "no", "unhandled", "valid", *groups}


OVER = "dokument po terminie"


@pytest.mark.parametrize(
    ("one", "answer", "words"),
    [
        (listed_driver(found()), "yes", "ważne"),
        (listed_driver(found()), "check", "wynik nieaktualny"),
        (listed_driver(found(), needed=["C"]), "check", "brak potrzebnej kategorii"),
        (listed_driver(found(), needed=["C"]), "no", "brak potrzebnej kategorii"),
        (listed_driver(found(until=YESTERDAY)), "no", OVER),
        (listed_driver(found(until=YESTERDAY), needed=["C"]), "no", OVER),
        (listed_driver(found("attention", expired=True)), "no", OVER),
        (listed_driver(found("attention"), needed=["C"]), "no", "brak potrzebnej kategorii"),
        (listed_driver(found("attention"), needed=["C"]), "check", "wymaga uwagi"),
        (listed_driver(found(until=TODAY)), "no", "wszystkie kategorie po terminie"),
        (listed_driver(found("invalid", until=YESTERDAY), needed=["C"]), "no", "zatrzymane"),
        (listed_driver(found("not_found", until=None)), "check", "nie znaleziono"),
        (listed_driver(None), "check", "czeka na sprawdzenie"),
    ],
)
def test_the_words_of_a_file_name_the_reason_of_the_answer(one, answer, words) -> None:
    judged = msgspec.structs.replace(one, may_drive=answer)
    assert describe_status(judged, TODAY, Language.PL) == words
    assert describe_status(judged, TODAY, Language.EN) != words
