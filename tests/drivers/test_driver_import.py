"""Imports over HTTP, as Anna, her colleague and another company."""

import asyncio
import threading
import time
from base64 import b64encode

import pytest

from prawko.drivers import import_service
from prawko.drivers.repository import DriverRepository
from prawko.drivers.xlsx_writer import write_xlsx
from prawko.limits import REFUSED_FILE_COST
from support.database import count_rows, fetch_rows, insert_subscription
from support.workbooks import xlsx

pytestmark = pytest.mark.anyio

HEADER = "Imię\tNazwisko\tNumer\tKategorie"
FIELD_FIVE = (
    "To wygląda na numer z pola 5. Wpisz numer blankietu z odwrotu: dwie litery i sześć cyfr"
)
PREVIEW = "/api/drivers/import/preview"
IMPORT = "/api/drivers/import"
UNREADABLE, INVALID = "unreadable_import", "invalid_import"
TAKEN = "license_number_exists"


def table(*rows: str) -> dict[str, str]:
    return {"text": "\n".join((HEADER, *rows))}


def fleet(count: int) -> dict[str, str]:
    return table(*(f"Jan\tNowak\tAB{number:06}" for number in range(count)))


async def test_a_preview_names_row_column_and_reason_and_writes_nothing(anna, logins) -> None:
    await anna.add_driver("AB000009")

    answer = await anna.post(
        PREVIEW,
        table(
            "Jan\tKowalski\tab 000-001\tC, CE",
            "\tNow4k\t00123/15/1465\tQ",
            "Ala\tKot\tAB000001",
            "Ala\tLis\tAB000009",
        ),
    )

    assert answer.status_code == 200
    preview = answer.json()
    assert (preview["ready"], preview["driverCount"], preview["driverLimit"]) == (1, 1, 5)
    assert preview["rows"][0] == {
        "row": 2,
        "state": "ready",
        "firstName": "Jan",
        "lastName": "Kowalski",
        "licenseNumber": "AB000001",
        "neededCategories": "C C+E",
        "cells": [],
        "problems": [],
    }
    assert preview["rows"][2]["cells"] == ["Ala", "Kot", "AB000001"]
    assert [row["state"] for row in preview["rows"]] == ["ready", "invalid", "repeated", "existing"]
    assert [
        (row["row"], one["field"], one["column"], one["message"])
        for row in preview["rows"]
        for one in row["problems"]
    ] == [
        (3, "firstName", 1, "Imię jest wymagane"),
        (3, "lastName", 2, "Nazwisko zawiera niedozwolone znaki"),
        (3, "licenseNumber", 3, FIELD_FIVE),
        (3, "neededCategories", 4, "Nie ma takiej kategorii prawa jazdy"),
        (4, "licenseNumber", 3, "Ten sam numer ma wiersz 2"),
        (5, "licenseNumber", 3, "Kierowca z tym numerem już jest na liście"),
    ]
    assert await count_rows(logins, "driver") == 1


async def test_the_chosen_rows_are_added_to_the_company_alone(anna, bartek, celina, logins) -> None:
    answer = await anna.post(IMPORT, {**fleet(4), "rows": [2, 4, 5]})

    assert answer.status_code == 201
    assert answer.json() == {"added": 3, "driverCount": 3}
    numbers = [driver["licenseNumber"] for driver in await bartek.list_drivers()]
    assert numbers == ["AB000000", "AB000002", "AB000003"]
    assert await celina.list_drivers() == []
    events = await fetch_rows(
        logins, "SELECT details FROM user_activity WHERE activity_type = 'drivers_imported'"
    )
    assert [event["details"] for event in events] == ['{"drivers": 3}']


