"""The number of SQL statements of a call does not depend on the number of rows."""

import pytest

from prawko_testing.fakes import withheld_licence
from support.database import insert_order, insert_subscription
from support.orders import ACME_DETAILS
from support.statements import record_statements

pytestmark = pytest.mark.anyio

DRIVER_COUNT = 40
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
    "/api/checks/version",
    "/api/company/export",
    "/api/company/data-processing-agreement",
    "/api/drivers/{driver}/export",
)


async def test_reads_cost_as_many_statements_for_forty_drivers_as_for_one(
    anna, worker, logins, register, run_daily_check, context
):
    async def count_by_path(driver):
        by_path = {}
        for path in READS:
            with record_statements() as statements:
                answer = await anna.get(path.format(driver=driver, order=order))
                assert answer.status_code == 200, answer.text
            by_path[path] = len(statements)
        return by_path

    await insert_subscription(anna, worker, driver_limit=DRIVER_COUNT)
    order = await insert_order(anna, worker)
    register.answers = {
        licence_number(n): withheld_licence(licence_number(n)) for n in range(DRIVER_COUNT)
    }
    first = await anna.add_driver(licence_number(0))
    await run_daily_check()
    of_one = await count_by_path(first)
    for number in range(1, DRIVER_COUNT):
        await anna.add_driver(licence_number(number))
    await run_daily_check()

    assert len((await anna.get("/api/drivers?pageSize=100")).json()) == DRIVER_COUNT
    assert await count_by_path(first) == of_one
    assert all(of_one.values())


async def test_changes_cost_as_many_statements_among_forty_drivers_as_alone(anna, worker, context):
    async def count_each_change(number):
        counts = []
        with record_statements() as statements:
            driver = await anna.add_driver(licence_number(number))
            counts.append(len(statements))
        with record_statements() as statements:
            await anna.put(f"/api/drivers/{driver}", {"lastName": "Nowak"})
            counts.append(len(statements))
        with record_statements() as statements:
            assert (await anna.post(f"/api/drivers/{driver}/verify")).status_code == 200
            counts.append(len(statements))
        with record_statements() as statements:
            await anna.delete(f"/api/drivers/{driver}")
            counts.append(len(statements))
        return counts

    await insert_subscription(anna, worker, driver_limit=DRIVER_COUNT + 1)
    await count_each_change(90)
    single_count = await count_each_change(91)
    for number in range(DRIVER_COUNT):
        await anna.add_driver(licence_number(number))
    assert await count_each_change(92) == single_count
    assert all(single_count)


BILLING = (
    ("GET", "/api/user", None),
    ("GET", "/api/subscription", None),
    ("GET", "/api/subscription/quote?driverLimit=50", None),
    ("GET", "/api/orders/{order}", None),
    ("PUT", "/api/user/billing-details", ACME_DETAILS),
    ("POST", "/api/subscription/cancel", None),
    ("POST", "/api/subscription/resume", None),
    ("POST", "/api/subscription/change-limit", {"driverLimit": 5}),
    ("POST", "/api/subscription/change-limit", {"driverLimit": 10}),
)


async def test_billing_costs_as_many_statements_after_forty_periods_as_after_one(
    anna, worker, context
):
    async def count_each_call():
        counts = []
        for verb, path, body in BILLING:
            with record_statements() as statements:
                answer = await anna.browser.request(verb, path.format(order=order), json=body)
                assert answer.status_code == 200, answer.text
            counts.append(len(statements))
        return counts

    await insert_subscription(anna, worker, driver_limit=10)
    order = await insert_order(anna, worker)
    await count_each_call()  # the first time writes rows that the second does not
    of_one = await count_each_call()
    for _ in range(DRIVER_COUNT):
        await insert_subscription(anna, worker, driver_limit=10)
        await insert_order(anna, worker)

    assert await count_each_call() == of_one
    assert all(of_one)


def licence_number(number: int) -> str:
    return f"AA{number:06d}"
