"""The history of the database: linted, in step with the models, and safe to run again."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import asyncpg
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import NullPool
from sqlalchemy.ext.asyncio import create_async_engine

import prawko.billing.models
import prawko.deliveries.models
import prawko.invoices.models
import prawko.notifications.models
import prawko.payments.models
import prawko.support.models
import prawko.verifications.models  # noqa: F401  (these seven bring every table with them)
from prawko_migrations import _config, as_sql, upgrade
from prawko_tenants.base import Base, ControlTable, GlobalTable, TenantTable
from prawko_tenants.company import Tenant
from prawko_tenants.ids import new_id
from prawko_tenants.logins import provision
from prawko_tenants.policies import CONTROL_TABLES, GLOBAL_TABLES, TENANT_TABLES
from prawko_tenants.roles import Roles

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]

# What a table is made of, as PostgreSQL writes it back; of partitions, only their parents.
ANATOMY = """
    SELECT c.relname || ': ' || part.line
    FROM pg_class c CROSS JOIN LATERAL (
        SELECT format('%s %s %s %s default %s', a.attname, format_type(a.atttypid, a.atttypmod),
            CASE WHEN a.attnotnull THEN 'not null' END, nullif(a.attcollation::regcollation::text,
            '"default"'), pg_get_expr(d.adbin, d.adrelid)) AS line
        FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        UNION ALL
        SELECT k.conname || ' ' || pg_get_constraintdef(k.oid) FROM pg_constraint k
        WHERE k.conrelid = c.oid AND k.contype <> 'n'
        UNION ALL
        SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i WHERE i.indrelid = c.oid
        UNION ALL
        SELECT 'with ' || c.reloptions::text
        UNION ALL
        SELECT 'partitioned by ' || pg_get_partkeydef(c.oid)
    ) AS part
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      AND NOT c.relispartition AND c.relname <> 'alembic_version' AND part.line IS NOT NULL
"""


async def anatomy(url: str) -> set[str]:
    connection = await asyncpg.connect(url)
    try:
        return {row[0] for row in await connection.fetch(ANATOMY)}
    finally:
        await connection.close()


def is_no_partition(thing, name, kind, reflected, counterpart) -> bool:
    table = name if kind == "table" else getattr(getattr(thing, "table", None), "name", "") or ""
    return not re.search(r"^(verification|check_item)_\d+$|^alembic_version$", table)


async def test_alembic_finds_no_difference_between_the_models_and_the_database(own_logins):
    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=lambda: asyncpg.connect(own_logins.owner),
        poolclass=NullPool,
    )

    def differences(connection) -> list:
        context = MigrationContext.configure(
            connection,
            opts={"include_object": is_no_partition, "compare_server_default": True},
        )
        return compare_metadata(context, Base.metadata)

    async with engine.connect() as connection:
        assert await connection.run_sync(differences) == []
    await engine.dispose()


async def test_tables_made_from_the_models_are_the_same_to_the_letter(servers, own_logins):
    admin = await asyncpg.connect(servers.servers.admin_url)
    await admin.execute("CREATE DATABASE from_models")
    url = servers.servers.admin_url.replace("/postgres?", "/from_models?")
    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(url), poolclass=NullPool
    )
    try:
        async with engine.begin() as connection:
            await connection.run_sync(Base.metadata.create_all)

        assert await anatomy(url) == await anatomy(own_logins.owner)
    finally:
        await engine.dispose()
        await admin.execute("DROP DATABASE from_models WITH (FORCE)")
        await admin.close()


def test_every_model_stands_in_the_list_of_its_class():
    classes = {Tenant.__tablename__: "tenant"}
    for mapper in Base.registry.mappers:
        for parent, word in (
            (TenantTable, "tenant"),
            (ControlTable, "control"),
            (GlobalTable, "global"),
        ):
            if issubclass(mapper.class_, parent):
                classes[mapper.local_table.name] = word

    assert classes == (
        dict.fromkeys(TENANT_TABLES, "tenant")
        | dict.fromkeys(CONTROL_TABLES, "control")
        | dict.fromkeys(GLOBAL_TABLES - {"alembic_version"}, "global")
    )


async def test_only_text_holds_words_and_only_aware_columns_hold_times(own_logins):
    connection = await asyncpg.connect(own_logins.owner)
    types = await connection.fetch(
        "SELECT DISTINCT data_type FROM information_schema.columns"
        " WHERE table_schema = 'public' AND table_name <> 'alembic_version'"
    )
    await connection.close()

    assert not {row[0] for row in types} & {
        "character varying",
        "character",
        "timestamp without time zone",
        "money",
        "real",
    }


def test_squawk_finds_nothing_in_the_whole_history(tmp_path):
    script = tmp_path / "history.sql"
    script.write_text(as_sql())
    squawk = Path(sys.executable).parent / "squawk"

    linted = subprocess.run(
        [squawk, "--config", ROOT / ".squawk.toml", script],
        capture_output=True,
        text=True,
        check=False,
    )

    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_the_script_limits_how_long_it_waits_and_runs():
    script = as_sql(Roles("elsewhere"))

    assert script.startswith("SET lock_timeout = '5s';\n\nSET statement_timeout = '15min';")
    assert "TO elsewhere_app" in script
    assert "prawko_" not in script


def test_two_runs_at_once_and_one_after_them_change_nothing(servers):
    logins = provision(servers.servers.admin_url, database="twice", prefix="twice")
    migrate = "import sys; from prawko_migrations import upgrade; upgrade(sys.argv[1])"

    runs = [subprocess.Popen([sys.executable, "-c", migrate, logins.owner]) for _ in range(3)]

    assert [run.wait() for run in runs] == [0, 0, 0]
    before = asyncio.run(anatomy(logins.owner))
    upgrade(logins.owner)
    assert asyncio.run(anatomy(logins.owner)) == before != set()


BEFORE_NOTICES_HUNG_ON_DRIVERS = "0004"
OLD_ROWS = """
    SELECT set_config('app.tenant_id', '{company}', false);
    INSERT INTO tenant (id, created_at, updated_at) VALUES ('{company}', now(), now());
    INSERT INTO user_account (id, email, email_key, password_hash, created_at, updated_at)
    VALUES ('{company}', 'a', 'a', '', now(), now());
    INSERT INTO membership (tenant_id, user_id, role, created_at)
    VALUES ('{company}', '{company}', 'owner', now());
    INSERT INTO driver (tenant_id, id, first_name, last_name, license_number, sort_key, created_at)
    VALUES ('{company}', '{driver}', 'Jan', 'Kowalski', 'AA123456', 'kowalski', now());
    INSERT INTO notice (tenant_id, id, kind, driver_id, dedup, params, created_at)
    SELECT '{company}', notice, 'withheld', driver, notice::text, '{{}}', now()
      FROM (VALUES ('{driver}'::uuid, '{driver}'::uuid), ('{gone}', '{gone}'), ('{company}', NULL))
           AS told (notice, driver);
    INSERT INTO notification (tenant_id, id, user_id, notice_id, type, title, content, created_at)
    SELECT '{company}', id, '{company}', id, 'driver_status', '', '', now() FROM notice;
    INSERT INTO subscription (tenant_id, id, status, driver_limit, price_net, start_date, end_date,
        created_at, updated_at)
    VALUES ('{company}', '{company}', 'active', 5, 149, now(), now() + interval '1 day', now(),
        now());
