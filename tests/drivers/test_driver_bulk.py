"""Removing and exporting many drivers, as Anna, her colleague and another company."""

import csv
import io
import uuid
from datetime import timedelta

import msgspec
import pytest

from prawko.drivers.list_export import groups_of
from prawko.drivers.schemas import DriverSummaryOut
from prawko.kit.clock import utc_now, warsaw_date
from prawko_testing.fakes import licence_answer, withheld_licence
from support.database import count_rows, fetch_rows, insert_subscription
from support.pdf import printed_text
from support.people import deliver_outbox
from support.workbooks import read_cells

pytestmark = pytest.mark.anyio

REMOVE = "/api/drivers/remove"
EXPORT = "/api/drivers/export"
NEEDED = "/api/drivers/needed-categories"
CONFIRMATION = "/api/company/confirmation"


def csv_rows(answer) -> list[list[str]]:
    assert answer.status_code == 200, answer.text
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";"))[1:]


async def test_chosen_drivers_are_removed_at_once(anna, bartek, logins) -> None:
    ids = [await anna.add_driver(f"AB00000{number}") for number in range(3)]

    answer = await bartek.post(REMOVE, {"ids": [*ids[:2], str(uuid.uuid4()), ids[0]]})

    assert (answer.status_code, answer.json()) == (200, {"removed": 2})
    assert [driver["id"] for driver in await anna.list_drivers()] == ids[2:]
    events = await fetch_rows(
        logins, "SELECT details FROM user_activity WHERE activity_type = 'driver_removed'"
    )
    assert len(events) == 2


async def test_no_driver_of_another_company_is_removed(anna, celina, logins) -> None:
    driver_id = await anna.add_driver("AB000001")

    answer = await celina.post(REMOVE, {"ids": [driver_id]})

    assert answer.json() == {"removed": 0}
    assert await count_rows(logins, "driver") == 1


@pytest.mark.parametrize("ids", [[], ["1"], [None], "all", [str(uuid.uuid4())] * 501])
async def test_a_removal_of_another_shape_is_rejected(anna, ids) -> None:
    assert (await anna.post(REMOVE, {"ids": ids})).status_code == 400


async def test_the_list_is_exported_in_both_formats(anna, celina) -> None:
    await anna.add_driver("AB000001", "Żaneta", "O\u2019Neil")
    await anna.add_driver("AB000002", "Jan", "Łoś")

    text = await anna.get(f"{EXPORT}?format=csv")
    book = await anna.get(EXPORT)

    assert csv_rows(text) == [
        ["Jan", "Łoś", "AB000002", "", "sprawdź", "czeka na sprawdzenie", *[""] * 8],
        ["Żaneta", "O'Neil", "AB000001", "", "sprawdź", "czeka na sprawdzenie", *[""] * 8],
    ]
    assert text.headers["content-disposition"].endswith('.csv"')
    assert text.headers["content-type"] == "text/csv; charset=utf-8"
    assert [row[2] for row in read_cells(book.content)[1:]] == ["AB000002", "AB000001"]
    assert csv_rows(await celina.get(f"{EXPORT}?format=csv")) == []


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("?format=csv&q=oneil", ["AB000001"]),
        ("?format=csv&q=O'Neil%20zaneta", ["AB000001"]),
        ("?format=csv&q=los&status=waiting", ["AB000002"]),
        ("?format=csv&status=withheld", []),
        ("?format=csv&status=check", ["AB000002", "AB000001"]),
        ("?format=csv&status=yes", []),
        ("?format=csv&status=attention", []),
        ("?format=csv&status=expiring90", []),
    ],
)
async def test_the_filter_of_the_list_is_kept(anna, query, numbers) -> None:
    await anna.add_driver("AB000001", "Żaneta", "O\u2019Neil")
    await anna.add_driver("AB000002", "Jan", "Łoś")

    rows = csv_rows(await anna.get(EXPORT + query))

    assert [row[2] for row in rows] == numbers


