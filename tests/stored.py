"""Looks behind the panel, and writes what other parts of the product will write."""

import json
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
from sqlalchemy import text

from persons import Person
from prawko.base.jobs import Tools
from prawko.billing.models import SubscriptionOrder
from prawko_tenants.ids import TenantId, new_id
from prawko_tenants.logins import Logins

_SUBSCRIBE = text("""
    INSERT INTO subscription (tenant_id, id, status, driver_limit, price_net, is_trial,
                              start_date, end_date, checked_until, cancelled_at, created_at,
                              updated_at)
    VALUES (:tenant_id, :id, :status, :driver_limit, 149, false,
            :now, :end_date, :end_date, :cancelled_at, :now, :now)
""")
_PAYMENT = text("""
    INSERT INTO payment (id, tenant_id, key, order_id, provider, method, grosze, currency, save,
                         state, created_at, settled_at)
    VALUES (:id, :tenant_id, '0123456789AB', :id, 'fake', 'card', 18327, 'PLN', true, 'paid',
            :now, :now)
""")
_MANDATE = text("""
    INSERT INTO payment_mandate (tenant_id, id, provider, method, token, key_id, label, created_at)
    VALUES (:tenant_id, :id, 'fake', 'card', 'sealed', 'payload', '•••• 4242', :now)
""")
_END = text("UPDATE subscription SET end_date = :end_date, checked_until = :end_date")
_ANSWER = text("""
    INSERT INTO register_answer (tenant_id, driver_id, id, first_seen_at, document_no, first_name,
                                 last_name, license_number, hash, key_id, raw, document_code,
                                 document_status, issuing_authority, expiry_date, categories,
                                 reasons, notes)
    SELECT tenant_id, id, :answer_id, :at, document_no, first_name, last_name, license_number,
           decode(:hash, 'hex'), 'none', '', 'DICT003_WYD', :document_status, 'Starosta Wołomiński',
           :expiry_date, '[{"kategoria": "B", "dataWaznosci": null}]', '[]', NULL
      FROM driver WHERE id = :driver_id
    ON CONFLICT DO NOTHING
""")
_VERIFICATION = text("""
    INSERT INTO verification (tenant_id, driver_id, id, verified_at, answer_id, outcome)
    SELECT d.tenant_id, d.id, :id, :at, a.id, :outcome
      FROM driver d JOIN register_answer a
        ON a.driver_id = d.id AND a.document_no = d.document_no AND a.hash = decode(:hash, 'hex')
     WHERE d.id = :driver_id
""")
_LATEST = text("""
    UPDATE driver SET status = :outcome, verified_at = :at, latest = CAST(:latest AS json)
     WHERE id = :driver_id
""")


async def look(logins: Logins, sql: str, *args: object) -> list[dict[str, Any]]:
    """Read rows of all companies, as only a backup may."""
    connection = await asyncpg.connect(logins.backup)
    try:
        return [dict(row) for row in await connection.fetch(sql, *args)]
    finally:
        await connection.close()


async def write(logins: Logins, sql: str, *args: object) -> None:
    """Change rows that no company owns, as only the owner may."""
    connection = await asyncpg.connect(logins.owner)
    try:
        await connection.execute(sql, *args)
    finally:
        await connection.close()


async def count(logins: Logins, table: str) -> int:
    """How many rows there are, of all companies."""
    return (await look(logins, f"SELECT count(*) AS n FROM {table}"))[0]["n"]


async def subscribed(
    person: Person, worker: Tools, *, status: str = "active", driver_limit: int = 5,
    days: int = 30, cancelled: bool = False,
) -> None:  # fmt: skip
    """What an order that was paid will write."""
    tenant_id = TenantId(await person.tenant_id(worker))
    now = worker.clock.now()
    async with worker.database.tenant(tenant_id) as session:
        await session.execute(
            _SUBSCRIBE,
            {
                "tenant_id": tenant_id, "id": new_id(), "status": status,
                "driver_limit": driver_limit, "now": now, "end_date": now + timedelta(days=days),
                "cancelled_at": now if cancelled else None,
            },
        )  # fmt: skip


async def ordered(person: Person, worker: Tools) -> str:
    """An order that waits for its payment; its id."""
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


async def paid_by_card(person: Person, worker: Tools) -> None:
    """A payment, and the card that was saved with it."""
    tenant_id = TenantId(await person.tenant_id(worker))
    about = {"tenant_id": tenant_id, "id": new_id(), "now": worker.clock.now()}
    async with worker.database.tenant(tenant_id) as session:
        await session.execute(_PAYMENT, about)
        await session.execute(_MANDATE, about)


async def ends_at(person: Person, worker: Tools, end_date: datetime) -> None:
    """Move the end of all the company's subscriptions."""
    async with worker.database.tenant(TenantId(await person.tenant_id(worker))) as session:
        await session.execute(_END, {"end_date": end_date})


async def answered(
    person: Person, tools: Tools, driver_id: str, *, at: datetime | None = None,
    outcome: str = "valid", document_status: str | None = "Wydany",
    expiry_date: Any = None,
) -> UUID:  # fmt: skip
    """What a check that got an answer writes; `tools` are the panel's."""
    at = at or tools.clock.now()
    digest = {"valid": "0a", "invalid": "0b", "attention": "0c", "not_found": "0d"}[outcome] * 32
    verification_id = new_id()
    async with tools.database.system() as session:
        await session.execute(text("SELECT ensure_month(:day)"), {"day": at.date()})
    about = {"driver_id": UUID(driver_id), "at": at}
    known = {**about, "hash": digest, "document_status": document_status}
    told = {**about, "outcome": outcome}
    latest = json.dumps({"id": str(verification_id), "status": outcome})
    async with tools.database.tenant(TenantId(await person.tenant_id(tools))) as session:
        await session.execute(_ANSWER, {**known, "answer_id": new_id(), "expiry_date": expiry_date})
        await session.execute(_VERIFICATION, {**told, "hash": digest, "id": verification_id})
        await session.execute(_LATEST, {**told, "latest": latest})
    return verification_id
