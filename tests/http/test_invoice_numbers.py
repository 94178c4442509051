"""Invoices are numbered one by one, whoever else sells at the same moment."""

import asyncio
from datetime import UTC, datetime

import msgspec
import pytest
from sqlalchemy.exc import DBAPIError

from prawko.invoices.errors import NoSellerError
from prawko.invoices.service import issue_invoice
from prawko_tenants.ids import TenantId, new_id
from sales import PAID_AT, issued, sale
from stored import look, write

pytestmark = pytest.mark.anyio

NOW = PAID_AT


async def numbers(logins) -> list[str]:
    rows = await look(logins, "SELECT number FROM invoice ORDER BY year, serial")
    return [row["number"] for row in rows]


class UndoneError(Exception):
    """What a fulfilment breaks with, after its invoice was numbered."""


async def test_twenty_at_once_leave_no_gap_and_no_number_twice(worker, tools, logins):
    companies = [TenantId(new_id()) for _ in range(4)]

    async def sell(n: int) -> None:
        door = (worker, tools)[n % 2].database  # panel and workers sell beside each other
        try:
            async with door.tenant(companies[n % 4]) as session:
                await issue_invoice(session, sale(), tools.settings, NOW)
                await asyncio.sleep(0)
                if n % 3 == 0:  # these are undone after they had a number
                    raise UndoneError
        except UndoneError:
            pass

    await asyncio.gather(*(sell(n) for n in range(30)))

    assert await numbers(logins) == [f"FV/2026/{n:06}" for n in range(1, 21)]


async def test_a_sale_that_is_undone_takes_its_number_back(worker, logins):
    company = TenantId(new_id())
    await issued(worker, company, sale())
    try:
        async with worker.database.tenant(company) as session:
            await issue_invoice(session, sale(), worker.settings, NOW)
            raise UndoneError
    except UndoneError:
        pass

    await issued(worker, company, sale())

    assert await numbers(logins) == ["FV/2026/000001", "FV/2026/000002"]


async def test_an_order_has_one_invoice_however_often_it_is_fulfilled(worker, tools, logins):
    company, sold = TenantId(new_id()), sale()

    ids = await asyncio.gather(*(issued((worker, tools)[n % 2], company, sold) for n in range(8)))
    next_year = await issued(worker, company, sold, NOW.replace(year=2027))
    another = await issued(worker, company, sale())

    assert {*ids, next_year} == {ids[0]} != {another}
    assert await numbers(logins) == ["FV/2026/000001", "FV/2026/000002"]


async def test_each_year_is_counted_from_one_and_turns_in_warsaw(worker, logins):
    company = TenantId(new_id())
    last = datetime(2026, 12, 31, 22, 59, 59, tzinfo=UTC)
    first = datetime(2026, 12, 31, 23, 0, tzinfo=UTC)
    for now in (NOW, last, first, datetime(2027, 1, 2, tzinfo=UTC)):
        await issued(worker, company, sale(), now)

    assert await numbers(logins) == [
        "FV/2026/000001", "FV/2026/000002", "FV/2027/000001", "FV/2027/000002",
    ]  # fmt: skip
    days = await look(logins, "SELECT issued_on, sold_on FROM invoice ORDER BY year, serial")
    assert [str(row["issued_on"]) for row in days] == [
        "2026-11-21", "2026-12-31", "2027-01-01", "2027-01-02",
    ]  # fmt: skip
    assert {str(row["sold_on"]) for row in days} == {"2026-11-21"}


async def test_an_invoice_keeps_what_was_sold_and_adds_up(worker, logins):
    await issued(worker, TenantId(new_id()), sale())

    [kept] = await look(logins, "SELECT * FROM invoice")
    lines = await look(logins, "SELECT * FROM invoice_line ORDER BY position")

    assert (kept["net"], kept["vat"], kept["gross"]) == (210_67, 48_45, 259_12)
    assert [(row["net"], row["vat"], row["vat_percent"]) for row in lines] == [
        (11_67, 2_68, 23), (199_00, 45_77, 23),
    ]  # fmt: skip
    assert (kept["buyer_name"], kept["buyer_city"], kept["method"]) == (
        "Zażółć Gęślą Jaźń Sp. z o.o.",
        "Łódź",
        "blik",
    )
    assert kept["seller_tax_id"] == worker.settings.seller_tax_id
    assert (kept["state"], kept["currency"]) == ("numbered", "PLN")


@pytest.mark.parametrize("door", ["app", "worker"])
async def test_nobody_changes_what_was_issued(worker, tools, door):
    process = {"app": tools, "worker": worker}[door]
    company = TenantId(new_id())
    await issued(worker, company, sale())

    for change in (
        "UPDATE invoice SET gross = 1, net = 1, vat = 0",
        "UPDATE invoice SET number = 'FV/2026/000009'",
        "UPDATE invoice_line SET name = 'Nic'",
        "UPDATE invoice_file SET content = ''",
        "DELETE FROM invoice_line",
        "DELETE FROM invoice_series",
    ):
        with pytest.raises(DBAPIError, match="permission denied"):
            async with process.database.tenant(company) as session:
                await (await session.connection()).exec_driver_sql(change)


async def test_sums_that_do_not_agree_are_refused_by_the_database(worker, logins):
    company = TenantId(new_id())
    await issued(worker, company, sale())

    with pytest.raises(Exception, match="ck_invoice_sums"):
        await write(
            logins,
            f"SELECT set_config('app.tenant_id', '{company}', false);"
            " UPDATE invoice SET gross = gross - 1",
        )


async def test_without_a_seller_nothing_is_numbered(worker, logins):
    nobody = msgspec.structs.replace(worker.settings, seller_name="")
    with pytest.raises(NoSellerError):
        async with worker.database.tenant(TenantId(new_id())) as session:
            await issue_invoice(session, sale(), nobody, NOW)

    assert await numbers(logins) == []
