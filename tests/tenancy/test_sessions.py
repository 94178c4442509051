"""Sessions and the reader: transactions, binding to a company, connections."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import asyncpg
import pytest
from sqlalchemy import bindparam, select, text
from sqlalchemy.exc import DBAPIError, StatementError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from prawko.drivers.models import Driver
from prawko.kit.outbox.models import Delivery
from prawko_tenants.engine import Database, MissingLoginError
from prawko_tenants.ids import new_id
from prawko_tenants.outages import is_connection_error
from prawko_tenants.sessions import HotStatement

pytestmark = pytest.mark.anyio

NOW = datetime.now(UTC)
PID = "SELECT to_json(pg_backend_pid()) FROM pg_sleep(0.01) WHERE bound.tenant_id IS NOT NULL"
NUMBERS = text("SELECT license_number FROM driver ORDER BY license_number")
HOT_COMPANIES = HotStatement("SELECT DISTINCT tenant_id FROM driver WHERE id <> :none")
END_CONNECTION = HotStatement("SELECT pg_terminate_backend(pg_backend_pid())")


def make_driver(number, **fields):
    return Driver(
        first_name="Jan",
        last_name="Kowalski",
        license_number=number,
        sort_key="kowalski",
        created_at=NOW,
        **fields,
    )


@pytest.fixture
def company(create_company):
    """A company of the test's own."""
    return create_company()


async def test_a_block_without_an_error_is_committed(panel_database, company):
    async with panel_database.tenant(company.id) as session:
        session.add(make_driver("AA000001"))

    async with panel_database.tenant(company.id) as session:
        assert "AA000001" in (await session.scalars(NUMBERS)).all()


async def test_a_block_that_raises_is_rolled_back(panel_database, company):
    with pytest.raises(ZeroDivisionError):
        await add_and_fail(panel_database, company)

    async with panel_database.tenant(company.id) as session:
        assert "AA000002" not in (await session.scalars(NUMBERS)).all()


async def add_and_fail(panel, company):
    async with panel.tenant(company.id) as session:
        session.add(make_driver("AA000002"))
        await session.flush()
        raise ZeroDivisionError


async def test_commit_callbacks_run_once_after_the_commit(tenancy_logins, company):
    database, backends = Database(tenancy_logins.app, pool_size=1), []

    async def read_backend():
        async with database.tenant(company.id) as session:  # the one connection is free again
            backends.append("AA000003" in (await session.scalars(NUMBERS)).all())

    async with database.tenant(company.id) as session:
        session.on_commit(read_backend)
        session.add(make_driver("AA000003"))
        assert backends == []
    with suppress(ZeroDivisionError):
        async with database.tenant(company.id) as session:
            session.on_commit(read_backend)
            raise ZeroDivisionError
    await database.close()

    assert backends == [True]


async def test_a_new_row_belongs_to_the_company_of_its_session(panel_database, company):
    row = make_driver("AA000003")

    async with panel_database.tenant(company.id) as session:
        session.add(row)

    assert row.tenant_id == company.id
    assert session.tenant_id == company.id


async def test_a_row_for_another_company_is_refused_by_the_database(panel_database, acme, rival):
    async with panel_database.tenant(acme.id) as session:
        session.add(make_driver("AA000004", tenant_id=rival.id))
        with pytest.raises(DBAPIError, match="row-level security"):
            await session.flush()
        await session.rollback()


async def test_a_session_without_a_company_writes_no_row_of_one(panel_database, acme):
    async with panel_database.system() as session:
        session.add(make_driver("AA000005", tenant_id=acme.id))
        with pytest.raises(DBAPIError, match="row-level security"):
            await session.flush()
        await session.rollback()


async def test_the_panel_enqueues_messages_of_its_company_only(panel_database, acme, rival):
    for tenant in (None, rival.id):
        async with panel_database.tenant(acme.id) as session:
            session.add(
                Delivery(
                    tenant_id=tenant,
                    kind="operator",
                    channel_medium="email",
                    next_try_at=NOW,
                    key=str(new_id()),
                    created_at=NOW,
                )
            )
            with pytest.raises(DBAPIError, match="row-level security"):
                await session.flush()
            await session.rollback()


