"""What a notice says: complete, in the reader's language, of the driver's document."""

from datetime import UTC, date, datetime

import msgspec
import pytest

from prawko.base.texts import Language
from prawko.deliveries.dates import instant
from prawko.hooks.channels import Medium
from prawko.notifications.kinds import (
    ABOUT_DRIVERS,
    MEDIA,
    CompanyFacts,
    DriverFacts,
    NoticeKind,
    facts_of,
    stored,
)
from prawko.notifications.wording import Site, entry, message

SITE = Site("Prawko", "https://panel.test")
AT = datetime(2026, 11, 21, 5, 5, tzinfo=UTC)
JAN = DriverFacts(
    first_name="Jan",
    last_name="Kowalski",
    license_number="AA123456",
    checked_at=AT,
    state="Zatrzymany",
    reasons=("Decyzja starosty",),
    authority="Starosta Wołomiński",
    expires=date(2031, 2, 3),
)
STALE = CompanyFacts(drivers=3, since=AT)
MAILED = [kind for kind in NoticeKind if Medium.EMAIL in MEDIA[kind]]
IN_SMS = [kind for kind in NoticeKind if Medium.SMS in MEDIA[kind]]


def facts(kind: NoticeKind) -> DriverFacts | CompanyFacts:
    return JAN if kind in ABOUT_DRIVERS else STALE


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("kind", NoticeKind)
def test_every_kind_has_words_for_the_panel(kind, language) -> None:
    words = entry(kind, facts(kind), language)

    assert words.title
    assert words.content
    assert not set(words.title + words.content) & set("{}!\n")
    if kind in ABOUT_DRIVERS:
        assert "Jan Kowalski" in words.title
        assert "AA123456" in words.content


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("kind", MAILED)
def test_a_mail_says_what_happened_to_whom_when_and_what_to_do(kind, language) -> None:
    notice = message(kind, facts(kind), language, SITE)

    day = "21.11.2026" if language is Language.PL else "21 November 2026"
    needed = [day, "06:05", "Co zrobić" if language is Language.PL else "What to do"]
    if kind in ABOUT_DRIVERS:
        needed += ["Jan Kowalski", "AA123456", "Zatrzymany", "Decyzja starosty"]
        needed += ["starosta", "https://panel.test/panel/drivers"]
    for words in needed:
        assert words in notice.text
        assert words in notice.html
    assert not set(notice.text) & set("{}!")
    assert notice.link in notice.text


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("kind", IN_SMS)
def test_an_sms_names_the_sender_the_driver_and_the_day(kind, language) -> None:
    line = message(kind, facts(kind), language, SITE).line

    assert line.startswith("Prawko: ")
    for words in ("Jan Kowalski", "AA123456", "06:05"):
        assert words in line


def test_a_stopped_check_leads_to_the_subscription() -> None:
    notice = message(NoticeKind.CHECKING_STOPPED, STALE, Language.PL, SITE)

    assert notice.link == "https://panel.test/panel/subscription"


def test_an_expired_document_is_said_to_be_expired() -> None:
    expired = msgspec.structs.replace(JAN, state="Wydany", expires=date(2026, 11, 20), expired=True)

    assert "minął 20.11.2026" in entry(NoticeKind.ATTENTION, expired, Language.PL).content
    assert "minął 20.11.2026" in message(NoticeKind.ATTENTION, expired, Language.PL, SITE).text


def test_what_the_register_did_not_say_has_no_line() -> None:
    unknown = DriverFacts(
        first_name="Jan", last_name="Kowalski", license_number="AA123456", checked_at=AT
    )

    notice = message(NoticeKind.NOT_FOUND, unknown, Language.PL, SITE)

    for words in ("Stan dokumentu", "Powód", "Termin", "Organ wydający:", "brak danych", "None"):
        assert words not in notice.text


@pytest.mark.parametrize("kind", NoticeKind)
def test_what_a_notice_knows_survives_its_row(kind) -> None:
    assert facts_of(kind, msgspec.json.decode(stored(facts(kind)))) == facts(kind)


@pytest.mark.parametrize(
    ("drivers", "words"),
    [
        (1, "1 kierowca ma wynik starszy"),
        (2, "2 kierowcy mają wyniki starsze"),
        (5, "5 kierowców ma wyniki starsze"),
        (12, "12 kierowców ma wyniki starsze"),
        (22, "22 kierowcy mają wyniki starsze"),
        (112, "112 kierowców ma wyniki starsze"),
    ],
)
def test_drivers_are_counted_in_polish(drivers, words) -> None:
    stale = CompanyFacts(drivers=drivers, since=AT)

    assert words in entry(NoticeKind.RESULTS_STALE, stale, Language.PL).content
    assert words in message(NoticeKind.RESULTS_STALE, stale, Language.PL, SITE).text


def test_a_line_break_in_a_name_adds_no_header_and_no_line() -> None:
    crafty = msgspec.structs.replace(JAN, last_name="Kowalski\r\nBcc: all@rival.test")

    notice = message(NoticeKind.WITHHELD, crafty, Language.PL, SITE)

    assert notice.title == "Zatrzymane uprawnienia: Jan Kowalski Bcc: all@rival.test"
    assert "\nBcc" not in notice.text
    assert "\n" not in entry(NoticeKind.WITHHELD, crafty, Language.PL).title


@pytest.mark.parametrize(
    ("at", "polish", "english"),
    [
        (AT, "21.11.2026, 06:05 (czas polski)", "21 November 2026, 06:05 (Polish time)"),
        (
            datetime(2026, 7, 1, 22, 30, tzinfo=UTC),
            "02.07.2026, 00:30 (czas polski)",
            "2 July 2026, 00:30 (Polish time)",
        ),
    ],
)
def test_times_are_those_of_warsaw(at, polish, english) -> None:
    assert instant(at, Language.PL) == polish
    assert instant(at, Language.EN) == english
