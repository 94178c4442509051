"""Benchmark of the list and a history page with few and with many drivers in the database.

Both databases have the same 36 monthly partitions, today's row of every driver, and three
full years of 10,000 of them, spread among the others.
"""

import argparse
import asyncio
import random
import time
from datetime import date, timedelta

import asyncpg
from tests.bench import product
from tests.bench.population import insert_population
from tests.bench.table import Figure, at_most, median, print_table

from prawko.drivers.queries import DriverQueries
from prawko.kit.clock import utc_now
from prawko.kit.crypto import KeyRing
from prawko.kit.database import Pagination
from prawko.verifications.history import list_history
from prawko_tenants.engine import Database
from prawko_tenants.policies import CURRENT_TENANT

PER_COMPANY = 50
DAYS = 1095
FEW = 10_000
ROUNDS = 400

# `ensure_month` creates no partition that is more than two years old.
_MONTH = """
    CREATE TABLE IF NOT EXISTS {name} PARTITION OF verification
        FOR VALUES FROM ('{first} 00:00:00+00') TO ('{next} 00:00:00+00');
    ALTER TABLE {name} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE {name} FORCE ROW LEVEL SECURITY;
    DROP POLICY IF EXISTS tenant_isolation ON {name};
    CREATE POLICY tenant_isolation ON {name} USING (tenant_id = {company})
"""
_ENCRYPTED = b"encrypted with a lost key: the page shows everything else"
_ANSWERS = """
    INSERT INTO register_answer (tenant_id, driver_id, id, first_seen_at, document_version,
        first_name, last_name, license_number, hash, key_id, raw, document_code, document_status,
        issuing_authority, expiry_date, categories, reasons)
    SELECT tenant_id, id, uuidv7(), $1, 1, first_name, last_name, license_number,
           sha256(id::text::bytea), 'lost', $2, 'DICT003_WYD', 'Wydany', 'Prezydent Miasta Łodzi',
           '2039-01-01', '[{"kategoria": "B", "dataWaznosci": "2039-01-01"}]', '[]'
      FROM driver
"""
_TODAYS_CHECKS = """
    INSERT INTO verification (tenant_id, driver_id, id, verified_at, answer_id, outcome)
    SELECT tenant_id, driver_id, uuidv7(), $1, id, 'valid' FROM register_answer
"""
PAST_CHECKS = """
    INSERT INTO verification (tenant_id, driver_id, id, verified_at, answer_id, outcome)
    SELECT a.tenant_id, a.driver_id, uuidv7(), $1::timestamptz - d * interval '1 day', a.id,
           'valid'
      FROM generate_series(1, $2::int) AS d
     CROSS JOIN (SELECT *, row_number() OVER (ORDER BY tenant_id, driver_id) AS n
                   FROM register_answer) AS a
     WHERE a.n % $3::int = 0
"""
SET_FIRST_SEEN = """
    UPDATE register_answer AS a SET first_seen_at = v.oldest
      FROM (SELECT tenant_id, driver_id, min(verified_at) AS oldest
              FROM verification WHERE verified_at < $1 GROUP BY tenant_id, driver_id) AS v
     WHERE v.tenant_id = a.tenant_id AND v.driver_id = a.driver_id
"""
_LATEST = """
    UPDATE driver SET status = 'valid', verified_at = $1,
           latest = json_build_object('id', id, 'status', 'valid', 'licenseNumber', license_number)
"""
_SAMPLE = """
    SELECT tenant_id, driver_id AS id FROM verification
     WHERE verified_at < $1 AND verified_at >= $1 - interval '2 days'
     ORDER BY md5(driver_id::text) LIMIT 200
"""


async def measure(servers, logins, drivers: int, few: int, days: int) -> tuple[float, float]:
    """Return the milliseconds of a list with the newest verifications, and of a history page."""
    admin = await insert_population(servers, logins, drivers, PER_COMPANY)
    now = utc_now()
    await admin.execute("SET session_replication_role = replica")  # skips foreign-key checks
    await create_months(admin, (now - timedelta(days=days)).date(), now.date())
    await admin.execute(_ANSWERS, now, _ENCRYPTED)
    await admin.execute(_TODAYS_CHECKS, now)
    await admin.execute(PAST_CHECKS, now, days, drivers // few)
    await admin.execute(SET_FIRST_SEEN, now)
    await admin.execute(_LATEST, now)
    await admin.execute("VACUUM ANALYZE")
    await admin.execute("CHECKPOINT")  # so that the measured reads write no dirty pages
    sample = await admin.fetch(_SAMPLE, now)
    database, key_ring = Database(logins.app), KeyRing(b"a secret of the benches, 32 byte")
    lists, pages = [], []
    random.seed(1)
    for round_number in range(-len(sample), ROUNDS):  # each once before, to warm the caches
        driver = sample[round_number] if round_number < 0 else random.choice(sample)
        started = time.perf_counter()
        body = await DriverQueries(database.reader(driver["tenant_id"]), now).list_drivers(
            5, Pagination(1, 50)
        )
        lists.append(time.perf_counter() - started)
        assert body.count(b"licenseNumber") >= PER_COMPANY
        started = time.perf_counter()
        async with database.tenant(driver["tenant_id"]) as session:
            page = await list_history(session, key_ring, driver["id"], Pagination(1, 25))
        pages.append(time.perf_counter() - started)
        assert len(page[0]) == 25
    await database.close()
    await admin.close()
    return median(lists[-ROUNDS:]) * 1000, median(pages[-ROUNDS:]) * 1000


async def create_months(admin: asyncpg.Connection, since: date, until: date) -> None:
    """Create the partitions of all months from one day to the other."""
    first = since.replace(day=1)
    while first <= until:
        after = (first + timedelta(days=31)).replace(day=1)
        name = f"verification_{first:%Y%m}"
        await admin.execute(
            _MONTH.format(name=name, first=first, next=after, company=CURRENT_TENANT)
        )
        first = after


def measure_size(drivers: int, few: int, days: int) -> tuple[float, float]:
    with product.create_database() as (servers, logins):
        return asyncio.run(measure(servers, logins, drivers, few, days))


def run(*, small: bool = False, drivers: int = 200_000) -> None:
    few, days = (500, 60) if small else (FEW, DAYS)
    many = 10_000 if small else drivers
    list_few, page_few = measure_size(few, few, days)
    list_many, page_many = measure_size(many, few, days)
    print_table(
        f"among {many:,} drivers and among {few:,}",
        [
            Figure("list of 50, five verifications each", f"{list_few:.2f}, {list_many:.2f} ms"),
            at_most("  many / few", list_many / list_few, 1.3),
            Figure("page of a history", f"{page_few:.2f}, {page_many:.2f} ms"),
            at_most("  many / few", page_many / page_few, 1.3),
        ],
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--drivers", type=int, default=200_000, help="1000000 is the full size")
    arguments = parser.parse_args()
    run(small=arguments.small, drivers=arguments.drivers)
