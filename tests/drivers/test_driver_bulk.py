"""Removing and exporting many drivers, as Anna, her colleague and another company."""

import csv
import io
import uuid
from datetime import timedelta

import msgspec
import pytest

from prawko.drivers.list_export import groups_of
from prawko.drivers.schemas import DriverSummaryOut
from prawko.kit.clock import warsaw_date
from prawko_testing.fakes import licence_answer
from support.database import count_rows, fetch_rows, insert_subscription
from support.workbooks import read_cells

pytestmark = pytest.mark.anyio

REMOVE = "/api/drivers/remove"
EXPORT = "/api/drivers/export"


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
        ["Jan", "Łoś", "AB000002", "", "sprawdź", "czeka na sprawdzenie", "", "", "", ""],
        ["Żaneta", "O'Neil", "AB000001", "", "sprawdź", "czeka na sprawdzenie", "", "", "", ""],
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
