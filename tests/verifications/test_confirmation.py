"""Confirmations of checks as PDF: what they say, to whom, how often, and what is recorded."""

import re
import threading
from datetime import date, datetime, timedelta
from uuid import uuid4

import pytest
from sqlalchemy import update

from prawko.drivers.models import Driver
from prawko.kit.clock import register_date
from prawko.verifications import company_days
from prawko.verifications.outcome import judge_check
from prawko_tenants.ids import TenantId, new_id
from support.database import fetch_rows, insert_verification
from support.orders import ACME_DETAILS
from support.pdf import printed_text, read_pages, read_pieces

pytestmark = pytest.mark.anyio

NOON = datetime.fromisoformat("2026-11-21T12:00:00+01:00")


async def confirm(person, driver_id: str, verification_id: str, query: str = ""):
    return await person.get(
        f"/api/drivers/{driver_id}/verifications/{verification_id}/confirmation{query}"
    )


async def confirm_period(person, driver_id: str, first: str, last: str, **params: str):
    return await person.get(
        f"/api/drivers/{driver_id}/confirmation", params={"from": first, "to": last, **params}
    )


@pytest.fixture
async def checked(anna, context, clock) -> tuple[str, str]:
    """A driver with a name of rare letters, withheld at noon; the ids of driver and check."""
    clock.set(NOON - timedelta(hours=1))
    answer = await anna.put("/api/user/billing-details", ACME_DETAILS)
    assert answer.status_code == 200, answer.text
    driver_id = await anna.add_driver("AA123456", first="Zażółć", last="Gęślą-Jaźń")
    verification_id = await insert_verification(
        anna, context, driver_id, outcome="invalid", document_status="Zatrzymany",
        verified_at=NOON, expiry_date=date(2031, 5, 17),
    )  # fmt: skip
    return driver_id, str(verification_id)


async def test_a_check_is_confirmed_with_who_what_and_when(anna, checked, logins) -> None:
    driver_id, verification_id = checked
    [stored] = await fetch_rows(logins, "SELECT encode(hash, 'hex') AS hash FROM register_answer")

    answer = await confirm(anna, driver_id, verification_id)

    assert answer.headers["Content-Type"] == "application/pdf"
    assert answer.headers["Content-Disposition"] == (
        'attachment; filename="potwierdzenie-AA123456-2026-11-21.pdf"'
    )
    text = printed_text(answer.content)
    for expected in (
        "Potwierdzenie sprawdzenia prawa jazdy", ACME_DETAILS["companyName"],
        ACME_DETAILS["taxId"], "AA123456", "21.11.2026, 12:00 (czas polski)", "Zatrzymany",
        "do 17.05.2031", "Starosta Wołomiński", "Strona 1 z 1", "Zażółć",
    ):  # fmt: skip
        assert expected in text, expected
    without_blanks = text.replace(" ", "")
    assert verification_id in without_blanks
    assert stored["hash"] in without_blanks


async def test_a_confirmation_names_the_acknowledgement_of_its_episode(
    anna, context, checked
) -> None:
    driver_id, _ = checked
    earlier, verification_id = [
        str(
            await insert_verification(
                anna, context, driver_id, outcome=outcome, verified_at=NOON + timedelta(hours=hours)
            )
        )
        for hours, outcome in ((1, "valid"), (2, "invalid"))
    ]
    since = (await anna.get(f"/api/drivers/{driver_id}")).json()["episode"]["since"]
    await anna.post(
        f"/api/drivers/{driver_id}/acknowledgements", {"since": since, "note": "Kluczyki zdane"}
    )

    text = printed_text((await confirm(anna, driver_id, verification_id)).content)
    assert "Może jechać nie" in text
    assert "anna@acme.test, Kluczyki zdane" in text
    before = printed_text((await confirm(anna, driver_id, earlier)).content)
    assert "Może jechać tak" in before
    assert "Kluczyki zdane" not in before


