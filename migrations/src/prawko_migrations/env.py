"""Alembic environment: one connection, one transaction for each revision."""

import asyncio

import asyncpg
from alembic import context
from sqlalchemy import Connection, NullPool, text
from sqlalchemy.ext.asyncio import create_async_engine

from prawko_tenants.urls import to_asyncpg_dsn

# A migration that waits for a lock blocks everybody behind it, so it gives up soon.
TIMEOUTS = ("SET lock_timeout = '5s'", "SET statement_timeout = '15min'")
ADVISORY_LOCK = text("SELECT pg_advisory_lock(hashtext('prawko_migrations'))")

roles = context.config.attributes["roles"]


def print_sql() -> None:
    """Print the SQL instead of running it (Alembic's offline mode)."""
    context.configure(dialect_name="postgresql", transaction_per_migration=True, roles=roles)
    for setting in TIMEOUTS:
        context.execute(setting)
    with context.begin_transaction():
        context.run_migrations()


def run_migrations(connection: Connection) -> None:
    """Run the missing revisions; concurrent callers wait."""
    connection.execute(ADVISORY_LOCK)  # held until the connection closes
    for setting in TIMEOUTS:
        connection.execute(text(setting))
    connection.commit()
    context.configure(connection=connection, transaction_per_migration=True, roles=roles)
    with context.begin_transaction():
        context.run_migrations()


async def connect_and_run() -> None:
    """Migrate over a new connection."""
    dsn = to_asyncpg_dsn(context.config.attributes["url"])
    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(dsn), poolclass=NullPool
    )
    async with engine.connect() as connection:
        await connection.run_sync(run_migrations)
    await engine.dispose()


if context.is_offline_mode():
    print_sql()
else:
    asyncio.run(connect_and_run())
