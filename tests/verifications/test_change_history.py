"""A driver's history in short: changes, checked days, and the verifications between two times."""

from datetime import datetime, timedelta
from uuid import uuid4

import asyncpg
import pytest

from support.database import insert_verification
from support.statements import record_statements

pytestmark = pytest.mark.anyio

NOON = datetime.fromisoformat("2026-11-21T12:00:00+01:00")


async def insert_days(anna, context, driver_id: str, outcomes: str) -> list[str]:
    """One verification a day, the last today: v valid, i invalid, - none; their ids."""
    ids = []
    for ago, letter in enumerate(reversed(outcomes)):
        if letter == "-":
            continue
        outcome, status = {"v": ("valid", "Wydany"), "i": ("invalid", "Zatrzymany")}[letter]
        ids.append(
            str(
                await insert_verification(
                    anna, context, driver_id, outcome=outcome, document_status=status,
                    verified_at=NOON - timedelta(days=ago),
                )
            )
        )  # fmt: skip
    return ids


async def list_changes(person, driver_id: str, query: str = "") -> list[dict]:
    answer = await person.get(f"/api/drivers/{driver_id}/changes{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_equal_verifications_one_after_another_are_one_change(anna, context) -> None:
    driver_id = await anna.add_driver("AA123456")
    ids = await insert_days(anna, context, driver_id, "vvv-vviiv")

    changes = await list_changes(anna, driver_id)

    assert [(one["documentStatus"], one["checks"]) for one in changes] == [
        ("Wydany", 1), ("Zatrzymany", 2), ("Wydany", 5),
    ]  # fmt: skip
    assert [one["id"] for one in changes] == [ids[0], ids[1], ids[3]]
    newest, withheld, oldest = changes
    assert newest["firstVerifiedAt"] == newest["verifiedAt"]
    assert datetime.fromisoformat(withheld["firstVerifiedAt"]) == NOON - timedelta(days=2)
    assert datetime.fromisoformat(oldest["verifiedAt"]) == NOON - timedelta(days=3)
    assert datetime.fromisoformat(oldest["firstVerifiedAt"]) == NOON - timedelta(days=8)
    assert withheld["status"] == "invalid"
    assert {"reasons", "categories", "lastVerificationHash"} <= withheld.keys()


async def test_an_answer_that_differs_only_in_unread_fields_is_no_change(
    anna, context, logins
) -> None:
    driver_id = await anna.add_driver("AA123456")
    await insert_days(anna, context, driver_id, "vi")
    connection = await asyncpg.connect(logins.owner)
    try:
        tenant_id = str(await anna.tenant_id(context))
        await connection.execute("SELECT set_config('app.tenant_id', $1, false)", tenant_id)
        await connection.execute("UPDATE register_answer SET document_status = 'Wydany'")
        await connection.execute("UPDATE verification SET outcome = 'valid'")
    finally:
        await connection.close()

    [change] = await list_changes(anna, driver_id)
    assert change["checks"] == 2


async def test_changes_are_paged(anna, context) -> None:
    driver_id = await anna.add_driver("AA123456")
    await insert_days(anna, context, driver_id, "vivivi")

    answer = await anna.get(f"/api/drivers/{driver_id}/changes?page=2&pageSize=4")
    behind = await anna.get(f"/api/drivers/{driver_id}/changes?page=9&pageSize=4")

    assert len(answer.json()) == 2
    assert answer.headers["Content-Range"] == "changes 4-5/6"
    assert behind.json() == []
    assert behind.headers["Content-Range"] == "changes */6"


async def test_a_driver_who_was_never_checked_has_no_changes_and_no_days(anna) -> None:
    driver_id = await anna.add_driver("AA123456")

    assert await list_changes(anna, driver_id) == []
    assert (await anna.get(f"/api/drivers/{driver_id}/days")).json() == []


async def test_a_day_is_one_row_by_the_warsaw_clock(anna, context, clock) -> None:
    clock.set(NOON)
    driver_id = await anna.add_driver("AA123456")
    for at, outcome in (
        ("2026-11-20T23:30:00+00:00", "invalid"),  # 21 November in Warsaw
        ("2026-11-21T10:00:00+00:00", "valid"),
        ("2026-11-20T22:30:00+00:00", "valid"),
        ("2025-11-21T23:30:00+00:00", "valid"),  # 22 November 2025: the first of 365 days
        ("2025-11-21T22:30:00+00:00", "valid"),  # the day before them
    ):
        await insert_verification(
            anna, context, driver_id, outcome=outcome, verified_at=datetime.fromisoformat(at)
        )

    days = (await anna.get(f"/api/drivers/{driver_id}/days")).json()

    assert days == [
        {"day": "2025-11-22", "status": "valid", "checks": 1},
        {"day": "2026-11-20", "status": "valid", "checks": 1},
        {"day": "2026-11-21", "status": "valid", "checks": 2},
    ]


async def test_verifications_between_two_times(anna, context) -> None:
    driver_id = await anna.add_driver("AA123456")
    ids = await insert_days(anna, context, driver_id, "vvvvv")
    path = f"/api/drivers/{driver_id}/verifications"

    span = {
        "since": (NOON - timedelta(days=3)).isoformat(),
        "until": (NOON - timedelta(days=1)).isoformat(),
    }
    answer = await anna.get(path, params=span)

    assert [one["id"] for one in answer.json()] == ids[1:4]
    assert answer.headers["Content-Range"] == "verifications 0-2/3"
    for bad in ("yesterday", "2026-11-21T12:00:00", "0001-01-01T00:00:00Z", "9999-12-31T23:00:00Z"):
        assert (await anna.get(path, params={"since": bad})).status_code == 400, bad


PATHS = ("", "/changes", "/days", "/notices", "/verifications")


@pytest.mark.parametrize("path", PATHS)
async def test_a_colleague_reads_it_and_a_rival_sees_what_an_unknown_id_shows(
    anna, bartek, celina, context, path
) -> None:
    driver_id = await anna.add_driver("AA123456")
    await insert_days(anna, context, driver_id, "vi")

    assert (await bartek.get(f"/api/drivers/{driver_id}{path}")).status_code == 200
    foreign = await celina.get(f"/api/drivers/{driver_id}{path}")
    unknown = await celina.get(f"/api/drivers/{uuid4()}{path}")
    assert foreign.status_code == unknown.status_code == 404
    assert foreign.content == unknown.content
    assert (await celina.get(f"/api/drivers/no-uuid{path}")).status_code == 404


@pytest.mark.parametrize("path", ["/changes", "/notices"])
@pytest.mark.parametrize("query", ["page=0", "pageSize=101", "page=x", "pageSize=-1"])
async def test_pages_have_bounds(anna, path, query) -> None:
    driver_id = await anna.add_driver("AA123456")
    assert (await anna.get(f"/api/drivers/{driver_id}{path}?{query}")).status_code == 400


async def test_the_number_of_statements_does_not_depend_on_the_history(anna, context) -> None:
    driver_id = await anna.add_driver("AA123456")
    await insert_days(anna, context, driver_id, "v" * 40 + "iv")

    for path in ("/changes", "/days"):
        with record_statements() as statements:
            await anna.get(f"/api/drivers/{driver_id}{path}")
        assert len(statements) <= 6, statements


async def test_one_driver_is_read_with_the_newest_verification(anna, context) -> None:
    driver_id = await anna.add_driver("AA123456", first="Anna", last="Żyła")
    await anna.add_driver("AA123457")
    ids = await insert_days(anna, context, driver_id, "iv")

    driver = (await anna.get(f"/api/drivers/{driver_id}")).json()

    assert (driver["id"], driver["firstName"], driver["lastName"]) == (driver_id, "Anna", "Żyła")
    assert len(driver["verifications"]) == 1
    assert driver["verifications"][0]["id"] in ids
    [listed] = [
        one for one in await anna.list_drivers("?verifications=1") if one["id"] == driver_id
    ]
    assert driver == listed