async def test_one_confirmation_has_all_drivers_of_a_day_and_of_no_other_company(
    anna, celina, checked, clock, logins
) -> None:
    driver_id, _ = checked
    await celina.add_driver("CC123456")
    clock.set(NOON)
    await anna.add_driver("BB123456", first="Ewa", last="Nowak")
    since = (await anna.get(f"/api/drivers/{driver_id}")).json()["episode"]["since"]
    await anna.post(
        f"/api/drivers/{driver_id}/acknowledgements", {"since": since, "note": "Kluczyki zdane"}
    )

    for query in ("", "?day=2026-11-21"):
        answer = await anna.get(f"/api/company/confirmation{query}")
        assert answer.headers["Content-Disposition"] == (
            'attachment; filename="potwierdzenie-2026-11-21.pdf"'
        )
        text = printed_text(answer.content)
        for expected in ("AA123456", "Zatrzymany", "Kluczyki zdane", "nie może jechać: 1"):
            assert expected in text, expected
        assert "CC123456" not in text
        clock.forward(days=3)
    events = await fetch_rows(
        logins, "SELECT 1 FROM user_activity WHERE details ->> 'about' = 'company'"
    )
    assert len(events) == 2


async def test_a_day_of_three_hundred_drivers_has_one_line_for_each_who_may_drive(
    anna, context, checked, clock
) -> None:
    async with context.database.tenant(TenantId(await anna.tenant_id(context))) as session:
        drivers = [
            Driver(
                id=new_id(), first_name="Aleksandra", last_name="Brzęczyszczykiewicz-Rozwadowska",
                sort_key="", license_number=f"AB{number:06}", created_at=NOON,
            )
            for number in range(290)
        ]  # fmt: skip
        session.add_all(drivers)
    clock.set(NOON)
    for driver in drivers:
        await insert_verification(anna, context, str(driver.id), verified_at=NOON)

    answer = await anna.get("/api/company/confirmation")

    pages = read_pages(answer.content)
    assert len(pages) <= 9
    assert "Aleksandra Brzęczyszczykiewicz-Rozwadowska" in pages[1]
    assert "Wydany, 21.11.2026, 12:00" in pages[1]
    assert "Sprawdzono 21.11.2026, 12:00; rejestr pokazuje stan na dzień 20.11.2026." in (
        printed_text(answer.content)
    )


@pytest.mark.parametrize(
    ("instant", "day"),
    [
        ("2026-11-21T06:59:59+01:00", "2026-11-19"),
        ("2026-11-21T07:00:00+01:00", "2026-11-20"),
        ("2026-11-21T23:30:00+01:00", "2026-11-20"),
        ("2026-10-25T23:30:00+01:00", "2026-10-24"),  # of 25 hours
        ("2026-03-29T07:00:00+02:00", "2026-03-28"),  # of 23
    ],
)
def test_the_register_shows_the_day_before_from_seven_on(instant, day) -> None:
    assert register_date(datetime.fromisoformat(instant)) == date.fromisoformat(day)


async def confirm_day(person, day: str) -> str:
    """The text of a day's confirmation."""
    answer = await person.get(f"/api/company/confirmation?day={day}")
    assert answer.status_code == 200, answer.text
    return printed_text(answer.content)


async def test_a_past_day_has_its_own_answer_and_the_acknowledgement_of_its_episode(
    anna, context, checked, clock
) -> None:
    driver_id, _ = checked
    clock.set(NOON)
    since = (await anna.get(f"/api/drivers/{driver_id}")).json()["episode"]["since"]
    await anna.post(
        f"/api/drivers/{driver_id}/acknowledgements", {"since": since, "note": "Kluczyki zdane"}
    )
    for days, outcome, state in ((2, "valid", "Wydany"), (5, "invalid", "Zatrzymany")):
        at = NOON + timedelta(days=days)
        await insert_verification(
            anna, context, driver_id, outcome=outcome, document_status=state, verified_at=at
        )
    clock.forward(days=10)

    assert "Firma nie ma kierowców." in await confirm_day(anna, "2026-11-20")
    for day, answer, is_acknowledged in (
        ("2026-11-21", "nie: zatrzymane, od 21.11.2026", True),
        ("2026-11-22", "nie: zatrzymane, od 21.11.2026", True),  # no check, but that of yesterday
        ("2026-11-23", "tak", False),
        ("2026-11-25", "do sprawdzenia brak sprawdzenia", False),
        ("2026-11-26", "nie: zatrzymane", False),  # another episode
    ):
        text = await confirm_day(anna, day)
        assert f"AA123456 {answer}" in text, day
        assert ("Kluczyki zdane" in text) is is_acknowledged, day


