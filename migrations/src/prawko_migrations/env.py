"""How Alembic reaches the database: one connection, one transaction for each step."""

import asyncio

import asyncpg
from alembic import context
from sqlalchemy import Connection, NullPool, text
from sqlalchemy.ext.asyncio import create_async_engine

from prawko_tenants.urls import plain

# A change that cannot have its lock at once gives up: waiting, it would hold everybody else.
LIMITS = ("SET lock_timeout = '5s'", "SET statement_timeout = '15min'")
ONE_AT_A_TIME = text("SELECT pg_advisory_lock(hashtext('prawko_migrations'))")

roles = context.config.attributes["roles"]


def emit() -> None:
    """Write the SQL down instead of running it."""
    context.configure(dialect_name="postgresql", transaction_per_migration=True, roles=roles)
    for limit in LIMITS:
        context.execute(limit)
    with context.begin_transaction():
        context.run_migrations()


def migrate(connection: Connection) -> None:
    """Run what is missing, one caller at a time."""
    connection.execute(ONE_AT_A_TIME)  # held until the connection closes
    for limit in LIMITS:
        connection.execute(text(limit))
    connection.commit()
    context.configure(connection=connection, transaction_per_migration=True, roles=roles)
    with context.begin_transaction():
        context.run_migrations()


async def connect_and_migrate() -> None:
    """Migrate over a connection of its own."""
    dsn = plain(context.config.attributes["url"])
    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(dsn), poolclass=NullPool
    )
    async with engine.connect() as connection:
        await connection.run_sync(migrate)
    await engine.dispose()


if context.is_offline_mode():
    emit()
else:
    asyncio.run(connect_and_migrate())
