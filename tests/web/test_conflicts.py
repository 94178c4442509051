"""Of two transactions in each other's way one is undone: a 503, and the request may be repeated."""

import asyncio
import logging

import pytest

from support.fleet import open_fleet
from support.waiting import wait_until

pytestmark = pytest.mark.anyio

DRIVER = {"firstName": "Jan", "lastName": "Kowalski", "licenseNumber": "AB123456"}
REFUSE = """
CREATE FUNCTION refuse_for_conflict() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'in the way' USING ERRCODE = '{code}';
END $$;
CREATE TRIGGER conflict BEFORE INSERT ON driver
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_for_conflict();
"""
ALLOW = "DROP TRIGGER conflict ON driver; DROP FUNCTION refuse_for_conflict();"
LOCK = "SELECT FROM driver WHERE id = $1 FOR UPDATE"
WAITING = """
    SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


@pytest.mark.parametrize("code", ["40P01", "40001"], ids=["deadlock", "serialization failure"])
async def test_a_conflict_is_a_503_and_its_request_may_be_repeated(
    anna, fleet, caplog, code
) -> None:
    await fleet.admin.execute(REFUSE.format(code=code))
    try:
        with caplog.at_level(logging.WARNING):
            refused = await anna.post("/api/drivers", DRIVER)
    finally:
        await fleet.admin.execute(ALLOW)

    assert (refused.status_code, refused.json()["error"]) == (503, "unavailable")
    assert refused.headers["retry-after"] == "5"
    assert f"'sqlstate': '{code}'" in caplog.text
    assert "request_failed" not in caplog.text
    assert await anna.list_drivers() == []
    assert (await anna.post("/api/drivers", DRIVER)).status_code == 201


async def test_a_request_in_a_deadlock_is_undone_whole(anna, servers, logins) -> None:
    """PostgreSQL undoes the transaction that closes the circle, here the request."""
    numbers = ["AB123451", "AB123452", "AB123453"]
    ids = sorted([await anna.add_driver(number) for number in numbers])
    async with open_fleet(servers, logins) as first, open_fleet(servers, logins) as second:
        await second.admin.execute("SET deadlock_timeout = '1h'")
        holding, waiting = first.admin.transaction(), second.admin.transaction()
        await holding.start()
        await waiting.start()
        await first.admin.execute(LOCK, ids[1])
        await second.admin.execute(LOCK, ids[2])
        request = asyncio.create_task(anna.post("/api/drivers/remove", {"ids": ids}))
        async with open_fleet(servers, logins) as observer:
            await wait_until(lambda: observer.fetch_value(f"{WAITING} HAVING count(*) = 1"))
            other = asyncio.create_task(second.admin.execute(LOCK, ids[0]))
            await wait_until(lambda: observer.fetch_value(f"{WAITING} HAVING count(*) = 2"))
        await holding.rollback()

        answer = await request
        await other
        await waiting.rollback()

    assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")
    assert len(await anna.list_drivers()) == 3
    again = await anna.post("/api/drivers/remove", {"ids": ids})
    assert (again.status_code, await anna.list_drivers()) == (200, [])