@pytest.mark.parametrize(
    ("days_left", "groups"),
    [
        (-1, set()),
        (0, {"expiring7", "expiring", "expiring90"}),
        (7, {"expiring7", "expiring", "expiring90"}),
        (8, {"expiring", "expiring90"}),
        (30, {"expiring", "expiring90"}),
        (31, {"expiring90"}),
        (90, {"expiring90"}),
        (91, set()),
    ],
)
async def test_what_expires_is_grouped_as_the_list_does(
    anna, register, clock, days_left, groups
) -> None:
    today = warsaw_date(clock.now())
    last_day = today + timedelta(days=days_left)
    register.answers["AB000001"] = licence_answer("AB000001", expires=last_day)
    driver_id = await anna.add_driver("AB000001")
    assert (await anna.post(f"/api/drivers/{driver_id}/verify")).status_code == 200

    listed = msgspec.json.decode(
        (await anna.get("/api/drivers?verifications=1&view=summary")).content,
        type=list[DriverSummaryOut],
    )

    assert {one for one in groups_of(listed[0], today) if one.startswith("expiring")} == groups


@pytest.mark.parametrize("query", ["?format=pdf", "?status=everybody", "?q=" + "x" * 201])
async def test_unknown_parameters_are_rejected(anna, query) -> None:
    assert (await anna.get(EXPORT + query)).status_code == 400


@pytest.mark.parametrize("character", ["\x0b", "\x1b", "\ufffe", "\x7f"])
async def test_no_character_of_a_register_spoils_the_exported_file(
    character, anna, register, run_daily_check
) -> None:
    register.answers["AA123456"] = licence_answer("AA123456", f"Wydany{character}</t>")
    await anna.add_driver("AA123456")
    await run_daily_check()

    answer = await anna.get(EXPORT)

    [_, row] = read_cells(answer.content)
    assert row[2] == "AA123456"
    assert row[6].startswith("Wydany")
    assert row[6].endswith("</t>")


async def test_an_export_is_recorded_and_rate_limited(anna, bartek, celina, logins) -> None:
    for _ in range(60):
        await anna.get(f"{EXPORT}?format=csv")

    assert (await bartek.get(EXPORT)).status_code == 429
    assert (await celina.get(EXPORT)).status_code == 200
    events = await fetch_rows(
        logins, "SELECT details FROM user_activity WHERE activity_type = 'export_made'"
    )
    assert len(events) == 61


async def test_without_a_plan_drivers_are_removed_and_exported(anna, worker) -> None:
    driver_id = await anna.add_driver("AB000001")
    await insert_subscription(anna, worker, status="expired")

    assert len(csv_rows(await anna.get(f"{EXPORT}?format=csv"))) == 1
    assert (await anna.post(REMOVE, {"ids": [driver_id]})).json() == {"removed": 1}


async def needed_of(person) -> list[list[str]]:
    return [driver["neededCategories"] for driver in await person.list_drivers()]


async def test_chosen_drivers_get_other_needed_categories(anna, bartek, celina, logins) -> None:
    ids = [await anna.add_driver(f"AB00000{number}", last="ABC"[number]) for number in range(3)]
    of_rival = await celina.add_driver("AB000001")
    body = {"driverIds": [*ids[:2], of_rival, str(uuid.uuid4())], "neededCategories": ["C+E", "C"]}

    answers = [await bartek.put(NEEDED, body) for _ in range(2)]

    assert [(one.status_code, one.json()) for one in answers] == [
        (200, {"changed": 2}), (200, {"changed": 0}),
    ]  # fmt: skip
    assert await needed_of(anna) == [["C", "C+E"], ["C", "C+E"], []]
    assert await needed_of(celina) == [[]]
    assert (await anna.put(NEEDED, body | {"neededCategories": ["D"]})).json() == {"changed": 2}
    assert await needed_of(anna) == [["D"], ["D"], []]
    events = await fetch_rows(
        logins, "SELECT details FROM user_activity WHERE activity_type = 'driver_changed'"
    )
    assert len(events) == 4


