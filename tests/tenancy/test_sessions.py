"""What the doors promise to the code behind them."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime

import asyncpg
import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError, StatementError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from prawko.deliveries.models import Delivery
from prawko.drivers.models import Driver
from prawko_tenants import engine as engine_module
from prawko_tenants.engine import Database, NoLoginError
from prawko_tenants.ids import new_id

pytestmark = pytest.mark.anyio

NOW = datetime.now(UTC)
PID = "SELECT to_json(pg_backend_pid()) FROM pg_sleep(0.01) WHERE bound.tenant_id IS NOT NULL"
NUMBERS = text("SELECT license_number FROM driver ORDER BY license_number")


def driver(number, **fields):
    return Driver(
        first_name="Jan",
        last_name="Kowalski",
        license_number=number,
        sort_key="kowalski",
        created_at=NOW,
        **fields,
    )


@pytest.fixture
def company(found_company):
    """A company of the test's own."""
    return found_company()


async def test_a_block_that_ends_well_is_kept(panel, company):
    async with panel.tenant(company.id) as session:
        session.add(driver("AA000001"))

    async with panel.tenant(company.id) as session:
        assert "AA000001" in (await session.scalars(NUMBERS)).all()


async def test_a_block_that_raises_leaves_nothing(panel, company):
    with pytest.raises(ZeroDivisionError):
        await added_and_raised(panel, company)

    async with panel.tenant(company.id) as session:
        assert "AA000002" not in (await session.scalars(NUMBERS)).all()


async def added_and_raised(panel, company):
    async with panel.tenant(company.id) as session:
        session.add(driver("AA000002"))
        await session.flush()
        raise ZeroDivisionError


async def test_what_waits_for_the_end_happens_once_when_the_block_is_kept(own_logins, company):
    narrow, seen = Database(own_logins.app, pool_size=1), []

    async def look():
        async with narrow.tenant(company.id) as session:  # the one connection is free again
            seen.append("AA000003" in (await session.scalars(NUMBERS)).all())

    async with narrow.tenant(company.id) as session:
        session.when_kept(look)
        session.add(driver("AA000003"))
        assert seen == []
    with suppress(ZeroDivisionError):
        async with narrow.tenant(company.id) as session:
            session.when_kept(look)
            raise ZeroDivisionError
    await narrow.close()

    assert seen == [True]


async def test_a_new_row_belongs_to_the_company_of_its_session(panel, company):
    row = driver("AA000003")

    async with panel.tenant(company.id) as session:
        session.add(row)

    assert row.tenant_id == company.id
    assert session.tenant_id == company.id


async def test_a_row_for_another_company_is_refused_by_the_database(panel, acme, rival):
    async with panel.tenant(acme.id) as session:
        session.add(driver("AA000004", tenant_id=rival.id))
        with pytest.raises(DBAPIError, match="row-level security"):
            await session.flush()
        await session.rollback()


async def test_a_session_of_no_company_writes_for_none(panel, acme):
    async with panel.system() as session:
        session.add(driver("AA000005", tenant_id=acme.id))
        with pytest.raises(DBAPIError, match="row-level security"):
            await session.flush()
        await session.rollback()


