"""Reads the database as its owner or backup, and inserts rows that a test needs."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
from sqlalchemy import text

from prawko.billing.models import SubscriptionOrder
from prawko.kit.context import AppContext
from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId, new_id
from prawko_tenants.logins import Logins
from support.people import Person

_INSERT_SUBSCRIPTION = text("""
    INSERT INTO subscription (tenant_id, id, status, driver_limit, is_trial,
                              start_date, end_date, monitored_until, cancelled_at, created_at,
                              updated_at)
    VALUES (:tenant_id, :id, :status, :driver_limit, false,
            :now, :end_date, :end_date, :cancelled_at, :now, :now)
""")
_SET_END = text("UPDATE subscription SET end_date = :end_date, monitored_until = :end_date")
_INSERT_ANSWER = text("""
    INSERT INTO register_answer (tenant_id, driver_id, id, first_seen_at, document_version,
                                 first_name, last_name, license_number, hash, key_id, raw,
                                 document_code, document_status, issuing_authority, expiry_date,
                                 categories, reasons, notes)
    SELECT tenant_id, id, :answer_id, :at, document_version, first_name, last_name, license_number,
           decode(:hash, 'hex'), 'none', '', 'DICT003_WYD', :document_status, 'Starosta Wołomiński',
           :expiry_date, '[{"kategoria": "B", "dataWaznosci": null}]', '[]', NULL
      FROM driver WHERE id = :driver_id
    ON CONFLICT DO NOTHING
""")
_INSERT_VERIFICATION = text("""
    INSERT INTO verification (tenant_id, driver_id, id, verified_at, answer_id, outcome)
    SELECT d.tenant_id, d.id, :id, :at, a.id, :outcome
      FROM driver d JOIN register_answer a
        ON a.driver_id = d.id AND a.document_version = d.document_version
       AND a.hash = decode(:hash, 'hex')
     WHERE d.id = :driver_id
""")
_SET_LATEST = text("""
    UPDATE driver SET status = :outcome, verified_at = :at, latest = CAST(:latest AS json)
     WHERE id = :driver_id
""")


async def read_login_role(url: str) -> str:
    """Connect and return the role that the session has."""
    connection = await asyncpg.connect(url)
    try:
        role: str = await connection.fetchval("SELECT current_user")
    finally:
        await connection.close()
    return role


async def fetch_rows(logins: Logins, sql: str, *args: object) -> list[dict[str, Any]]:
    """Return rows of all companies, read with the backup's login."""
    connection = await asyncpg.connect(logins.backup)
    try:
        return [dict(row) for row in await connection.fetch(sql, *args)]
    finally:
        await connection.close()


@asynccontextmanager
async def open_as_owner(context: AppContext, logins: Logins) -> AsyncIterator[AppContext]:
    """Open the context with the owner's login, which the commands about people have."""
    database = Database(logins.owner)
    try:
        yield replace(context, database=database)
    finally:
        await database.close()


async def execute_as_owner(logins: Logins, sql: str, *args: object) -> None:
    """Execute a statement with the owner's login, on tables that no company owns."""
    connection = await asyncpg.connect(logins.owner)
    try:
        await connection.execute(sql, *args)
    finally:
        await connection.close()


async def age_tries(logins: Logins, **ago: float) -> None:
    """Move the tries of every rate limit into the past, by the parts of a `timedelta`."""
    await execute_as_owner(
        logins,
        """
        UPDATE throttle
           SET tries = ARRAY(SELECT at - $1::interval FROM unnest(tries) AS at),
               window_started_at = window_started_at - $1::interval
        """,
        timedelta(**ago),
    )


async def count_rows(logins: Logins, table: str) -> int:
    """Return the number of rows of all companies."""
    return (await fetch_rows(logins, f"SELECT count(*) AS n FROM {table}"))[0]["n"]


async def insert_subscription(
    person: Person, worker: AppContext, *, status: str = "active", driver_limit: int = 5,
    days: int = 30, cancelled: bool = False,
) -> None:  # fmt: skip
    """Insert a subscription as a paid order would."""
    tenant_id = TenantId(await person.tenant_id(worker))
    now = worker.clock.now()
    async with worker.database.tenant(tenant_id) as session:
        await session.execute(
            _INSERT_SUBSCRIPTION,
            {
                "tenant_id": tenant_id, "id": new_id(), "status": status,
                "driver_limit": driver_limit, "now": now, "end_date": now + timedelta(days=days),
                "cancelled_at": now if cancelled else None,
            },
        )  # fmt: skip


async def insert_order(person: Person, worker: AppContext) -> str:
    """Insert an unpaid order and return its id."""
    now, order_id = worker.clock.now(), new_id()
    async with worker.database.tenant(TenantId(await person.tenant_id(worker))) as session:
        session.add(
            SubscriptionOrder(
                id=order_id, kind="period", state="open", driver_limit=5, lines=[], net=149_00,
                vat=34_27, method="card", company_name="Acme", tax_id="5260250274",
                street="Prosta 1", postal_code="00-950", city="Warszawa", created_at=now,
            )
        )  # fmt: skip
    return str(order_id)


async def set_subscription_end(person: Person, worker: AppContext, end_date: datetime) -> None:
    """Move the end of all the company's subscriptions."""
    async with worker.database.tenant(TenantId(await person.tenant_id(worker))) as session:
        await session.execute(_SET_END, {"end_date": end_date})


async def insert_verification(
    person: Person, context: AppContext, driver_id: str, *, verified_at: datetime | None = None,
    outcome: str = "valid", document_status: str | None = "Wydany",
    expiry_date: Any = None,
) -> UUID:  # fmt: skip
    """Insert an answer and its verification, update the driver; return the verification's id."""
    verified_at = verified_at or context.clock.now()
    digest = {"valid": "0a", "invalid": "0b", "attention": "0c", "not_found": "0d"}[outcome] * 32
    verification_id = new_id()
    async with context.database.system() as session:
        await session.execute(text("SELECT ensure_month(:day)"), {"day": verified_at.date()})
    check = {"driver_id": UUID(driver_id), "at": verified_at}
    answer = {**check, "hash": digest, "document_status": document_status}
    result = {**check, "outcome": outcome}
    latest = json.dumps(
        {
            "id": str(verification_id), "status": outcome, "verifiedAt": verified_at.isoformat(),
            "documentStatus": document_status, "issuingAuthority": "Starosta Wołomiński",
            "expiryDate": expiry_date and str(expiry_date), "expired": False,
            "categories": [{"kategoria": "B", "dataWaznosci": None}],
        }
    )  # fmt: skip
    async with context.database.tenant(TenantId(await person.tenant_id(context))) as session:
        await session.execute(
            _INSERT_ANSWER, {**answer, "answer_id": new_id(), "expiry_date": expiry_date}
        )
        await session.execute(
            _INSERT_VERIFICATION, {**result, "hash": digest, "id": verification_id}
        )
        await session.execute(_SET_LATEST, {**result, "latest": latest})
    return verification_id