async def test_a_file_is_imported_with_categories_like_a_single_driver(anna) -> None:
    rows = [
        ("First name", "Last name", "Licence number", "Category"),
        ("A B", "C", "ab000001", "CE"),
    ]
    content = b64encode(write_xlsx(rows)).decode()

    answer = await anna.post(IMPORT, {"contentBase64": content, "rows": [2]})

    assert answer.status_code == 201
    [driver] = await anna.list_drivers()
    assert (driver["licenseNumber"], driver["neededCategories"]) == ("AB000001", ["C+E"])
    assert (driver["status"], driver["overLimit"]) == ("unknown", False)


HR = {"text": "Nowak Jan\tAB000001\tGdynia\nLis Ala Maria\tAB000002\tSopot"}
CHOSEN = {**HR, "columns": ["firstNameFirst", "licenseNumber", None]}


async def test_columns_are_shown_and_the_import_reads_by_those_that_a_person_chose(anna) -> None:
    guessed = (await anna.post(PREVIEW, HR)).json()
    chosen = (await anna.post(PREVIEW, CHOSEN)).json()

    assert guessed["columns"] == [
        {"heading": "", "sample": sample, "field": field, "isGuess": field is not None}
        for sample, field in (
            ("Nowak Jan", "lastNameFirst"), ("AB000001", "licenseNumber"), ("Gdynia", None)
        )
    ]  # fmt: skip
    assert [row["state"] for row in guessed["rows"]] == ["doubtful", "doubtful"]
    assert (guessed["ready"], chosen["ready"]) == (0, 1)
    assert guessed["rows"][0]["problems"] == [
        {"field": "lastName", "column": 1, "message": "Sprawdź, co jest imieniem, a co nazwiskiem"}
    ]
    assert not any(column["isGuess"] for column in chosen["columns"])
    # Choosing a doubtful row confirms it.
    assert (await anna.post(IMPORT, {**CHOSEN, "rows": [1, 2]})).json()["added"] == 2
    names = [(one["firstName"], one["lastName"]) for one in await anna.list_drivers()]
    assert sorted(names) == [("Lis Ala", "Maria"), ("Nowak", "Jan")]


@pytest.mark.parametrize(
    "columns",
    [
        ["lastNameFirst", "licenseNumber"],
        ["lastNameFirst", "licenseNumber", None, None],
        ["licenseNumber", "licenseNumber", None],
        ["lastNameFirst", "licenseNumber", "firstNameFirst"],
        ["lastNameFirst", "licenseNumber", "lastName"],
        ["last_name", "licenseNumber", None],
        [None] * 51,
        {"0": "lastName"},
    ],
)
async def test_columns_that_do_not_fit_the_table_are_refused(anna, logins, columns) -> None:
    for path, more in ((PREVIEW, {}), (IMPORT, {"rows": [1]})):
        answer = await anna.post(path, {**HR, "columns": columns, **more})
        assert (answer.status_code, answer.json()["error"]) == (422, INVALID)
    assert await count_rows(logins, "driver") == 0


def correction(row: int, field: str, text: str) -> dict[str, object]:
    return {"row": row, "field": field, "text": text}


async def test_corrected_cells_are_checked_again_and_added(anna, bartek) -> None:
    body = table("J4n\tNowak\tAB000001", "Ala\tKot\tAB000001", "Ola\tLis\tAB000009", "Razem 3")
    body["corrections"] = [
        correction(2, "firstName", " Jan "), correction(3, "licenseNumber", "ab 000 002"),
        correction(4, "neededCategories", "Q"),
    ]  # fmt: skip
    states = [row["state"] for row in (await anna.post(PREVIEW, body)).json()["rows"]]
    assert states == ["ready", "ready", "invalid", "skipped"]
    assert (await anna.post(IMPORT, {**body, "rows": [2, 5]})).json()["error"] == INVALID

    # Another tab adds the same driver meanwhile.
    await bartek.add_driver("AB000002")
    assert (await anna.post(IMPORT, {**body, "rows": [2, 3]})).json()["error"] == TAKEN
    states = [row["state"] for row in (await anna.post(PREVIEW, body)).json()["rows"]]
    assert states == ["ready", "existing", "invalid", "skipped"]
    assert (await anna.post(IMPORT, {**body, "rows": [2]})).json() == {"added": 1, "driverCount": 2}
    assert {one["firstName"] for one in await anna.list_drivers()} >= {"Jan"}


