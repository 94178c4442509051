"""Creation and removal of partitions by the owner's functions."""

import asyncio
from datetime import UTC, date, datetime, timedelta

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError

from prawko.verifications.models import CheckItem, Verification
from prawko_tenants.catalog import audit_catalog
from prawko_tenants.engine import Database
from prawko_tenants.partitions import drop_days, ensure_day, ensure_month, is_missing_partition

pytestmark = pytest.mark.anyio


def today() -> date:
    """Return the day, which may be another one than that on which the tests began."""
    return datetime.now(UTC).date()


def a_year_ago() -> date:
    return today() - timedelta(days=365)


async def test_a_write_into_a_missing_month_works_once_the_month_exists(panel_database, acme):
    months_ago = datetime.now(UTC) - timedelta(days=200)

    async def insert_day() -> None:
        async with panel_database.tenant(acme.id) as session:
            session.add(
                Verification(driver_id=acme.driver, verified_at=months_ago, outcome="valid")
            )

    with pytest.raises(IntegrityError) as refused:
        await insert_day()
    assert is_missing_partition(refused.value)

    async with panel_database.system() as session:
        assert await ensure_month(session, months_ago.date())
    await insert_day()

    async with panel_database.tenant(acme.id) as session:
        count = await session.scalar(text("SELECT count(*) FROM verification"))
    assert count == 2


async def test_a_violated_constraint_is_not_taken_for_a_missing_partition(panel_database, acme):
    async with panel_database.tenant(acme.id) as session:
        session.add(
            Verification(driver_id=acme.driver, verified_at=datetime.now(UTC), outcome="perhaps")
        )
        with pytest.raises(IntegrityError) as refused:
            await session.flush()
        await session.rollback()

    assert not is_missing_partition(refused.value)


async def test_created_partitions_pass_the_audit(
    panel_database, worker_database, owner_connection, roles
):
    async with panel_database.system() as session:
        assert await ensure_month(session, a_year_ago())
        assert not await ensure_month(session, a_year_ago().replace(day=1))
    async with worker_database.planner() as session:
        assert await ensure_day(session, a_year_ago())
        assert not await ensure_day(session, a_year_ago())

    assert await audit_catalog(owner_connection, roles) == []
    months = "SELECT relrowsecurity AND relforcerowsecurity FROM pg_class WHERE relname = $1"
    assert await owner_connection.fetchval(months, f"verification_{a_year_ago():%Y%m}")
    assert await owner_connection.fetchval(months, f"check_item_{a_year_ago():%Y%m%d}")


async def test_a_month_begins_and_ends_at_midnight_utc(panel_database, acme):
    async with panel_database.system() as session:
        await session.execute(text("SET LOCAL timezone = 'Europe/Warsaw'"))
        await ensure_month(session, date(today().year - 1, 2, 14))
    async with panel_database.tenant(acme.id) as session:
        for instant in (
            datetime(today().year - 1, 2, 1, tzinfo=UTC),
            datetime(today().year - 1, 2, 28, 23, 59, 59, 999999, tzinfo=UTC),
        ):
            session.add(Verification(driver_id=acme.driver, verified_at=instant, outcome="valid"))
        await session.flush()
        month = f"verification_{today().year - 1}02"
        homes = await session.scalars(
            text(
                "SELECT tableoid::regclass::text FROM verification"
                " WHERE to_char(verified_at AT TIME ZONE 'UTC', 'YYYY-MM') = :month"
            ),
            {"month": f"{today().year - 1}-02"},
        )
        assert set(homes) == {month}
        await session.rollback()


# At any hour it is another day than in UTC in one of them.
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
@pytest.mark.parametrize("days", [731, -731])
async def test_how_far_a_day_is_away_is_counted_in_utc(worker_database, zone, days):
    day = datetime.now(UTC).date() + timedelta(days=days)
    beyond = day + timedelta(days=1 if days > 0 else -1)
    set_zone = text(f"SET LOCAL timezone = '{zone}'")
    for function in ("ensure_month", "ensure_day", *(["drop_days"] if days < 0 else [])):
        call = text(f"SELECT {function}(:day)")
        async with worker_database.planner() as session:
            await session.execute(set_zone)
            await session.execute(call, {"day": day})
            await session.rollback()
        async with worker_database.planner() as session:
            await session.execute(set_zone)
            with pytest.raises(DBAPIError, match="more than 24 months away"):
                await session.execute(call, {"day": beyond})
            await session.rollback()


