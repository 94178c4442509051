"""Benchmark of storage: bytes of a repeated check with its index, after a reindex."""

import argparse
import asyncio

from tests.bench import product
from tests.bench.daily_product import noon_clock
from tests.bench.population import insert_population
from tests.bench.table import Figure, at_most, print_table

DAYS = 10


async def measure(servers, logins, drivers: int) -> None:
    """Insert one check per driver and day, as the daily check stores them."""
    admin = await insert_population(servers, logins, drivers, 50)
    now = noon_clock(0).now().replace(day=5)
    await admin.execute("SELECT ensure_month($1)", now.date())
    await admin.execute(_ANSWERS, now)
    await admin.execute(_CHECKS, now, DAYS)
    await admin.execute("SELECT ensure_day($1)", now.date())
    await admin.execute(_ITEMS, now)
    for table in ("verification", "check_item"):
        await admin.execute(f"REINDEX TABLE {table}")
    verification = await admin.fetchval(_BYTES, "verification")
    item = await admin.fetchval(_BYTES, "check_item")
    answer = await admin.fetchval(
        "SELECT pg_total_relation_size('register_answer')::float / count(*) FROM register_answer"
    )
    await admin.close()
    repeated = verification / (drivers * DAYS)
    print_table(
        f"bytes of a check, {drivers:,} drivers on {DAYS} days of one month",
        [
            at_most("a repeated check, with its index", repeated, 180, ".0f", " B"),
            Figure("its check item, kept for 14 days", f"{item / drivers:.0f} B"),
            Figure("a new answer, once per content", f"{answer:.0f} B"),
        ],
    )


_ANSWERS = """
    INSERT INTO register_answer (tenant_id, driver_id, id, first_seen_at, document_version,
        first_name, last_name, license_number, hash, key_id, raw, document_code, document_status,
        issuing_authority, expiry_date, categories, reasons)
    SELECT tenant_id, id, uuidv7(), $1, 1, first_name, last_name, license_number,
           sha256(id::text::bytea), 'derived', convert_to(repeat(md5(id::text), 18), 'UTF8'),
           'DICT003_WYD', 'Wydany', 'Prezydent Miasta Łodzi', '2039-01-01',
           '[{"kategoria": "B", "dataWaznosci": "2039-01-01"}]', '[]'
      FROM driver
"""
_CHECKS = """
    INSERT INTO verification (tenant_id, driver_id, id, verified_at, answer_id, outcome)
    SELECT a.tenant_id, a.driver_id, uuidv7(),
           $1::timestamptz + day * interval '1 day' + random() * interval '10 minutes',
           a.id, 'valid'
      FROM generate_series(0, $2::int - 1) AS day CROSS JOIN register_answer a
"""
_ITEMS = """
    INSERT INTO check_item (day, tenant_id, driver_id, document_version, next_try_at, state, fence,
                            attempts, asked_at_system, answer_id, outcome, done_at)
    SELECT $1::timestamptz::date, tenant_id, driver_id, 1, $1, 'done', 1, 1, $1, id, 'valid', $1
      FROM register_answer
"""
_BYTES = """
    SELECT sum(pg_total_relation_size(inhrelid))::float FROM pg_inherits
     WHERE inhparent = $1::text::regclass
"""


def run(*, small: bool = False) -> None:
    with product.create_database() as (servers, logins):
        asyncio.run(measure(servers, logins, 5_000 if small else 50_000))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--small", action="store_true")
    run(small=parser.parse_args().small)
