"""Concurrent requests: the limit, unique licence numbers and edits."""

import asyncio
from collections import Counter

import pytest

from support.database import count_rows, fetch_rows, insert_subscription

pytestmark = pytest.mark.anyio


def driver_body(number: int) -> dict[str, str]:
    return {"firstName": "Jan", "lastName": "Nowak", "licenseNumber": f"AA{number:06d}"}


@pytest.fixture(autouse=True)
async def warm_connections(anna) -> None:
    """Open the connections first, or the first request would be done before the second starts."""
    await asyncio.gather(*(anna.get("/api/subscription") for _ in range(20)))


async def test_twenty_parallel_adds_below_the_limit_create_exactly_one(
    anna, bartek, logins
) -> None:
    for number in range(4):
        await anna.add_driver(f"BB00000{number}")

    answers = await asyncio.gather(
        *((anna, bartek)[n % 2].post("/api/drivers", driver_body(n)) for n in range(20))
    )

    assert Counter(answer.status_code for answer in answers) == {201: 1, 403: 19}
    assert {answer.json()["error"] for answer in answers if answer.status_code == 403} == {
        "driver_limit_exceeded"
    }
    assert await count_rows(logins, "driver") == 5


async def test_twenty_parallel_adds_of_one_number_create_exactly_one(anna, worker, logins) -> None:
    await insert_subscription(anna, worker, driver_limit=50)

    answers = await asyncio.gather(*(anna.post("/api/drivers", driver_body(1)) for _ in range(20)))

    assert Counter(answer.status_code for answer in answers) == {201: 1, 409: 19}
    assert await count_rows(logins, "driver") == 1


async def test_two_companies_have_independent_limits(anna, celina, logins) -> None:
    answers = await asyncio.gather(
        *((anna, celina)[n % 2].post("/api/drivers", driver_body(n // 2)) for n in range(20))
    )

    assert Counter(answer.status_code for answer in answers) == {201: 10, 403: 10}
    assert await count_rows(logins, "driver") == 10


async def test_parallel_edits_leave_one_state_and_count_each_change(anna, logins) -> None:
    driver_id = await anna.add_driver("AA123456")

    answers = await asyncio.gather(
        *(
            anna.put(f"/api/drivers/{driver_id}", {"firstName": "Ja" + "n" * n})
            for n in range(2, 12)  # none is the name of before
        )
    )

    assert {answer.status_code for answer in answers} == {200}
    (stored,) = await fetch_rows(
        logins, "SELECT first_name, document_version, sort_key FROM driver"
    )
    assert stored["document_version"] == 11
    assert stored["sort_key"].endswith(stored["first_name"])


async def test_parallel_edits_to_one_number_give_it_to_one_driver(anna) -> None:
    ids = [await anna.add_driver(f"AA00000{n}") for n in range(5)]

    answers = await asyncio.gather(
        *(anna.put(f"/api/drivers/{driver_id}", {"licenseNumber": "ZZ999999"}) for driver_id in ids)
    )

    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 4}


async def test_a_driver_is_removed_once(anna) -> None:
    driver_id = await anna.add_driver("AA123456")

    answers = await asyncio.gather(*(anna.delete(f"/api/drivers/{driver_id}") for _ in range(5)))

    assert Counter(answer.status_code for answer in answers) == {200: 1, 404: 4}