async def test_a_batch_switches_from_company_to_company_and_writes_all_or_nothing(
    worker_database, panel_database, acme, rival
):
    committed = []
    async with worker_database.batch() as batch:
        for company in (acme, rival, acme):
            await batch.switch_tenant(company.id)
            row = (await batch.scalars(select(Driver))).one()
            committed.append(row.tenant_id)
            row.status = "valid"  # written by the next bind, still under its own company
        await batch.flush()
        await batch.rollback()

    assert committed == [acme.id, rival.id, acme.id]
    for company in (acme, rival):
        async with panel_database.tenant(company.id) as session:
            assert (await session.scalars(select(Driver.status))).all() == ["unknown"]


async def test_a_batch_without_a_company_sees_control_tables_only(worker_database):
    async with worker_database.batch() as batch:
        assert (await batch.scalars(NUMBERS)).all() == []
        assert len((await batch.scalars(select(Delivery.id))).all()) >= 2


async def test_a_batch_has_the_same_company_after_a_commit(worker_database, acme):
    async with worker_database.batch() as batch:
        await batch.switch_tenant(acme.id)
        await batch.commit()
        assert len((await batch.scalars(NUMBERS)).all()) == 1


async def fetch_companies(session):
    return [row["tenant_id"] for row in await session.fetch(HOT_COMPANIES, {"none": new_id()})]


async def test_a_hot_statement_sees_the_selected_company(worker_database, acme, rival):
    seen = []
    async with worker_database.batch() as batch:
        seen += await fetch_companies(batch)
        for company in (acme, rival, acme):
            await batch.switch_tenant(company.id)
            seen += await fetch_companies(batch)
        await batch.rollback()
        seen += await fetch_companies(batch)

    assert seen == [acme.id, rival.id, acme.id, acme.id]


async def test_a_hot_statement_of_a_next_transaction_leaves_other_sessions_alone(
    tenancy_logins, acme, rival
):
    database = Database(tenancy_logins.app, pool_size=2)
    async with database.tenant(acme.id) as first:
        assert await fetch_companies(first) == [acme.id]
        await first.commit()  # its connection is the next session's
        async with database.tenant(rival.id) as second:
            assert await fetch_companies(second) == [rival.id]
            assert await fetch_companies(first) == [acme.id]
            assert await fetch_companies(second) == [rival.id]
    await database.close()


async def test_a_hot_statement_sees_the_changes_before_it(panel_database, company):
    async with panel_database.tenant(company.id) as session:
        session.add(make_driver("AA000007"))
        counted = HotStatement(
            "SELECT count(*)::int FROM driver WHERE license_number = :number AND '6:10' <> :number"
        )
        [[count]] = await session.fetch(counted, {"number": "AA000007"})
        await session.rollback()

    assert count == 1


async def test_a_typed_hot_statement_converts_its_parameters(panel_database, acme):
    before = HotStatement(
        select(Driver.tenant_id.label("company")).where(Driver.created_at < bindparam("moment"))
    )
    async with panel_database.tenant(acme.id) as session:
        [row] = await session.fetch(before, {"moment": NOW + timedelta(days=1)})
        assert await session.fetch(before, {"moment": NOW - timedelta(days=9999)}) == []
        with pytest.raises(ValueError, match="a datetime without a time zone"):
            await session.fetch(before, {"moment": datetime(2026, 11, 21, 6, 0)})  # noqa: DTZ001

    assert row["company"] == acme.id


async def test_a_connection_lost_in_a_hot_statement_is_replaced(tenancy_logins, acme):
    database = Database(tenancy_logins.app, pool_size=1)
    for _ in range(2):
        with pytest.raises(Exception) as lost:  # noqa: PT011 (what is raised is asked below)
            async with database.tenant(acme.id) as session:
                await session.fetch(END_CONNECTION, {})
        assert is_connection_error(lost.value)
        async with database.tenant(acme.id) as session:
            assert await fetch_companies(session) == [acme.id]
    await database.close()


async def test_a_batch_does_not_switch_inside_a_savepoint(worker_database, acme, rival):
    async with worker_database.batch() as batch:
        await batch.switch_tenant(acme.id)
        async with batch.begin_nested():
            with pytest.raises(RuntimeError, match="inside a savepoint"):
                await batch.switch_tenant(rival.id)


