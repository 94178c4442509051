"""Alembic environment: one connection, one transaction for each revision."""

import asyncio
import time

import asyncpg
from alembic import context
from sqlalchemy import Connection, NullPool, text
from sqlalchemy.ext.asyncio import create_async_engine

from prawko_migrations import MigrationError
from prawko_tenants.urls import to_asyncpg_dsn

# A migration that waits for a lock blocks all later transactions, so it gives up soon, and its
# caller tries again.
TIMEOUTS = ("SET lock_timeout = '1s'", "SET statement_timeout = '15min'")
TRY_ADVISORY_LOCK = text("SELECT pg_try_advisory_lock(hashtext('prawko_migrations'))")
POLL_SECONDS = 0.2
CONNECT_SECONDS = 10
RESPONSE_SECONDS = 16 * 60  # a little more than the server's own limit

roles = context.config.attributes["roles"]


def print_sql() -> None:
    """Print the SQL instead of running it (Alembic's offline mode)."""
    context.configure(dialect_name="postgresql", transaction_per_migration=True, roles=roles)
    for setting in TIMEOUTS:
        context.execute(setting)
    with context.begin_transaction():
        context.run_migrations()


def run_migrations(connection: Connection) -> None:
    """Run the missing revisions; concurrent callers wait. Raises MigrationError."""
    while not connection.scalar(TRY_ADVISORY_LOCK):  # held until the connection closes
        connection.rollback()
        if time.monotonic() > context.config.attributes["wait_until"]:
            raise MigrationError(
                "another migration of this database is running, or its connection was left open"
                " by a pooler: wait for it, or end the session that holds an advisory lock"
            )
        time.sleep(POLL_SECONDS)
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
        "postgresql+asyncpg://",
        async_creator=lambda: asyncpg.connect(
            dsn, timeout=CONNECT_SECONDS, command_timeout=RESPONSE_SECONDS
        ),
        poolclass=NullPool,
    )
    try:
        async with engine.connect() as connection:
            await connection.run_sync(run_migrations)
    finally:
        await engine.dispose()


if context.is_offline_mode():
    print_sql()
else:
    asyncio.run(connect_and_run())
