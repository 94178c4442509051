"""The text of a confirmation: no day without a check and nothing expired looks valid. Pure."""

from datetime import UTC, date, datetime, timedelta

import msgspec
import pytest

from prawko.drivers.schemas import (
    AcknowledgementOut,
    CategoryOut,
    EpisodeOut,
    VerificationOut,
)
from prawko.kit.text.i18n import Language
from prawko.verifications.confirmation_builder import (
    CheckedPeriod,
    ConfirmationBuilder,
    ConfirmationContext,
    DriverChoice,
)
from prawko.verifications.repository import RecordedCheck
from prawko_tenants.ids import AcknowledgementId, DriverId, VerificationId, new_id
from support.listed_drivers import listed_driver

NIGHT = datetime(2026, 11, 19, 23, 30, tzinfo=UTC)  # 20 November in Warsaw
NOON = datetime(2026, 11, 20, 11, tzinfo=UTC)
UNKNOWN = "nie znaleziono w rejestrze"
DAY_AFTER_NEXT = datetime(2026, 11, 22, 11, tzinfo=UTC)
PERIOD = CheckedPeriod(
    first=date(2026, 11, 20), last=date(2026, 11, 24), name="Jan Lis", license_number="AA123456"
)
BUILDER = ConfirmationBuilder(
    ConfirmationContext(
        brand="Prawko",
        company_name="Acme",
        tax_id="",
        language=Language.PL,
        made_at=datetime(2027, 6, 1, 12, tzinfo=UTC),
    )
)


def check_of(status: str, state: str | None, at: datetime = NIGHT, **changes) -> RecordedCheck:
    values = {
        "status": status,
        "verified_at": at,
        "document_status": state,
        "issuing_authority": None,
        "expiry_date": None,
        "expired": False,
        "categories": [],
        "id": VerificationId(new_id()),
        "driver_id": DriverId(new_id()),
        "document_code": None,
        "reasons": [],
        "notes": None,
        "last_verification_hash": "0" * 64,
        "license_number": "AA123456",
    }
    return RecordedCheck(VerificationOut(**(values | changes)), "Jan Lis")


def test_a_period_has_a_row_for_each_check_and_none_for_a_day_without_one() -> None:
    checks = [
        check_of("valid", "Wydany"),
        check_of("valid", "Wydany", NOON),
        check_of("invalid", "Zatrzymany", DAY_AFTER_NEXT),
        check_of("not_found", None, DAY_AFTER_NEXT),
    ]

    made = BUILDER.build_period(PERIOD, checks)

    [table] = made.tables
    assert [row[:4] for row in table.rows] == [
        ["20.11.2026, 00:30", "AA123456", "Wydany", "ważne"],
        ["20.11.2026, 12:00", "AA123456", "Wydany", "ważne"],
        ["22.11.2026, 12:00", "AA123456", "Zatrzymany", "zatrzymane"],
        ["22.11.2026, 12:00", "AA123456", UNKNOWN, UNKNOWN],
    ]
    assert ("Liczba sprawdzeń", "4 sprawdzenia w 2 z 5 dni") in made.facts
    assert made.verdict == "", "several checks have no single state"


def test_a_period_without_a_check_has_no_table() -> None:
    made = BUILDER.build_period(PERIOD, [])

    assert (made.tables, made.notes[0]) == ([], "W tym okresie nie było żadnego sprawdzenia.")
    assert ("Liczba sprawdzeń", "0 sprawdzeń w 0 z 5 dni") in made.facts


@pytest.mark.parametrize(
    ("check", "verdict", "outcome"),
    [
        (check_of("valid", "Wydany"), "Wydany", "ważne"),
        (check_of("invalid", "Zatrzymany"), "Zatrzymany", "zatrzymane"),
        (check_of("attention", "Wydany", expired=True), "Wydany, po terminie", "wymaga uwagi"),
        (check_of("not_found", None), UNKNOWN, UNKNOWN),
        (check_of("attention", None), "brak danych", "wymaga uwagi"),
    ],
)
def test_the_verdict_of_a_check_is_the_registers_word(check, verdict, outcome) -> None:
    made = BUILDER.build_check(check)

    assert made.verdict == verdict
    assert dict(made.facts)["Wynik"] == outcome