async def test_a_rolled_back_savepoint_does_not_change_the_company(panel_database, acme):
    async with panel_database.tenant(acme.id) as session:
        async with session.begin_nested() as savepoint:
            await session.execute(NUMBERS)
            await savepoint.rollback()
        assert len((await session.scalars(NUMBERS)).all()) == 1


async def test_a_session_without_its_login_is_an_error(panel_database):
    for database, login in (
        (panel_database.planner, "planner"),
        (panel_database.operator, "operator"),
    ):
        with pytest.raises(MissingLoginError, match=f"no {login} login"):
            async with database():
                pass


async def test_a_naive_datetime_is_rejected(panel_database, acme):
    async with panel_database.tenant(acme.id) as session:
        session.add(make_driver("AA000006", asked_at_system=datetime(2026, 11, 21, 6, 0)))  # noqa: DTZ001
        with pytest.raises(StatementError, match="a datetime without a time zone"):
            await session.flush()
        await session.rollback()


async def test_times_come_back_in_utc(panel_database, acme):
    async with panel_database.tenant(acme.id) as session:
        await session.execute(text("SET LOCAL timezone = 'Europe/Warsaw'"))
        row = (await session.scalars(select(Driver))).one()

    assert row.created_at.tzinfo is UTC


async def test_the_readers_bytes_are_those_that_were_stored(panel_database, company):
    stored = '{"b":  1,\n "a": "Zażółć"}'
    async with panel_database.tenant(company.id) as session:
        await session.execute(
            text("UPDATE driver SET latest = CAST(:stored AS json)"), {"stored": stored}
        )

    latest = "SELECT latest FROM driver WHERE tenant_id = bound.tenant_id"

    assert await panel_database.reader(company.id).fetch_json(latest) == stored.encode()


async def test_the_reader_answers_null_where_there_is_no_row(panel_database, acme):
    nothing = "SELECT latest FROM driver WHERE tenant_id = bound.tenant_id AND id = $2"

    assert await panel_database.reader(acme.id).fetch_json(nothing, new_id()) == b"null"


async def test_the_reader_rejects_a_statement_that_does_not_refer_to_the_company(
    panel_database, acme
):
    with pytest.raises(ValueError, match="does not refer to bound"):
        await panel_database.reader(acme.id).fetch_json("SELECT json_agg(id) FROM driver")


async def test_concurrent_first_reads_open_one_pool(tenancy_logins, acme):
    database = Database(tenancy_logins.app, pool_size=2)
    reader = database.reader(acme.id)

    answers = await asyncio.gather(*(reader.fetch_json(PID) for _ in range(20)))
    await database.close()

    assert len(set(answers)) <= 2


async def test_connections_that_the_server_closed_are_replaced(tenancy_logins, acme):
    database = Database(tenancy_logins.app, pool_size=2)
    async with database.tenant(acme.id) as first, database.tenant(acme.id) as second:
        old_pids = [
            await session.scalar(text("SELECT pg_backend_pid()")) for session in (first, second)
        ]
    old_pids.append(int(await database.reader(acme.id).fetch_json(PID)))
    connection = await asyncpg.connect(tenancy_logins.app)
    for pid in old_pids:
        await connection.execute("SELECT pg_terminate_backend($1, 1000)", pid)
    await connection.close()
    await asyncio.sleep(0.05)

    for _ in range(3):
        async with database.tenant(acme.id) as session:
            assert await session.scalar(text("SELECT pg_backend_pid()")) not in old_pids
        assert int(await database.reader(acme.id).fetch_json(PID)) not in old_pids
    await database.close()


async def test_waiting_for_a_connection_times_out(tenancy_logins, acme):
    database = Database(tenancy_logins.app, pool_size=1, pool_timeout=0.1)

    async with database.tenant(acme.id) as session:
        await session.scalar(text("SELECT 1"))
        async with database.tenant(acme.id) as second:
            with pytest.raises(PoolTimeout):
                await second.scalar(text("SELECT 1"))
    await database.close()


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
async def test_the_usual_url_schemes_are_accepted(tenancy_logins, acme, scheme):
    database = Database(tenancy_logins.app.replace("postgresql", scheme, 1), pool_size=1)

    async with database.tenant(acme.id) as session:
        assert len((await session.scalars(NUMBERS)).all()) == 1
    assert int(await database.reader(acme.id).fetch_json(PID)) > 0
    await database.close()
