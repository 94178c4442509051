"""A company begins with one row, and when it ends nothing of it is left."""

import asyncio
from datetime import UTC, datetime

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from prawko_tenants import lifecycle
from prawko_tenants.company import Tenant
from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId, new_id

pytestmark = pytest.mark.anyio

NOW = datetime.now(UTC)

# What outlives a company: its people, the claim on the trial (without the company's id), its
# payments, and the invoices that were issued to it.
OUTLIVES = {
    "user_account": 1,
    "trial_claim": 0,
    "payment": 1,
    "payment_finding": 1,
    "invoice": 1,
    "invoice_line": 1,
    "invoice_file": 1,
}


@pytest.fixture
def company(found_company):
    """A company that the test may end."""
    return found_company()


@pytest.fixture
def rows_of(own_logins, connect):
    """Counts a company's rows in every table, as only the backup's login can."""

    async def count(company) -> dict[str, int]:
        backup = await connect("backup")
        tables = await backup.fetch(
            "SELECT table_name FROM information_schema.columns"
            " WHERE column_name = 'tenant_id' AND table_schema = 'public'"
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
        counts.pop("user_activity")  # the log keeps the id as a word
        return counts

    return count


async def test_a_company_is_founded_under_its_own_binding(panel):
    tenant_id = TenantId(new_id())

    async with panel.tenant(tenant_id) as session:
        await lifecycle.found(session, at=NOW, company_name="Acme")

    async with panel.tenant(tenant_id) as session:
        found = (await session.scalars(select(Tenant))).one()
    assert (found.id, found.company_name, found.trial_ended) == (tenant_id, "Acme", False)
    assert found.created_at == NOW


async def test_a_company_cannot_be_founded_twice(panel, acme):
    async with panel.tenant(acme.id) as session:
        with pytest.raises(DBAPIError, match="pk_tenant"):
            await lifecycle.found(session, at=NOW)
        await session.rollback()


@pytest.mark.parametrize("login", ["owner", "worker"])
async def test_nothing_of_an_erased_company_is_left_and_nothing_of_another_goes(
    own_logins, login, company, acme, rows_of
):
    before, others = await rows_of(company), await rows_of(acme)
    assert all(before.values())
    doors = Database(getattr(own_logins, login), pool_size=1)

    async with doors.tenant(company.id) as session:
        await lifecycle.erase(session)

    await doors.close()

    left = {table: count for table, count in (await rows_of(company)).items() if count}
    assert left == {table: count for table, count in OUTLIVES.items() if count}
    assert await rows_of(acme) == others


async def test_the_panel_cannot_erase_a_company(panel, company):
    with pytest.raises(DBAPIError, match="permission denied"):
        async with panel.tenant(company.id) as session:
            await lifecycle.erase(session)


async def test_a_removed_driver_takes_all_along_that_names_it_and_nothing_else(
    panel, company, rows_of
):
    before = await rows_of(company)

    async with panel.tenant(company.id) as session:
        await session.execute(text("DELETE FROM driver"))

    after = await rows_of(company)
    gone = {table for table in before if before[table] and not after[table]}
    assert gone == {"driver", "register_answer", "verification", "notice", "notification"}


async def test_a_notice_about_a_driver_who_is_gone_is_refused(panel, company):
    async with panel.tenant(company.id) as session:
        await session.execute(text("DELETE FROM driver"))

    late = text("""
        INSERT INTO notice (tenant_id, id, kind, driver_id, dedup, params, created_at)
        VALUES (:company, :id, 'withheld', :driver, 'late', '{"last_name": "Kowalski"}', now())
    """)
    with pytest.raises(DBAPIError, match="fk_notice_driver"):
        async with panel.tenant(company.id) as session:
            await session.execute(
                late, {"company": company.id, "id": new_id(), "driver": company.driver}
            )


async def test_a_person_who_goes_leaves_the_drivers_behind(panel, company, rows_of):
    async with panel.system() as session:
        await session.execute(
            text("DELETE FROM user_account WHERE id = :user"), {"user": company.user}
        )

    after = await rows_of(company)
    assert after["membership"] == after["login_session"] == after["notification"] == 0
    assert after["driver"] == after["notice"] == after["subscription"] == 1
    async with panel.tenant(company.id) as session:
        assert (await session.execute(text("SELECT created_by FROM driver"))).one() == (None,)


async def test_an_answer_that_a_verification_points_to_cannot_be_deleted(connect, company):
    owner = await connect("owner")
    await owner.execute("SELECT set_config('app.tenant_id', $1, false)", str(company.id))

    with pytest.raises(Exception, match="fk_verification_register_answer"):
        await owner.execute("DELETE FROM register_answer WHERE id = $1", company.answer)


async def test_a_verification_cannot_point_to_another_drivers_answer(panel, acme, rival):
    async with panel.tenant(acme.id) as session:
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


async def test_ids_rise_as_they_are_made():
    made = [new_id() for _ in range(10_000)]

    assert made == sorted(made)
    assert {one.version for one in made} == {7}
    assert len(set(await asyncio.gather(*(asyncio.to_thread(new_id) for _ in range(100))))) == 100
