"""The migrations pass the linter, match the models, and can be run again."""

import asyncio
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import NullPool
from sqlalchemy.ext.asyncio import create_async_engine

import prawko
import prawko_migrations
from prawko.kit import rate_limit  # noqa: F401 (defines a table)
from prawko.kit.startup_checks import SCHEMA_VERSION
from prawko_migrations import MigrationError, render_sql, upgrade_database
from prawko_tenants.base import Base, ControlTable, GlobalTable, TenantTable
from prawko_tenants.logins import provision_database
from prawko_tenants.models import Tenant
from prawko_tenants.policies import CONTROL_TABLES, GLOBAL_TABLES, TENANT_TABLES
from prawko_tenants.roles import Roles

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]

for module in pkgutil.walk_packages(prawko.__path__, "prawko."):
    if module.name.endswith(".models"):
        importlib.import_module(module.name)

# The parts of each table as PostgreSQL deparses them; of partitions, only the parents.
SCHEMA_QUERY = """
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


async def describe_schema(url: str) -> set[str]:
    connection = await asyncpg.connect(url)
    try:
        return {row[0] for row in await connection.fetch(SCHEMA_QUERY)}
    finally:
        await connection.close()


def exclude_partitions(schema_object, name, kind, reflected, counterpart) -> bool:
    table = (
        name
        if kind == "table"
        else getattr(getattr(schema_object, "table", None), "name", "") or ""
    )
    return not re.search(r"^(verification|check_item)_\d+$|^alembic_version$", table)


async def test_alembic_finds_no_difference_between_the_models_and_the_database(tenancy_logins):
    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=lambda: asyncpg.connect(tenancy_logins.owner),
        poolclass=NullPool,
    )

    def differences(connection) -> list:
        context = MigrationContext.configure(
            connection,
            opts={"include_object": exclude_partitions, "compare_server_default": True},
        )
        return compare_metadata(context, Base.metadata)

    async with engine.connect() as connection:
        assert await connection.run_sync(differences) == []
    await engine.dispose()


async def test_tables_made_from_the_models_are_identical(servers, tenancy_logins):
    admin = await asyncpg.connect(servers.urls.admin_url)
    await admin.execute("CREATE DATABASE from_models")
    url = servers.urls.admin_url.replace("/postgres?", "/from_models?")
    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(url), poolclass=NullPool
    )
    try:
        async with engine.begin() as connection:
            await connection.run_sync(Base.metadata.create_all)

        assert await describe_schema(url) == await describe_schema(tenancy_logins.owner)
    finally:
        await engine.dispose()
        await admin.execute("DROP DATABASE from_models WITH (FORCE)")
        await admin.close()


def test_every_table_is_in_the_list_of_its_models_base_class():
    classes = {Tenant.__tablename__: "tenant"}
    for mapper in Base.registry.mappers:
        for parent, kind in (
            (TenantTable, "tenant"),
            (ControlTable, "control"),
            (GlobalTable, "global"),
        ):
            if issubclass(mapper.class_, parent):
                classes[mapper.local_table.name] = kind

    assert classes == (
        dict.fromkeys(TENANT_TABLES, "tenant")
        | dict.fromkeys(CONTROL_TABLES, "control")
        | dict.fromkeys(GLOBAL_TABLES - {"alembic_version"}, "global")
    )


async def test_columns_use_text_and_aware_timestamps_only(tenancy_logins):
    connection = await asyncpg.connect(tenancy_logins.owner)
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


def test_squawk_accepts_all_migrations(tmp_path):
    script = tmp_path / "history.sql"
    script.write_text(render_sql())
    squawk = Path(sys.executable).parent / "squawk"

    linted = subprocess.run(
        [squawk, "--config", ROOT / ".squawk.toml", script],
        capture_output=True,
        text=True,
        check=False,
    )

    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_the_script_sets_timeouts_and_names_the_roles():
    script = render_sql(Roles("elsewhere"))

    assert script.startswith("SET lock_timeout = '1s';\n\nSET statement_timeout = '15min';")
    assert "TO elsewhere_app" in script
    assert "prawko_" not in script


def test_concurrent_and_repeated_runs_change_nothing(servers):
    logins = provision_database(servers.urls.admin_url, database="twice", prefix="twice")
    migrate = (
        "import sys; from prawko_migrations import upgrade_database; upgrade_database(sys.argv[1])"
    )

    runs = [subprocess.Popen([sys.executable, "-c", migrate, logins.owner]) for _ in range(3)]

    assert [run.wait() for run in runs] == [0, 0, 0]
    before = asyncio.run(describe_schema(logins.owner))
    upgrade_database(logins.owner)
    assert asyncio.run(describe_schema(logins.owner)) == before != set()


def test_the_terms_that_accounts_had_accepted_become_acceptances(servers):
    logins = provision_database(servers.urls.admin_url, database="accepted", prefix="accepted")
    config = prawko_migrations._config(Roles("accepted"))
    config.attributes["url"] = logins.owner
    command.upgrade(config, "0012")

    async def insert_accounts() -> None:
        connection = await asyncpg.connect(logins.owner)
        for name, version, ip in (
            ("anna", "2026-11-01", "198.51.100.7"),
            ("operator", "2026-11-01", ""),
            ("nobody", None, None),
        ):
            company, person = uuid4(), uuid4()
            await connection.execute("SELECT set_config('app.tenant_id', $1, false)", str(company))
            await connection.execute(
                "INSERT INTO tenant (id, created_at, updated_at) VALUES ($1, now(), now())", company
            )
            await connection.execute(
                "INSERT INTO user_account (id, email, email_key, password_hash, terms_version,"
                " terms_accepted_at, terms_ip, created_at, updated_at)"
                " VALUES ($1, $2, $2, '', $3, now(), $4, now(), now())",
                person, name, version, ip,
            )  # fmt: skip
            await connection.execute(
                "INSERT INTO membership (tenant_id, user_id, role, created_at)"
                " VALUES ($1, $2, 'owner', now())",
                company, person,
            )  # fmt: skip
        await connection.close()

    async def list_acceptances() -> list[tuple[str, ...]]:
        connection = await asyncpg.connect(logins.backup)
        rows = await connection.fetch(
            "SELECT u.email, a.document, a.version::text, a.ip FROM legal_acceptance a"
            " JOIN user_account u ON u.id = a.user_id"
            " JOIN membership m ON m.user_id = u.id AND m.tenant_id = a.tenant_id"
        )
        await connection.close()
        return [tuple(row) for row in rows]

    asyncio.run(insert_accounts())
    upgrade_database(logins.owner)

    assert asyncio.run(list_acceptances()) == [("anna", "terms", "2026-11-01", "198.51.100.7")]


def test_only_an_owner_migrates(tenancy_logins):
    with pytest.raises(ValueError, match="is not the owner of an installation"):
        upgrade_database(tenancy_logins.app)


async def test_the_back_fill_of_the_history_holds_no_company_for_another_one(
    tenancy_logins, create_company
):
    for _ in range(2):
        await asyncio.to_thread(create_company)
    owner, holder = [await asyncpg.connect(tenancy_logins.owner) for _ in range(2)]
    companies = await owner.fetch("SELECT DISTINCT tenant_id FROM membership")

    async def bind(connection: asyncpg.Connection, company: asyncpg.Record) -> None:
        await connection.execute("SELECT set_config('app.tenant_id', $1, false)", str(company[0]))

    async def list_unfilled() -> list[asyncpg.Record]:
        rows = []
        for company in companies:
            await bind(owner, company)
            rows += await owner.fetch(
                "SELECT tenant_id FROM subscription_history WHERE order_id IS NULL LIMIT 1"
            )
        return rows

    for company in companies:
        await bind(owner, company)
        await owner.execute(
            "UPDATE invoice SET order_id = (SELECT id FROM subscription_order LIMIT 1);"
            "UPDATE subscription_history"
            " SET order_id = NULL, changed_at = (SELECT issued_at FROM invoice LIMIT 1)"
        )
    await owner.execute("UPDATE alembic_version SET version_num = '0048'")
    try:
        await bind(holder, companies[-1])
        async with holder.transaction():
            await holder.execute("SELECT FROM subscription_history FOR UPDATE")
            with pytest.raises(MigrationError, match="migration 0049 waited"):
                await asyncio.to_thread(upgrade_database, tenancy_logins.owner, wait_seconds=0)
            assert await list_unfilled() == [companies[-1]]
    finally:
        await holder.close()
        await asyncio.to_thread(upgrade_database, tenancy_logins.owner, revision="0051")
        await owner.execute("UPDATE alembic_version SET version_num = $1", SCHEMA_VERSION)
    assert await list_unfilled() == []
    await owner.close()
