"""Inserts a large number of drivers with SQL, for the benchmarks of size."""

from datetime import timedelta

import asyncpg
from tests.bench import fleet
from tests.bench.daily_product import noon_clock


async def insert_population(servers, logins, drivers: int, per_company: int) -> asyncpg.Connection:
    """Insert companies with so many drivers each; return the superuser's connection."""
    admin = await fleet.connect_superuser(servers, logins)
    now = noon_clock(0).now()
    await admin.execute("SET session_replication_role = replica")  # skips foreign-key checks
    await admin.execute(
        _COMPANIES, drivers // per_company, now - timedelta(days=1), now + timedelta(days=1000)
    )
    await admin.execute(_DRIVERS, per_company, now)
    await admin.execute("SET session_replication_role = DEFAULT")
    await admin.execute("VACUUM ANALYZE driver")
    await admin.execute("ANALYZE")
    return admin


_COMPANIES = """
    WITH company AS (
        INSERT INTO tenant (id, company_name, created_at, updated_at)
        SELECT uuidv7(), 'Firma ' || n, $2, $2 FROM generate_series(1, $1::int) AS n
        RETURNING id
    )
    INSERT INTO subscription (tenant_id, id, status, driver_limit, start_date,
                              end_date, monitored_until, created_at, updated_at)
    SELECT id, uuidv7(), 'active', 10000, $2, $3, $3, $2, $2 FROM company
"""
_DRIVERS = """
    INSERT INTO driver (tenant_id, id, first_name, last_name, license_number, sort_key,
                        created_at)
    SELECT t.id, uuidv7(), 'Władysława', 'Brzęczyszczykiewicz', 'AB' || lpad(n::text, 6, '0'),
           lpad(n::text, 6, '0'), $2
      FROM tenant t CROSS JOIN generate_series(1, $1::int) AS n
"""
