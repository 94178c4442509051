"""Inserts many drivers and companies directly into the tables, as the superuser."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import asyncpg
import uuid_utils.compat

from prawko_embedded import EmbeddedServers
from prawko_tenants.logins import Logins

FIRST_NAMES = ("Jan", "Władysława", "Świętosław", "Anna Maria", "Piotr", "Łucja", "Michał")
LAST_NAMES = ("Kowalski", "Brzęczyszczykiewicz-Żółkiewska", "Nowak", "Wójcik", "Źrebięcy")
BATCH_SIZE = 100_000


def licence_number(n: int) -> str:
    """Return the licence number of the nth driver."""
    return f"AB{n:06d}"


def driver_name(n: int) -> tuple[str, str]:
    """Return the first and last name of the nth driver."""
    return FIRST_NAMES[n % len(FIRST_NAMES)], LAST_NAMES[n % len(LAST_NAMES)]


async def connect_superuser(servers: EmbeddedServers, logins: Logins) -> asyncpg.Connection:
    """Open a connection to the bench's database without row-level security."""
    database = urlsplit(logins.owner).path.removeprefix("/")
    return await asyncpg.connect(servers.urls.admin_url.replace("/postgres?", f"/{database}?"))


async def insert_drivers(
    admin: asyncpg.Connection, first: int, last: int, *, per_company: int, now: datetime
) -> None:
    """Insert the drivers from `first` to before `last`, with companies and their owners."""
    companies = -(-(last - first) // per_company)
    tenants = [uuid_utils.compat.uuid7() for _ in range(companies)]
    await admin.execute(_COMPANIES, tenants, now - timedelta(days=1), now + timedelta(days=1000))
    for start in range(first, last, BATCH_SIZE):
        await admin.copy_records_to_table(
            "driver",
            columns=("tenant_id", "id", "first_name", "last_name", "license_number", "sort_key",
                     "created_at"),
            records=_driver_rows(tenants, range(start, min(last, start + BATCH_SIZE)), first,
                             per_company, now),
        )  # fmt: skip
    await admin.execute("ANALYZE")


def _driver_rows(
    tenants: list, numbers: range, first: int, per_company: int, now: datetime
) -> Iterator[tuple]:
    for n in numbers:
        first_name, last_name = driver_name(n)
        tenant = tenants[(n - first) // per_company]
        key = f"{last_name.lower()} {n}"
        yield tenant, uuid_utils.compat.uuid7(), first_name, last_name, licence_number(n), key, now


_COMPANIES = """
    WITH company AS (
        INSERT INTO tenant (id, company_name, created_at, updated_at)
        SELECT id, 'Firma', $2, $2 FROM unnest($1::uuid[]) AS id RETURNING id
    ), person AS (
        INSERT INTO user_account (id, email, email_key, password_hash, email_verified,
                                  created_at, updated_at)
        SELECT id, id || '@bench.test', id || '@bench.test', '', true, $2, $2 FROM company
        RETURNING id
    ), member AS (
        INSERT INTO membership (tenant_id, user_id, role, created_at)
        SELECT id, id, 'owner', $2 FROM person
    )
    INSERT INTO subscription (tenant_id, id, status, driver_limit, start_date,
                              end_date, monitored_until, created_at, updated_at)
    SELECT id, uuidv7(), 'active', 10000, $2, $3, $3, $2, $2 FROM person
"""