@pytest.mark.parametrize(
    ("check", "answer", "state"),
    [
        (check_of("valid", "Wydany"), "tak", "ważna"),
        (check_of("invalid", "Zatrzymany"), "nie", "nie uprawnia (zatrzymane)"),
        (check_of("invalid", "Cofnięty"), "nie", "nie uprawnia (zatrzymane)"),
        (
            check_of("attention", "Wydany", expired=True, expiry_date=date(2026, 11, 19)),
            "nie", "nie uprawnia (dokument po terminie)",
        ),
        (check_of("attention", "Unieważniony"), "do sprawdzenia", "do wyjaśnienia"),
    ],
)  # fmt: skip
def test_no_category_of_a_licence_that_does_not_entitle_reads_valid(check, answer, state) -> None:
    listed = [CategoryOut(kategoria="C", data_waznosci=date(2031, 1, 1))]
    verification = msgspec.structs.replace(check.verification, categories=listed)

    made = BUILDER.build_check(RecordedCheck(verification, "Jan Lis"))

    assert dict(made.facts)["Może jechać"] == answer
    assert made.tables[0].rows == [["C", "do 01.01.2031", state]]


def test_a_valid_document_without_a_valid_category_does_not_read_valid() -> None:
    over = [CategoryOut(kategoria="C", data_waznosci=date(2026, 11, 19))]
    check = check_of("valid", "Wydany", categories=over)

    facts = dict(BUILDER.build_check(check).facts)
    [table] = BUILDER.build_period(PERIOD, [check]).tables

    assert (facts["Może jechać"], facts["Wynik"]) == ("nie", "wszystkie kategorie po terminie")
    assert table.rows[0][3] == facts["Wynik"]


EPISODE = EpisodeOut(
    since=NIGHT,
    reasons=[],
    acknowledgement=AcknowledgementOut(
        id=AcknowledgementId(new_id()), note="kluczyki zdane", created_at=NOON, created_by=None
    ),
)


def test_the_latest_check_is_judged_with_the_needed_categories_and_names_the_reaction() -> None:
    check = check_of("valid", "Wydany", categories=[CategoryOut(kategoria="B", data_waznosci=None)])
    driver = listed_driver(check.verification, needed=["B", "C"], episode=EPISODE)

    latest = BUILDER.build_check(check, driver)
    earlier = BUILDER.build_check(check_of("valid", "Wydany", NIGHT - timedelta(1)), driver)

    facts = dict(latest.facts)
    assert (facts["Może jechać"], facts["Wynik"]) == ("nie", "brak potrzebnej kategorii: C")
    assert latest.verdict == "Wydany, brak potrzebnej kategorii: C"
    reaction = "20.11.2026, 12:00, osoba, która nie ma już konta w firmie, kluczyki zdane"
    assert facts["Odsunięcie od jazdy"] == reaction
    assert dict(earlier.facts)["Może jechać"] == "tak"
    assert "Odsunięcie od jazdy" not in dict(earlier.facts)


def test_a_day_lists_who_may_not_drive_first_with_reason_and_reaction() -> None:
    valid, withheld = check_of("valid", "Wydany"), check_of("invalid", "Zatrzymany")
    drivers = [
        listed_driver(valid.verification, may_drive="yes"),
        listed_driver(None, may_drive="check"),
        listed_driver(withheld.verification, episode=EPISODE),
    ]

    made = BUILDER.build_day(date(2026, 11, 20), drivers, DriverChoice.ALL)

    first, second = made.tables
    assert [row[2:4] for row in first.rows] == [
        ["nie: zatrzymane, od 20.11.2026", "Zatrzymany, 20.11.2026, 00:30"],
        ["do sprawdzenia", "brak sprawdzenia"],
    ]
    assert [bool(row[4]) for row in first.rows] == [True, False]
    assert [row[2:] for row in second.rows] == [["tak", "Wydany, 20.11.2026, 00:30"]]
    dates = "Sprawdzono 20.11.2026, 00:30; rejestr pokazuje stan na dzień 19.11.2026."
    assert made.lead == f"Wszyscy kierowcy firmy, 20.11.2026. {dates}"
    total = "3 (nie może jechać: 1, do sprawdzenia: 1, może jechać: 1)"
    assert dict(made.facts)["Kierowcy"] == total


def test_a_category_is_judged_on_the_day_of_the_check() -> None:
    days = {"B": None, "C": date(2026, 11, 20), "D": date(2026, 11, 19), "T": date(2027, 1, 1)}
    categories = [CategoryOut(kategoria=code, data_waznosci=day) for code, day in days.items()]

    [table] = BUILDER.build_check(check_of("valid", "Wydany", categories=categories)).tables

    assert table.rows == [
        ["B", "bez daty", "ważna"],
        ["C", "do 20.11.2026", "ważna"],
        ["D", "do 19.11.2026", "po terminie"],
        ["T", "do 01.01.2027", "ważna"],
    ]