async def test_a_corrected_name_is_no_longer_doubtful(anna) -> None:
    body = {
        **HR,
        "corrections": [correction(1, "lastName", "Nowak"), correction(1, "firstName", "Jan")],
    }

    rows = (await anna.post(PREVIEW, body)).json()["rows"]

    assert [row["state"] for row in rows] == ["ready", "doubtful"]


@pytest.mark.parametrize(
    "corrections",
    [
        [correction(9, "lastName", "Nowak")],
        [correction(1, "lastName", "Nowak"), correction(1, "lastName", "Kot")],
        [correction(1, "lastNameFirst", "Nowak Jan")],
        [correction(1, "baza", "Gdynia")],
        [correction(1, "lastName", "x" * 201)],
        [correction(n, "lastName", "x") for n in range(1001)],
        [{"row": 1}],
    ],
)
async def test_corrections_that_do_not_fit_the_table_are_refused(anna, corrections) -> None:
    for path, more in ((PREVIEW, {}), (IMPORT, {"rows": [1]})):
        answer = await anna.post(path, {**HR, "corrections": corrections, **more})
        assert (answer.status_code, answer.json()["error"]) == (422, INVALID)


async def test_a_table_of_which_columns_are_not_chosen_has_no_row_to_add(anna) -> None:
    body = {**HR, "columns": [None, None, "neededCategories"]}

    preview = (await anna.post(PREVIEW, body)).json()

    assert [row["state"] for row in preview["rows"]] == ["invalid", "invalid"]
    assert (await anna.post(IMPORT, {**body, "rows": [1]})).json()["error"] == INVALID


async def test_two_thousand_rows_of_25_columns_are_read_by_chosen_columns(anna, celina) -> None:
    row = "\t".join(["Nowak Jan", "AB{:06}", *["x" * 20] * 23])
    body = {"text": "\n".join(row.format(number) for number in range(2000))}
    body["columns"] = ["lastNameFirst", "licenseNumber", *[None] * 23]

    started = time.process_time()
    preview = (await anna.post(PREVIEW, body)).json()

    assert time.process_time() - started < 3
    assert (preview["ready"], len(preview["columns"])) == (2000, 25)
    # The other company's preview of the same table knows nothing of this one's drivers.
    await anna.add_driver("AB000000")
    assert (await celina.post(PREVIEW, body)).json()["ready"] == 2000
    assert (await anna.post(PREVIEW, body)).json()["ready"] == 1999


async def test_the_same_number_in_another_company_is_no_hindrance(anna, celina) -> None:
    await celina.add_driver("AB000000")

    preview = await anna.post(PREVIEW, fleet(1))

    assert preview.json()["ready"] == 1
    assert (await anna.post(IMPORT, {**fleet(1), "rows": [2]})).status_code == 201


@pytest.mark.parametrize(
    ("body", "status", "key"),
    [
        ({"rows": [2]}, 422, UNREADABLE),
        ({**fleet(2), "rows": []}, 422, INVALID),
        ({**fleet(2), "rows": [1]}, 422, INVALID),
        ({**fleet(2), "rows": [2, 9]}, 422, INVALID),
        ({**fleet(2), "rows": ["2"]}, 422, INVALID),
        ({**table("J4n\tNowak\tAB000001", "Jan\tKot\tAB000002"), "rows": [2, 3]}, 422, INVALID),
        ({**table("A\tB\tAB000001", "C\tD\tAB000001"), "rows": [2, 3]}, 422, INVALID),
        ({**fleet(5), "rows": [2, 3, 4, 5, 6]}, 403, "driver_limit_exceeded"),
        ({**table("A\tB\tAB000001", "C\tD\tZZ999999"), "rows": [2, 3]}, 409, TAKEN),
        ({"contentBase64": "%%%", "rows": [2]}, 422, UNREADABLE),
        ({"contentBase64": b64encode(b"PK\x03\x04x").decode(), "rows": [2]}, 422, UNREADABLE),
        ({"text": "a;b;c\0", "rows": [1]}, 422, UNREADABLE),
    ],
)
async def test_a_refused_import_adds_nothing(anna, logins, body, status, key) -> None:
    await anna.add_driver("ZZ999999")

    answer = await anna.post(IMPORT, body)

    assert (answer.status_code, answer.json()["error"]) == (status, key)
    assert await count_rows(logins, "driver") == 1