async def test_a_past_day_contradicts_no_proof_of_that_day(
    anna, context, checked, clock, monkeypatch
) -> None:
    driver_id, _ = checked
    lacking = await anna.add_driver("AA123457")
    await insert_verification(anna, context, lacking, verified_at=NOON)
    clock.set(NOON)
    async with context.database.tenant(TenantId(await anna.tenant_id(context))) as session:
        lost = {"needed_categories": ["D"], "valid_until": date.min}
        await session.execute(update(Driver).filter_by(license_number="AA123457").values(lost))
    since = (await anna.get(f"/api/drivers/{lacking}")).json()["episode"]["since"]
    await anna.post(
        f"/api/drivers/{lacking}/acknowledgements", {"since": since, "note": "Kluczyki zdane"}
    )
    present = await confirm_day(anna, "2026-11-21")
    assert "AA123457 nie: brak potrzebnej kategorii, od 21.11.2026" in present
    clock.forward(days=1)
    await anna.put(f"/api/drivers/{driver_id}", {"lastName": "Nowak", "licenseNumber": "BB654321"})
    threads = set()
    monkeypatch.setattr(
        company_days, "judge_check",
        lambda *of: threads.add(threading.current_thread()) or judge_check(*of),
    )  # fmt: skip

    past = await confirm_day(anna, "2026-11-21")

    assert "Zażółć Gęślą-Jaźń AA123456 nie: zatrzymane" in past
    assert "Nowak" not in past
    assert "AA123457 do sprawdzenia: brak potrzebnej kategorii, od 21.11.2026" in past
    assert "Kluczyki zdane" in past
    assert "usuniętych później" in past
    assert threads
    assert threading.main_thread() not in threads, "the panel's event loop judges nobody"


@pytest.mark.parametrize(
    ("day", "sentence"),
    [
        ("2099-01-01", "Wybierz dzisiejszy albo wcześniejszy dzień"),
        ("0001-01-01", "najwcześniej z roku 2000"),
        ("9999-12-31", "Wybierz dzisiejszy"),
        ("2026-11-31", ""),
        ("x", ""),
    ],
)
async def test_a_bad_day_is_refused_in_words(anna, day, sentence) -> None:
    answer = await anna.get(f"/api/company/confirmation?day={day}")

    assert answer.status_code == 400
    assert sentence in str(answer.json())


async def test_a_day_of_three_thousand_drivers_has_each_of_them_once(anna, context, clock) -> None:
    clock.set(NOON)
    names = {0: ("Jan", "Ł" * 80), 1: ("Олександра", "Шевченко-Їжакевич"), 2: ("Ż" * 80, "Gęś")}
    async with context.database.tenant(TenantId(await anna.tenant_id(context))) as session:
        session.add_all(
            Driver(
                id=new_id(), first_name=first, last_name=last, sort_key="",
                license_number=f"AB{number:06}", created_at=NOON,
            )
            for number in range(3000)
            for first, last in [names.get(number % 100, ("Zażółć", "Jaźń"))]
        )  # fmt: skip

    text = await confirm_day(anna, "2026-11-21")

    assert re.findall(r"AB[0-9]{6}", text) == [f"AB{number:06}" for number in range(3000)]
    assert "3000 (nie może jechać: 0, do sprawdzenia: 3000, może jechać: 0)" in text
    letters = text.replace(" ", "")
    assert letters.count("Ł" * 80) == letters.count("Ż" * 80 + "Gęś") == 30
    assert letters.count("Шевченко-Їжакевич") == 30


async def test_it_speaks_the_language_of_the_screen(anna, checked) -> None:
    answer = await confirm(anna, *checked, "?lang=en")

    text = printed_text(answer.content)
    assert "Confirmation of a driving licence check" in text
    assert "21.11.2026, 12:00" in text
    assert (
        'filename="confirmation-AA123456-2026-11-21.pdf"' in (answer.headers["Content-Disposition"])
    )
    assert (await confirm(anna, *checked, "?lang=de")).status_code == 400


async def test_only_licence_numbers_have_a_zero_with_a_slash(anna, checked) -> None:
    driver_id, verification_id = checked
    with_slash = 3  # the third font of a document
    for pdf in (
        (await confirm(anna, driver_id, verification_id)).content,
        (await confirm_period(anna, driver_id, "2026-11-21", "2026-11-21")).content,
    ):
        [drawn] = read_pieces(pdf)
        assert {text for font, text in drawn if font == with_slash} == {"AA123456"}
        assert "AA123456" not in {text for font, text in drawn if font != with_slash}


async def test_it_names_the_person_who_was_asked_for_then(anna, checked) -> None:
    driver_id, verification_id = checked
    await anna.put(f"/api/drivers/{driver_id}", {"lastName": "Nowak", "licenseNumber": "BB654321"})

    text = printed_text((await confirm(anna, driver_id, verification_id)).content)

    assert "AA123456" in text
    assert "BB654321" not in text
    assert "Nowak" not in text