async def test_what_chosen_drivers_lack_is_one_message_and_of_one_driver_its_own(
    anna, worker, clock, mailbox, run_daily_check
) -> None:
    ids = [await anna.add_driver(f"AB00000{number}") for number in range(3)]
    await run_daily_check()

    for chosen, subject in (
        (ids, "Nie może jechać: 3. Brak ważnej kategorii, kierowcy: 3"),
        (ids[:1], "Nie może jechać. Brak ważnej kategorii: Jan Kowalski"),
    ):
        mailbox.sent.clear()
        category = "D" if chosen is ids else "T"
        await anna.put(NEEDED, {"driverIds": chosen, "neededCategories": [category]})
        clock.forward(minutes=1)
        await deliver_outbox(worker)
        assert [one.message.subject for one in mailbox.sent] == [subject]
    assert {driver["mayDrive"] for driver in await anna.list_drivers()} == {"no"}


@pytest.mark.parametrize(
    ("path", "verb", "rest"),
    [
        (NEEDED, "PUT", {"neededCategories": ["C"]}),
        (EXPORT, "POST", {}),
        (CONFIRMATION, "POST", {}),
    ],
)
@pytest.mark.parametrize("ids", [[], ["1"], "all", [str(uuid.uuid4())] * 501])
async def test_a_choice_of_another_shape_is_rejected(anna, path, verb, rest, ids) -> None:
    answer = await anna.browser.request(verb, path, json={"driverIds": ids, **rest})
    assert answer.status_code in {400, 422}


async def test_an_unknown_category_changes_no_driver(anna) -> None:
    body = {"driverIds": [await anna.add_driver("AB000001")], "neededCategories": ["X"]}

    assert (await anna.put(NEEDED, body)).json()["fields"].keys() == {"neededCategories"}
    assert await needed_of(anna) == [[]]


async def test_chosen_drivers_are_exported_alone(anna, celina) -> None:
    ids = [await anna.add_driver(f"AB00000{number}") for number in range(3)]
    body = {"driverIds": [*ids[1:], str(uuid.uuid4())], "format": "csv"}

    rows = csv_rows(await anna.post(EXPORT, body))
    book = await anna.post(EXPORT, {"driverIds": ids[:1]})

    assert {row[2] for row in rows} == {"AB000001", "AB000002"}
    assert [row[2] for row in read_cells(book.content)[1:]] == ["AB000000"]
    assert csv_rows(await celina.post(EXPORT, body)) == []


async def test_one_confirmation_has_the_chosen_drivers_alone(anna, celina) -> None:
    ids = [await anna.add_driver(f"AB00000{number}") for number in range(3)]
    body = {"driverIds": [*ids[:2], str(uuid.uuid4())]}

    text = printed_text((await anna.post(CONFIRMATION, body)).content)
    english = printed_text((await anna.post(CONFIRMATION, body | {"lang": "en"})).content)
    of_rival = printed_text((await celina.post(CONFIRMATION, body)).content)

    assert [number in text for number in ("AB000000", "AB000001", "AB000002")] == [
        True,
        True,
        False,
    ]
    assert "Wybrani kierowcy firmy" in text
    assert "Chosen drivers of the company" in english
    assert "AB00000" not in of_rival
    assert "Wybranych kierowców nie ma na liście." in of_rival
    tomorrow = {"day": f"{warsaw_date(utc_now()) + timedelta(days=1)}"}
    assert (await anna.post(CONFIRMATION, body | tomorrow)).status_code == 400


async def test_the_files_have_the_registers_reasons_and_who_acted_when(
    anna, register, run_daily_check
) -> None:
    register.answers["AB000001"] = withheld_licence("AB000001")
    driver_id = await anna.add_driver("AB000001")
    await run_daily_check()
    [driver] = await anna.list_drivers()
    entry = {"since": driver["episode"]["since"], "note": "=Kluczyki zdane"}
    assert (await anna.post(f"/api/drivers/{driver_id}/acknowledgements", entry)).status_code == 200

    [row] = csv_rows(await anna.get(f"{EXPORT}?format=csv"))

    [reason] = driver["episode"]["reasons"]
    reasons, acted_at, acted_by, note = row[10:]
    assert (reasons, acted_by, note) == (reason["wartosc"], "anna@acme.test", "'=Kluczyki zdane")
    assert acted_at.endswith("(czas polski)")
    text = printed_text((await anna.get(CONFIRMATION)).content)
    assert f"nie: zatrzymane ({reasons}), od" in text
    assert "anna@acme.test, =Kluczyki zdane" in text