async def test_an_unreadable_file_is_explained(anna) -> None:
    answer = await anna.post(PREVIEW, {"text": "Jan Kowalski"})

    assert answer.status_code == 422
    message = "Potrzebne są trzy kolumny: imię, nazwisko i numer prawa jazdy"
    assert answer.json() == {
        "error": "unreadable_import",
        "message": message,
        "fields": {"content": message},
    }


async def test_a_file_of_a_few_kilobytes_that_unpacks_to_millions_of_cells_is_refused(anna) -> None:
    body = {"contentBase64": b64encode(xlsx("<row>" + "<c><v>1</v></c>" * 3_000_000)).decode()}

    answer = await anna.post(PREVIEW, body)

    assert (answer.status_code, answer.json()["error"]) == (422, "unreadable_import")
    assert answer.json()["message"].startswith("Nie udało się odczytać tego pliku")


async def test_a_refused_file_costs_as_much_as_many_previews(anna, celina, context) -> None:
    context.max_tries["driver_import_preview"] = 1 + REFUSED_FILE_COST + 1
    bodies = [{"contentBase64": b64encode(b"PK\x03\x04").decode()}, fleet(1), fleet(1)]

    statuses = [(await anna.post(PREVIEW, body)).status_code for body in bodies]

    assert statuses == [422, 200, 429]
    assert (await celina.post(PREVIEW, fleet(1))).status_code == 200


async def test_imports_and_adds_at_once_stay_within_the_limit(anna, bartek, logins) -> None:
    await asyncio.gather(*(anna.get("/api/subscription") for _ in range(9)))
    adds = [bartek.post("/api/drivers", {
        "firstName": "Ala", "lastName": "Kot", "licenseNumber": f"ZZ{number:06}",
    }) for number in range(6)]  # fmt: skip
    imports = [
        anna.post(IMPORT, {**table(f"A\tB\tXA00000{n}", f"C\tD\tXB00000{n}"), "rows": [2, 3]})
        for n in range(6)
    ]

    answers = await asyncio.gather(*adds, *imports)

    assert {answer.status_code for answer in answers} == {201, 403}
    added = sum(answer.status_code == 201 for answer in answers[:6])
    added += 2 * sum(answer.status_code == 201 for answer in answers[6:])
    assert added == await count_rows(logins, "driver") <= 5


async def test_imports_at_once_do_not_exceed_the_limit_together(anna, bartek, logins) -> None:
    await asyncio.gather(*(anna.get("/api/subscription") for _ in range(20)))
    rows = [f"Jan\tNowak\tA{letter}00000{n}" for letter in "ABCDEFGHIJKLMNOP" for n in range(4)]

    answers = await asyncio.gather(
        *(
            (anna, bartek)[n % 2].post(IMPORT, {**table(*rows), "rows": [*range(k, k + 4)]})
            for n, k in enumerate(range(2, 66, 4))
        )
    )

    assert sorted(answer.status_code for answer in answers) == [201] + [403] * 15
    assert await count_rows(logins, "driver") == 4