@pytest.mark.parametrize("function", ["ensure_month", "ensure_day", "drop_days"])
@pytest.mark.parametrize("days", [732, -732, 100_000, None])
async def test_a_distant_day_is_rejected(worker_database, function, days):
    day = None if days is None else today() + timedelta(days=days)

    with pytest.raises(DBAPIError, match="more than 24 months away"):
        async with worker_database.planner() as session:
            await session.execute(text(f"SELECT {function}(CAST(:day AS date))"), {"day": day})


@pytest.mark.parametrize("days", [1, 731])
async def test_no_day_is_dropped_that_is_not_past(worker_database, days):
    async with worker_database.planner() as session:
        await session.execute(text("SET LOCAL timezone = 'Pacific/Kiritimati'"))
        with pytest.raises(DBAPIError, match="they are not past"):
            await drop_days(session, today() + timedelta(days=days))
        await session.rollback()


@pytest.mark.parametrize("days", [731, -731])
async def test_a_day_24_months_away_is_created(worker_database, days):
    async with worker_database.planner() as session:
        await ensure_month(session, today() + timedelta(days=days))
        await ensure_day(session, today() + timedelta(days=days))


async def test_only_older_days_are_dropped(worker_database, acme):
    day = today() - timedelta(days=600)
    async with worker_database.planner() as session:
        await drop_days(session, day)  # what other tests have made
        await ensure_day(session, day - timedelta(days=2))
        await ensure_day(session, day - timedelta(days=1))
        await ensure_day(session, day)
        session.add(
            CheckItem(
                day=day,
                tenant_id=acme.id,
                driver_id=acme.driver,
                document_version=1,
                next_try_at=datetime.now(UTC),
            )
        )
    async with worker_database.planner() as session:
        assert await drop_days(session, day) == 2
    async with worker_database.planner() as session:
        first_day = (await session.scalars(text("SELECT min(day) FROM check_item"))).one()
        assert first_day == day
        assert await drop_days(session, day + timedelta(days=1)) == 1


async def test_concurrent_callers_create_a_month_once(tenancy_logins):
    database = Database(tenancy_logins.worker, pool_size=8)
    day = today() + timedelta(days=400)

    async def make() -> bool:
        async with database.system() as session:
            return await ensure_month(session, day)

    created = await asyncio.gather(*(make() for _ in range(8)))
    await database.close()

    assert sorted(created) == [False] * 7 + [True]


async def test_creating_a_month_does_not_wait_for_readers_of_other_months(panel_database, acme):
    """Attaching a partition does not lock the parent against readers and writers."""
    async with panel_database.tenant(acme.id) as reader_session:
        await reader_session.execute(text("SELECT count(*) FROM verification"))
        async with panel_database.system() as session:
            await session.execute(text("SET LOCAL lock_timeout = '1s'"))
            assert await ensure_month(session, today() + timedelta(days=500))


@pytest.mark.parametrize(
    ("login", "call"),
    [
        ("app", "ensure_day(current_date)"),
        ("app", "drop_days(current_date)"),
        ("operator", "ensure_month(current_date)"),
        ("backup", "ensure_month(current_date)"),
    ],
)
async def test_other_logins_may_not_call_the_functions(open_connection, login, call):
    connection = await open_connection(login)

    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await connection.execute(f"SELECT {call}")


async def test_the_functions_ignore_the_search_path_of_the_caller(open_connection):
    """Otherwise a table or function of the same name in the caller's path would be used."""
    connection = await open_connection("worker")
    await connection.execute("SET search_path = pg_temp, public")

    assert await connection.fetchval("SELECT public.ensure_month(current_date)") is False
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await connection.execute("CREATE TEMP TABLE verification (id int)")