async def test_the_panel_cannot_order_a_message_for_nobody_or_for_another(panel, acme, rival):
    for addressee in (None, rival.id):
        async with panel.tenant(acme.id) as session:
            session.add(
                Delivery(
                    tenant_id=addressee,
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


async def test_a_batch_turns_from_company_to_company_and_writes_all_or_nothing(
    worker_doors, panel, acme, rival
):
    seen = []
    async with worker_doors.batch() as batch:
        for company in (acme, rival, acme):
            await batch.bind(company.id)
            row = (await batch.scalars(select(Driver))).one()
            seen.append(row.tenant_id)
            row.status = "valid"  # written by the next bind, still under its own company
        await batch.flush()
        await batch.rollback()

    assert seen == [acme.id, rival.id, acme.id]
    for company in (acme, rival):
        async with panel.tenant(company.id) as session:
            assert (await session.scalars(select(Driver.status))).all() == ["unknown"]


async def test_an_unbound_batch_sees_control_tables_and_no_company(worker_doors):
    async with worker_doors.batch() as batch:
        assert (await batch.scalars(NUMBERS)).all() == []
        assert len((await batch.scalars(select(Delivery.id))).all()) >= 2


async def test_a_batch_is_bound_again_after_a_commit(worker_doors, acme):
    async with worker_doors.batch() as batch:
        await batch.bind(acme.id)
        await batch.commit()
        assert len((await batch.scalars(NUMBERS)).all()) == 1


async def test_a_batch_does_not_turn_inside_a_savepoint(worker_doors, acme, rival):
    async with worker_doors.batch() as batch:
        await batch.bind(acme.id)
        async with batch.begin_nested():
            with pytest.raises(RuntimeError, match="inside a savepoint"):
                await batch.bind(rival.id)


async def test_an_undone_savepoint_leaves_the_company_bound(panel, acme):
    async with panel.tenant(acme.id) as session:
        async with session.begin_nested() as savepoint:
            await session.execute(NUMBERS)
            await savepoint.rollback()
        assert len((await session.scalars(NUMBERS)).all()) == 1


async def test_a_process_without_the_planners_login_cannot_plan(panel):
    for door, login in ((panel.planner, "planner"), (panel.operator, "operator")):
        with pytest.raises(NoLoginError, match=f"no {login} login"):
            async with door():
                pass


async def test_a_time_without_its_zone_is_refused(panel, acme):
    async with panel.tenant(acme.id) as session:
        session.add(driver("AA000006", asked_at=datetime(2026, 11, 21, 6, 0)))  # noqa: DTZ001
        with pytest.raises(StatementError, match="a time without its zone"):
            await session.flush()
        await session.rollback()


async def test_times_come_back_in_utc(panel, acme):
    async with panel.tenant(acme.id) as session:
        await session.execute(text("SET LOCAL timezone = 'Europe/Warsaw'"))
        row = (await session.scalars(select(Driver))).one()

    assert row.created_at.tzinfo is UTC


async def test_the_readers_bytes_are_those_that_were_stored(panel, company):
    stored = '{"b":  1,\n "a": "Zażółć"}'
    async with panel.tenant(company.id) as session:
        await session.execute(
            text("UPDATE driver SET latest = CAST(:stored AS json)"), {"stored": stored}
        )

    latest = "SELECT latest FROM driver WHERE tenant_id = bound.tenant_id"

    assert await panel.read(company.id).json(latest) == stored.encode()


async def test_the_reader_answers_null_where_there_is_no_row(panel, acme):
    nothing = "SELECT latest FROM driver WHERE tenant_id = bound.tenant_id AND id = $2"

    assert await panel.read(acme.id).json(nothing, new_id()) == b"null"


async def test_the_reader_refuses_a_body_that_could_run_before_the_binding(panel, acme):
    with pytest.raises(ValueError, match="does not refer to bound"):
        await panel.read(acme.id).json("SELECT json_agg(id) FROM driver")


async def test_the_reader_opens_its_connections_once_however_many_ask_first(own_logins, acme):
    database = Database(own_logins.app, pool_size=2)
    reader = database.read(acme.id)

    answers = await asyncio.gather(*(reader.json(PID) for _ in range(20)))
    await database.close()

    assert len(set(answers)) <= 2


async def test_connections_that_the_server_closed_are_replaced_unnoticed(own_logins, acme):
    database = Database(own_logins.app, pool_size=2)
    async with database.tenant(acme.id) as one, database.tenant(acme.id) as two:
        old = [await s.scalar(text("SELECT pg_backend_pid()")) for s in (one, two)]
    old.append(int(await database.read(acme.id).json(PID)))
    connection = await asyncpg.connect(own_logins.app)
    for pid in old:
        await connection.execute("SELECT pg_terminate_backend($1, 1000)", pid)
    await connection.close()
    await asyncio.sleep(0.05)

    for _ in range(3):
        async with database.tenant(acme.id) as session:
            assert await session.scalar(text("SELECT pg_backend_pid()")) not in old
        assert int(await database.read(acme.id).json(PID)) not in old
    await database.close()


async def test_a_full_pool_gives_up_after_a_while(own_logins, acme, monkeypatch):
    monkeypatch.setattr(engine_module, "SECONDS_TO_WAIT_FOR_A_CONNECTION", 0.1)
    database = Database(own_logins.app, pool_size=1)

    async with database.tenant(acme.id) as session:
        await session.scalar(text("SELECT 1"))
        async with database.tenant(acme.id) as second:
            with pytest.raises(PoolTimeout):
                await second.scalar(text("SELECT 1"))
    await database.close()


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
async def test_an_address_may_be_written_the_usual_ways(own_logins, acme, scheme):
    database = Database(own_logins.app.replace("postgresql", scheme, 1), pool_size=1)

    async with database.tenant(acme.id) as session:
        assert len((await session.scalars(NUMBERS)).all()) == 1
    assert int(await database.read(acme.id).json(PID)) > 0
    await database.close()
