"""Invoice numbers: without gaps or duplicates, also under concurrency."""

import asyncio
from datetime import UTC, datetime

import msgspec
import pytest
from sqlalchemy.exc import DBAPIError

from prawko.invoices.errors import SellerNotConfiguredError
from prawko.invoices.issuance import issue_invoice
from prawko_tenants.ids import TenantId, new_id
from support.database import execute_as_owner, fetch_rows
from support.invoices import PAID_AT, issue_sale, make_sale

pytestmark = pytest.mark.anyio

NOW = PAID_AT


async def invoice_numbers(logins) -> list[str]:
    rows = await fetch_rows(logins, "SELECT number FROM invoice ORDER BY year, serial")
    return [row["number"] for row in rows]


class RollbackError(Exception):
    """Rolls a transaction back after its invoice was numbered."""


async def test_concurrent_sales_leave_no_gap_and_no_duplicate_number(worker, context, logins):
    companies = [TenantId(new_id()) for _ in range(4)]

    async def sell(number: int) -> None:
        database = (worker, context)[number % 2].database  # panel and worker concurrently
        try:
            async with database.tenant(companies[number % 4]) as session:
                await issue_invoice(session, make_sale(), context.settings, NOW)
                await asyncio.sleep(0)
                if number % 3 == 0:  # rolled back after numbering
                    raise RollbackError
        except RollbackError:
            pass

    await asyncio.gather(*(sell(n) for n in range(30)))

    assert await invoice_numbers(logins) == [f"FV/2026/{n:06}" for n in range(1, 21)]


async def test_a_rolled_back_sale_leaves_no_gap(worker, logins):
    company = TenantId(new_id())
    await issue_sale(worker, company, make_sale())
    try:
        async with worker.database.tenant(company) as session:
            await issue_invoice(session, make_sale(), worker.settings, NOW)
            raise RollbackError
    except RollbackError:
        pass

    await issue_sale(worker, company, make_sale())

    assert await invoice_numbers(logins) == ["FV/2026/000001", "FV/2026/000002"]


async def test_an_order_has_one_invoice_however_often_it_is_fulfilled(worker, context, logins):
    company, sale = TenantId(new_id()), make_sale()

    ids = await asyncio.gather(
        *(issue_sale((worker, context)[n % 2], company, sale) for n in range(8))
    )
    next_year = await issue_sale(worker, company, sale, NOW.replace(year=2027))
    another = await issue_sale(worker, company, make_sale())

    assert {*ids, next_year} == {ids[0]} != {another}
    assert await invoice_numbers(logins) == ["FV/2026/000001", "FV/2026/000002"]


async def test_each_warsaw_year_is_numbered_from_one(worker, logins):
    company = TenantId(new_id())
    last = datetime(2026, 12, 31, 22, 59, 59, tzinfo=UTC)
    first = datetime(2026, 12, 31, 23, 0, tzinfo=UTC)
    for now in (NOW, last, first, datetime(2027, 1, 2, tzinfo=UTC)):
        await issue_sale(worker, company, make_sale(), now)

    assert await invoice_numbers(logins) == [
        "FV/2026/000001", "FV/2026/000002", "FV/2027/000001", "FV/2027/000002",
    ]  # fmt: skip
    days = await fetch_rows(logins, "SELECT issued_on, sold_on FROM invoice ORDER BY year, serial")
    assert [str(row["issued_on"]) for row in days] == [
        "2026-11-21", "2026-12-31", "2027-01-01", "2027-01-02",
    ]  # fmt: skip
    assert {str(row["sold_on"]) for row in days} == {"2026-11-21"}


async def test_an_invoice_stores_the_sale_and_its_totals(worker, logins):
    await issue_sale(worker, TenantId(new_id()), make_sale())

    [stored] = await fetch_rows(logins, "SELECT * FROM invoice")
    lines = await fetch_rows(logins, "SELECT * FROM invoice_line ORDER BY position")

    assert (stored["net"], stored["vat"], stored["gross"]) == (210_67, 48_45, 259_12)
    assert [(row["net"], row["vat"], row["vat_percent"]) for row in lines] == [
        (11_67, 2_68, 23), (199_00, 45_77, 23),
    ]  # fmt: skip
    assert (stored["buyer_name"], stored["buyer_city"], stored["method"]) == (
        "Zażółć Gęślą Jaźń Sp. z o.o.",
        "Łódź",
        "blik",
    )
    assert stored["seller_tax_id"] == worker.settings.seller_tax_id
    assert (stored["state"], stored["currency"]) == ("numbered", "PLN")


@pytest.mark.parametrize("role", ["app", "worker"])
async def test_no_login_can_change_an_issued_invoice(worker, context, role):
    process = {"app": context, "worker": worker}[role]
    company = TenantId(new_id())
    await issue_sale(worker, company, make_sale())

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


async def test_totals_that_do_not_add_up_are_refused_by_the_database(worker, logins):
    company = TenantId(new_id())
    await issue_sale(worker, company, make_sale())

    with pytest.raises(Exception, match="ck_invoice_sums"):
        await execute_as_owner(
            logins,
            f"SELECT set_config('app.tenant_id', '{company}', false);"
            " UPDATE invoice SET gross = gross - 1",
        )


async def test_without_a_seller_nothing_is_numbered(worker, logins):
    without_seller = msgspec.structs.replace(worker.settings, seller_name="")
    with pytest.raises(SellerNotConfiguredError):
        async with worker.database.tenant(TenantId(new_id())) as session:
            await issue_invoice(session, make_sale(), without_seller, NOW)

    assert await invoice_numbers(logins) == []