async def test_a_period_lists_every_check_by_warsaw_days(anna, context, checked) -> None:
    driver_id, verification_id = checked
    ids = [
        str(await insert_verification(anna, context, driver_id, verified_at=at))
        for at in (
            datetime.fromisoformat("2026-11-19T23:30:00+00:00"),  # 20 November in Warsaw
            datetime.fromisoformat("2026-11-19T22:30:00+00:00"),
            datetime.fromisoformat("2026-11-21T22:59:00+00:00"),
            datetime.fromisoformat("2026-11-21T23:01:00+00:00"),
        )
    ]

    answer = await confirm_period(anna, driver_id, "2026-11-20", "2026-11-21")

    assert (
        'filename="potwierdzenie-AA123456-2026-11-20-2026-11-21.pdf"'
        in (answer.headers["Content-Disposition"])
    )
    text = printed_text(answer.content)
    found = re.findall(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", text.replace(" ", ""))
    assert found == [ids[0], verification_id, ids[2]]
    assert "3 sprawdzenia w 2 z 2 dni" in text
    assert "od 20.11.2026 do 21.11.2026" in text


async def test_a_year_is_a_table_over_pages_with_its_heading_on_each(anna, context) -> None:
    driver_id = await anna.add_driver("AA123456", first="Jan", last="K" * 80)
    for ago in range(120):
        await insert_verification(
            anna, context, driver_id, verified_at=NOON - timedelta(days=3 * ago)
        )

    answer = await confirm_period(anna, driver_id, "2025-11-22", "2026-11-21")

    pages = read_pages(answer.content)
    assert len(pages) >= 3
    for number, page in enumerate(pages, start=1):
        text = " ".join(" ".join(page).split())
        assert f"Strona {number} z {len(pages)}" in text
        # The last page may hold the notes alone.
        assert "Numer sprawdzenia" in text or number == len(pages)
    assert "120 sprawdzeń w 120 z 365 dni" in printed_text(answer.content)


async def test_a_period_without_a_check_says_so(anna) -> None:
    driver_id = await anna.add_driver("AA123456")

    answer = await confirm_period(anna, driver_id, "2020-01-01", "2020-01-31", lang="en")

    assert "There was no check in this period." in printed_text(answer.content)


@pytest.mark.parametrize(
    ("first", "last", "sentence"),
    [
        ("2026-11-21", "2026-11-20", "Data końcowa"),
        ("2025-11-20", "2026-11-21", "najwyżej 366 dni"),
        ("2026-11-31", "2026-12-01", ""),
        ("", "2026-12-01", ""),
        ("x", "2026-12-01", ""),
        ("9999-12-31", "9999-12-31", "Wybierz dni z lat 2000"),
        ("0001-01-01", "0001-01-01", "Wybierz dni z lat 2000"),
    ],
)
async def test_bad_periods_are_refused(anna, first, last, sentence) -> None:
    driver_id = await anna.add_driver("AA123456")

    answer = await confirm_period(anna, driver_id, first, last)

    assert answer.status_code == 400
    if sentence:
        assert sentence in answer.json()["fields"]["to"]


async def test_foreign_and_unknown_ids_are_answered_alike(anna, celina, checked) -> None:
    driver_id, verification_id = checked
    other = await anna.add_driver("AA123457")
    own = await celina.add_driver("CC123456")

    answers = [
        await confirm(celina, driver_id, verification_id),
        await confirm(celina, own, verification_id),
        await confirm(celina, own, str(uuid4())),
        await confirm_period(celina, driver_id, "2026-11-01", "2026-11-21"),
        await confirm_period(celina, str(uuid4()), "2026-11-01", "2026-11-21"),
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1
    assert (await confirm(anna, other, verification_id)).status_code == 404


async def test_confirmations_are_limited_and_recorded(anna, bartek, checked, logins, context):
    driver_id, verification_id = checked
    context.max_tries["confirmation"] = 1

    assert (await confirm(anna, driver_id, verification_id)).status_code == 200
    refused = await confirm(bartek, driver_id, verification_id)

    assert refused.status_code == 429
    assert refused.headers["Retry-After"]
    [event] = await fetch_rows(
        logins, "SELECT details FROM user_activity WHERE activity_type = 'export_made'"
    )
    assert driver_id in str(event["details"])
    assert "confirmation" in str(event["details"])