async def test_visitors_and_companies_without_a_plan_import_nothing(
    anna, new_browser, worker, logins
) -> None:
    visitor = new_browser()
    assert (await visitor.post(PREVIEW, json=fleet(1))).status_code == 401
    assert (await visitor.post(IMPORT, json={**fleet(1), "rows": [2]})).status_code == 401
    await insert_subscription(anna, worker, status="expired")
    for path, body in ((PREVIEW, fleet(1)), (IMPORT, {**fleet(1), "rows": [2]})):
        answer = await anna.post(path, body)
        assert (answer.status_code, answer.json()["error"]) == (403, "subscription_required")
    assert await count_rows(logins, "driver") == 0


async def test_no_table_of_a_company_without_a_plan_is_read(anna, worker, monkeypatch) -> None:
    await insert_subscription(anna, worker, status="expired")
    monkeypatch.setattr(import_service, "read_text", None)

    for path, body in ((PREVIEW, fleet(1)), (IMPORT, {**fleet(1), "rows": [2]})):
        assert (await anna.post(path, body)).status_code == 403


async def test_an_import_beyond_the_limit_writes_no_row_first(anna, monkeypatch) -> None:
    monkeypatch.setattr(DriverRepository, "insert_many", None)

    answer = await anna.post(IMPORT, {**fleet(6), "rows": [*range(2, 8)]})

    assert (answer.status_code, answer.json()["error"]) == (403, "driver_limit_exceeded")


async def test_tables_of_one_company_wait_for_each_other_and_delay_no_other(
    anna, bartek, celina, monkeypatch
) -> None:
    end, reading = threading.Event(), []
    read_text = import_service.read_text

    def read_slowly(text: str):
        if "Powoli" in text:
            reading.append(text)
            end.wait(30)
        return read_text(text)

    monkeypatch.setattr(import_service, "read_text", read_slowly)
    slow = table("Powoli\tNowak\tAB000001")
    waiting = [asyncio.create_task((anna, bartek)[n % 2].post(PREVIEW, slow)) for n in range(4)]
    await asyncio.sleep(0.5)
    try:
        async with asyncio.timeout(10):
            answer = await celina.post(PREVIEW, fleet(1))
        assert (answer.status_code, len(reading)) == (200, 1)
    finally:
        end.set()

    assert {one.status_code for one in await asyncio.gather(*waiting)} == {200}


async def test_imports_are_rate_limited_by_company(anna, bartek, celina) -> None:
    for _ in range(60):
        await anna.post(IMPORT, {"text": "", "rows": []})

    assert (await bartek.post(IMPORT, {**fleet(1), "rows": [2]})).status_code == 429
    assert (await celina.post(IMPORT, {**fleet(1), "rows": [2]})).status_code == 201


async def test_five_thousand_rows_are_previewed_and_added_in_time(anna, worker, logins) -> None:
    await insert_subscription(anna, worker, driver_limit=5000)
    lines = [f"Jan Żaneta\tNowak-Łoś\tAB{number:06}\tC" for number in range(5000)]
    for number in range(40):
        lines[number * 50] = f"J4n\tNowak\tAC{number:06}"

    started = time.process_time()
    preview = (await anna.post(PREVIEW, table(*lines))).json()
    assert time.process_time() - started < 3
    assert preview["ready"] == 4960
    assert sum(len(row["problems"]) for row in preview["rows"]) == 40

    rows = [row["row"] for row in preview["rows"] if row["state"] == "ready"]
    answer = await anna.post(IMPORT, {**table(*lines), "rows": rows})
    assert answer.json() == {"added": 4960, "driverCount": 4960}
    assert await count_rows(logins, "driver") == 4960


async def test_the_template_is_a_workbook(anna) -> None:
    answer = await anna.get("/api/drivers/import/template")

    assert answer.status_code == 200
    assert answer.content.startswith(b"PK")
    assert 'filename="prawko-kierowcy.xlsx"' in answer.headers["content-disposition"]
