"""A panel process that is killed in the middle of an import of drivers."""

import asyncio

import httpx
import pytest

from ops.server_process import ServerProcess, prawko
from support.database import count_rows, insert_subscription
from support.people import PASSWORD, Person
from support.processes import free_port
from support.waiting import wait_until

pytestmark = pytest.mark.anyio

ROWS = 300
LAST_NUMBER = f"AB{ROWS - 1:06}"
TABLE = {
    "text": "\n".join(f"Jan\tNowak\tAB{number:06}" for number in range(ROWS)),
    "rows": [*range(1, ROWS + 1)],
}
WAITING_INSERT = """
    SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'
       AND query ILIKE 'INSERT INTO driver%'
"""


@pytest.fixture
def panel(product_variables, variables, tmp_path):
    """A panel process that knows the sessions of Anna and her colleague."""
    keyed = {**product_variables, "SECRET_KEY": variables["SECRET_KEY"]}
    process = prawko("serve", keyed, tmp_path, port=free_port()).start()
    yield process.wait_until_ready()
    process.kill()


async def import_table(panel: ServerProcess, person: Person) -> httpx.Response:
    async with httpx.AsyncClient(base_url=panel.url, trust_env=False, timeout=60) as browser:
        credentials = {"email": person.email, "password": PASSWORD}
        assert (await browser.post("/api/login", json=credentials)).status_code == 200
        return await browser.post("/api/drivers/import", json=TABLE)


async def test_an_import_that_is_killed_leaves_nothing_and_works_when_repeated(
    anna, worker, fleet, logins, panel
) -> None:
    await insert_subscription(anna, worker, driver_limit=ROWS + 1)
    await anna.add_driver(LAST_NUMBER)

    # The last row waits for this transaction, the others are written.
    async with fleet.admin.transaction():
        await fleet.admin.execute("DELETE FROM driver WHERE license_number = $1", LAST_NUMBER)
        running = asyncio.create_task(import_table(panel, anna))

        async def is_in_the_middle() -> bool:
            await fleet.admin.execute("SELECT pg_stat_clear_snapshot()")
            return await fleet.admin.fetchval(WAITING_INSERT) == 1

        await wait_until(is_in_the_middle)
        panel.kill()
        with pytest.raises(httpx.TransportError):
            await running

    assert await count_rows(logins, "driver") == 0
    answer = await import_table(panel.start().wait_until_ready(), anna)
    assert (answer.status_code, answer.json()["added"]) == (201, ROWS), answer.text
    assert await count_rows(logins, "driver") == ROWS
