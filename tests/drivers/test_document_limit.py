"""How many documents a company has checked for the first time, whatever it does with drivers."""

import pytest

from prawko.limits import new_documents
from support.database import count_rows

pytestmark = pytest.mark.anyio

JAN = {"firstName": "Jan", "lastName": "Kowalski"}
IMPORT = "/api/drivers/import"


@pytest.fixture
def three_a_day(context) -> None:
    context.max_tries["driver_document"] = 3


def rows(*numbers: str) -> dict[str, object]:
    return {
        "text": "\n".join(f"Jan;Kowalski;{number}" for number in numbers),
        "rows": [*range(1, len(numbers) + 1)],
    }


async def test_adding_and_removing_drivers_in_turns_is_limited(
    anna, bartek, celina, three_a_day, logins, enqueued_jobs
) -> None:
    for _ in range(3):
        driver = await anna.add_driver("AA123456")
        assert (await anna.delete(f"/api/drivers/{driver}")).status_code == 200
    enqueued_jobs.clear()

    for person in (anna, bartek):
        answer = await person.post("/api/drivers", {**JAN, "licenseNumber": "AA123456"})
        assert (answer.status_code, answer.json()["error"]) == (429, "too_many_requests")
        assert int(answer.headers["retry-after"]) > 0

    assert await count_rows(logins, "driver") == 0
    assert enqueued_jobs == []
    await celina.add_driver("AA123456")


async def test_changing_a_number_again_and_again_is_limited(anna, three_a_day) -> None:
    path = f"/api/drivers/{await anna.add_driver('AA000000')}"
    numbers = [f"AA{number:06}" for number in range(1, 4)]

    changes = [(await anna.put(path, {"licenseNumber": number})).status_code for number in numbers]

    assert changes == [200, 200, 429]
    assert (await anna.get(path)).json()["licenseNumber"] == "AA000002"
    # What asks the register nothing is not limited.
    assert (await anna.put(path, {"neededCategories": ["C"]})).status_code == 200


async def test_an_import_counts_its_rows(anna, three_a_day, logins) -> None:
    assert (await anna.post(IMPORT, rows("AA000001", "AA000002"))).status_code == 201
    ids = [driver["id"] for driver in await anna.list_drivers()]
    assert (await anna.post("/api/drivers/remove", {"ids": ids})).status_code == 200

    assert (await anna.post(IMPORT, rows("AA000001", "AA000002"))).status_code == 429
    assert await count_rows(logins, "driver") == 0
    # A refused import uses nothing up.
    assert (await anna.post(IMPORT, rows("AA000001"))).status_code == 201
    assert (await anna.post(IMPORT, rows("AA000002"))).status_code == 429


async def test_an_import_over_the_plan_is_refused_as_that(anna, logins) -> None:
    numbers = [f"AA{number:06}" for number in range(500)]

    answer = await anna.post(IMPORT, rows(*numbers))

    assert (answer.status_code, answer.json()["error"]) == (403, "driver_limit_exceeded")
    assert await count_rows(logins, "driver") == 0


def test_a_plan_can_be_filled_three_times_a_day() -> None:
    assert [new_documents(limit).max_tries for limit in (10, 10_000)] == [230, 30_200]