"""


def test_what_older_rows_need_is_done_to_them(servers):
    """The owner is bound by the policies too: a step that forgets it would change nothing.

    Notices of drivers who are gone go; subscriptions are checked until their end.
    """
    logins = provision(servers.servers.admin_url, database="tied", prefix="tied")
    config = _config(Roles("tied"))
    config.attributes["url"] = logins.owner
    command.upgrade(config, BEFORE_NOTICES_HUNG_ON_DRIVERS)
    ids = {name: str(new_id()) for name in ("company", "driver", "gone")}

    async def as_owner(statement: str) -> list[str]:
        connection = await asyncpg.connect(logins.owner)
        await connection.execute("SELECT set_config('app.tenant_id', $1, false)", ids["company"])
        try:
            if statement is OLD_ROWS:
                await connection.execute(OLD_ROWS.format(**ids))
                return []
            return sorted(str(row[0]) for row in await connection.fetch(statement))
        finally:
            await connection.close()

    asyncio.run(as_owner(OLD_ROWS))
    assert len(asyncio.run(as_owner("SELECT id FROM notification"))) == 3
    upgrade(logins.owner)

    left = sorted((ids["company"], ids["driver"]))
    assert asyncio.run(as_owner("SELECT id FROM notice")) == left
    assert asyncio.run(as_owner("SELECT id FROM notification")) == left
    checked = "SELECT id FROM subscription WHERE checked_until = end_date"
    assert asyncio.run(as_owner(checked)) == [ids["company"]]


def test_only_an_owner_migrates(own_logins):
    with pytest.raises(ValueError, match="is not the owner of an installation"):
        upgrade(own_logins.app)
