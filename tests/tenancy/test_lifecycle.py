"""Creation of a company, and its erasure with everything that belongs to it."""

import asyncio
from datetime import UTC, datetime

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from prawko.personal_data.erasure import erase_tenant
from prawko_tenants import lifecycle
from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId, new_id
from prawko_tenants.models import Tenant

pytestmark = pytest.mark.anyio

NOW = datetime.now(UTC)

# Rows that remain after an erasure: people, the claim of the trial (without the company's id),
# payments and invoices.
OUTLIVES = {
    "user_account": 1,
    "trial_claim": 0,
    "payment": 1,
    "payment_discrepancy": 1,
    "invoice": 1,
    "invoice_line": 1,
    "invoice_file": 1,
}


@pytest.fixture
def company(create_company):
    """A company of the test's own."""
    return create_company()


@pytest.fixture
def count_company_rows(tenancy_logins, open_connection):
    """Counts a company's rows in every table, with the backup's login."""

    async def count(company) -> dict[str, int]:
        backup = await open_connection("backup")
        tables = await backup.fetch(
            "SELECT table_name FROM information_schema.columns"
            "  JOIN information_schema.tables USING (table_schema, table_name)"
            " WHERE column_name = 'tenant_id' AND table_schema = 'public'"
            " AND table_type = 'BASE TABLE'"
            " AND table_name !~ '_[0-9]+$'"
        )
        counts = {
            table: await backup.fetchval(
                f"SELECT count(*) FROM {table} WHERE tenant_id = $1", company.id
            )
            for (table,) in tables
        }
        for table, column, value in (
            ("tenant", "id", company.id),
            ("user_account", "id", company.user),
        ):
            counts[table] = await backup.fetchval(
                f"SELECT count(*) FROM {table} WHERE {column} = $1", value
            )
        for log in ("user_activity", "admin_action"):  # logs keep the id of the company
            counts.pop(log)
        return counts

    return count


async def test_a_company_is_created_in_its_own_session(panel_database):
    tenant_id = TenantId(new_id())

    async with panel_database.tenant(tenant_id) as session:
        await lifecycle.create_tenant(session, at=NOW, company_name="Acme")

    async with panel_database.tenant(tenant_id) as session:
        tenant = (await session.scalars(select(Tenant))).one()
    assert (tenant.id, tenant.company_name, tenant.trial_ended) == (tenant_id, "Acme", False)
    assert tenant.created_at == NOW


async def test_a_company_cannot_be_created_twice(panel_database, acme):
    async with panel_database.tenant(acme.id) as session:
        with pytest.raises(DBAPIError, match="pk_tenant"):
            await lifecycle.create_tenant(session, at=NOW)
        await session.rollback()


@pytest.mark.parametrize("login", ["owner", "worker"])
async def test_an_erasure_deletes_all_of_a_company_and_nothing_of_another(
    tenancy_logins, login, company, acme, count_company_rows
):
    before, other_counts = await count_company_rows(company), await count_company_rows(acme)
    assert all(before.values())
    database = Database(getattr(tenancy_logins, login), pool_size=1)

    async with database.tenant(company.id) as session:
        await erase_tenant(session)

    await database.close()

    remaining = {
        table: count for table, count in (await count_company_rows(company)).items() if count
    }
    assert remaining == {table: count for table, count in OUTLIVES.items() if count}
    assert await count_company_rows(acme) == other_counts


async def test_the_panel_cannot_erase_a_company(panel_database, company):
    with pytest.raises(DBAPIError, match="permission denied"):
        async with panel_database.tenant(company.id) as session:
            await erase_tenant(session)


async def test_a_removed_driver_removes_what_references_it_and_nothing_else(
    panel_database, company, count_company_rows
):
    before = await count_company_rows(company)

    async with panel_database.tenant(company.id) as session:
        await session.execute(text("DELETE FROM driver"))

    after = await count_company_rows(company)
    emptied = {table for table in before if before[table] and not after[table]}
    assert emptied == {
        "driver", "register_answer", "verification", "notice", "notification", "acknowledgement",
    }  # fmt: skip


async def test_a_notice_about_a_removed_driver_is_rejected(panel_database, company):
    async with panel_database.tenant(company.id) as session:
        await session.execute(text("DELETE FROM driver"))

    insert_after = text("""
        INSERT INTO notice (tenant_id, id, kind, driver_id, dedup_key, params, created_at)
        VALUES (:company, :id, 'withheld', :driver, 'late', '{"last_name": "Kowalski"}', now())
    """)
    with pytest.raises(DBAPIError, match="fk_notice_driver"):
        async with panel_database.tenant(company.id) as session:
            await session.execute(
                insert_after, {"company": company.id, "id": new_id(), "driver": company.driver}
            )


async def test_a_removed_person_does_not_remove_drivers(
    panel_database, open_connection, company, count_company_rows
):
    worker = await open_connection("worker")
    await worker.execute("DELETE FROM user_account WHERE id = $1", company.user)

    after = await count_company_rows(company)
    assert after["membership"] == after["login_session"] == after["notification"] == 0
    assert after["driver"] == after["notice"] == after["subscription"] == 1
    async with panel_database.tenant(company.id) as session:
        assert (await session.execute(text("SELECT created_by FROM driver"))).one() == (None,)


async def test_an_answer_that_a_verification_references_cannot_be_deleted(open_connection, company):
    owner = await open_connection("owner")
    await owner.execute("SELECT set_config('app.tenant_id', $1, false)", str(company.id))

    with pytest.raises(Exception, match="fk_verification_register_answer"):
        await owner.execute("DELETE FROM register_answer WHERE id = $1", company.answer)


async def test_a_verification_cannot_reference_another_drivers_answer(panel_database, acme, rival):
    async with panel_database.tenant(acme.id) as session:
        with pytest.raises(DBAPIError, match="fk_verification_register_answer"):
            await session.execute(
                text(
                    "INSERT INTO verification"
                    " (tenant_id, driver_id, id, verified_at, answer_id, outcome)"
                    " VALUES (:company, :driver, :id, :at, :answer, 'valid')"
                ),
                {
                    "company": acme.id,
                    "driver": acme.driver,
                    "id": new_id(),
                    "at": NOW,
                    "answer": rival.answer,
                },
            )
        await session.rollback()


async def test_ids_are_ordered_by_creation():
    ids = [new_id() for _ in range(10_000)]

    assert ids == sorted(ids)
    assert {new.version for new in ids} == {7}
    assert len(set(await asyncio.gather(*(asyncio.to_thread(new_id) for _ in range(100))))) == 100
