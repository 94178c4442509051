"""However many rows an answer tells of, it costs the same number of statements."""

from contextlib import contextmanager

import pytest
from sqlalchemy import event

from buying import ACME
from prawko.testing.fakes import withheld
from prawko_tenants.reader import ReadDoor
from stored import ordered, subscribed

pytestmark = pytest.mark.anyio

MANY = 40
READS = (
    "/api/user",
    "/api/subscription",
    "/api/subscription/quote?driverLimit=50",
    "/api/payment-methods",
    "/api/orders/{order}",
    "/api/drivers",
    "/api/drivers?verifications=0",
    "/api/drivers?verifications=1",
    "/api/drivers?verifications=5&pageSize=100",
    "/api/drivers/{driver}/verifications",
    "/api/notifications",
    "/api/checks/summary",
    "/api/company/export",
    "/api/drivers/{driver}/export",
)


@pytest.fixture
def counted(tools, monkeypatch):
    """Counts what the panel asks of the database, through both of its doors."""
    told = []
    engine = tools.database._engine.sync_engine
    event.listen(engine, "before_cursor_execute", lambda *args: told.append(args[2]))
    for name in ("fetch_json", "fetch_row"):
        door = getattr(ReadDoor, name)

        async def noted(self, sql, *args, door=door):
            told.append(sql)
            return await door(self, sql, *args)

        monkeypatch.setattr(ReadDoor, name, noted)

    @contextmanager
    def counting():
        told.clear()
        yield told

    return counting


async def test_no_call_asks_more_often_for_forty_drivers_than_for_one(
    anna, worker, logins, register, run_daily_check, counted
):
    async def costs(driver):
        found = {}
        for path in READS:
            with counted() as told:
                answer = await anna.get(path.format(driver=driver, order=order))
                assert answer.status_code == 200, answer.text
            found[path] = len(told)
        return found

    await subscribed(anna, worker, driver_limit=MANY)
    order = await ordered(anna, worker)
    register.says = {number(n): withheld(number(n)) for n in range(MANY)}
    first = await anna.adds(number(0))
    await run_daily_check()
    of_one = await costs(first)
    for n in range(1, MANY):
        await anna.adds(number(n))
    await run_daily_check()

    assert len((await anna.get("/api/drivers?pageSize=100")).json()) == MANY
    assert await costs(first) == of_one
    assert all(of_one.values())


async def test_no_change_asks_more_often_among_forty_drivers_than_beside_one(anna, worker, counted):
    async def costs(n):
        found = []
        with counted() as told:
            driver = await anna.adds(number(n))
            found.append(len(told))
        with counted() as told:
            await anna.put(f"/api/drivers/{driver}", {"lastName": "Nowak"})
            found.append(len(told))
        with counted() as told:
            assert (await anna.post(f"/api/drivers/{driver}/verify")).status_code == 200
            found.append(len(told))
        with counted() as told:
            await anna.delete(f"/api/drivers/{driver}")
            found.append(len(told))
        return found

    await subscribed(anna, worker, driver_limit=MANY + 1)
    await costs(90)
    alone = await costs(91)
    for n in range(MANY):
        await anna.adds(number(n))
    assert await costs(92) == alone
    assert all(alone)


BILLING = (
    ("GET", "/api/user", None),
    ("GET", "/api/subscription", None),
    ("GET", "/api/subscription/quote?driverLimit=50", None),
    ("GET", "/api/orders/{order}", None),
    ("PUT", "/api/user/billing-details", ACME),
    ("POST", "/api/subscription/cancel", None),
    ("POST", "/api/subscription/resume", None),
    ("POST", "/api/subscription/change-limit", {"driverLimit": 5}),
    ("POST", "/api/subscription/change-limit", {"driverLimit": 10}),
)


async def test_no_call_of_billing_asks_more_often_after_forty_periods_than_after_one(
    anna, worker, counted
):
    async def costs():
        found = []
        for verb, path, body in BILLING:
            with counted() as told:
                answer = await anna.browser.request(verb, path.format(order=order), json=body)
                assert answer.status_code == 200, answer.text
            found.append(len(told))
        return found

    await subscribed(anna, worker, driver_limit=10)
    order = await ordered(anna, worker)
    await costs()  # what is said for the second time is not written
    of_one = await costs()
    for _ in range(MANY):
        await subscribed(anna, worker, driver_limit=10)
        await ordered(anna, worker)

    assert await costs() == of_one
    assert all(of_one)


def number(n: int) -> str:
    return f"AA{n:06d}"
