"""The list and a history page among many drivers and among few: both must stay as quick.

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
from tests.bench.crowd import crowd
from tests.bench.table import Figure, at_most, middle, show

from prawko.base.clock import machine_now
from prawko.base.pages import Page
from prawko.base.secrets import Vault
from prawko.drivers.reading import list_drivers
from prawko.verifications.history import page_of_history
from prawko_tenants.engine import Database
from prawko_tenants.policies import COMPANY

PER_COMPANY = 50
DAYS = 1095
FEW = 10_000
ROUNDS = 400

# By hand: `ensure_month` makes none that lies more than two years back.
_MONTH = """
    CREATE TABLE IF NOT EXISTS {name} PARTITION OF verification
        FOR VALUES FROM ('{first} 00:00:00+00') TO ('{next} 00:00:00+00');
    ALTER TABLE {name} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE {name} FORCE ROW LEVEL SECURITY;
    DROP POLICY IF EXISTS own_company ON {name};
    CREATE POLICY own_company ON {name} USING (tenant_id = {company})
"""
_SEALED = b"sealed with a key nobody has: the page shows everything else"
_ANSWERS = """
    INSERT INTO register_answer (tenant_id, driver_id, id, first_seen_at, document_no, first_name,
        last_name, license_number, hash, key_id, raw, document_code, document_status,
        issuing_authority, expiry_date, categories, reasons)
    SELECT tenant_id, id, uuidv7(), $1, 1, first_name, last_name, license_number,
           sha256(id::text::bytea), 'lost', $2, 'DICT003_WYD', 'Wydany', 'Prezydent Miasta Łodzi',
           '2039-01-01', '[{"kategoria": "B", "dataWaznosci": "2039-01-01"}]', '[]'
      FROM driver
"""
_TODAY = """
    INSERT INTO verification (tenant_id, driver_id, id, verified_at, answer_id, outcome)
    SELECT tenant_id, driver_id, uuidv7(), $1, id, 'valid' FROM register_answer
"""
_YEARS = """
    INSERT INTO verification (tenant_id, driver_id, id, verified_at, answer_id, outcome)
    SELECT a.tenant_id, a.driver_id, uuidv7(), $1::timestamptz - d * interval '1 day', a.id,
           'valid'
      FROM generate_series(1, $2::int) AS d
     CROSS JOIN (SELECT *, row_number() OVER (ORDER BY tenant_id, driver_id) AS n
                   FROM register_answer) AS a
     WHERE a.n % $3::int = 0
"""
_SINCE = """
    UPDATE register_answer AS a SET first_seen_at = v.oldest
      FROM (SELECT tenant_id, driver_id, min(verified_at) AS oldest
              FROM verification WHERE verified_at < $1 GROUP BY tenant_id, driver_id) AS v
     WHERE v.tenant_id = a.tenant_id AND v.driver_id = a.driver_id
"""
_LATEST = """
    UPDATE driver SET status = 'valid', verified_at = $1,
           latest = json_build_object('id', id, 'status', 'valid', 'licenseNumber', license_number)
"""
_SOME = """
    SELECT tenant_id, driver_id AS id FROM verification
     WHERE verified_at < $1 AND verified_at >= $1 - interval '2 days'
     ORDER BY md5(driver_id::text) LIMIT 200
"""


async def measure(servers, logins, drivers: int, few: int, days: int) -> tuple[float, float]:
    """Milliseconds of a list with the newest verifications, and of a history page."""
    admin = await crowd(servers, logins, drivers, PER_COMPANY)
    now = machine_now()
    await admin.execute("SET session_replication_role = replica")  # the keys are right by make
    await make_months(admin, (now - timedelta(days=days)).date(), now.date())
    await admin.execute(_ANSWERS, now, _SEALED)
    await admin.execute(_TODAY, now)
    await admin.execute(_YEARS, now, days, drivers // few)
    await admin.execute(_SINCE, now)
    await admin.execute(_LATEST, now)
    await admin.execute("VACUUM ANALYZE")
    await admin.execute("CHECKPOINT")  # no reader shall write what the loading left behind
    some = await admin.fetch(_SOME, now)
    database, vault = Database(logins.app), Vault(b"a secret of the benches, 32 byte")
    lists, pages = [], []
    random.seed(1)
    for turn in range(-len(some), ROUNDS):  # each once before, so that both sides are as warm
        one = some[turn] if turn < 0 else random.choice(some)
        started = time.perf_counter()
        body = await list_drivers(database.read(one["tenant_id"]), now, 5, Page(1, 50))
        lists.append(time.perf_counter() - started)
        assert body.count(b"licenseNumber") >= PER_COMPANY
        started = time.perf_counter()
        async with database.tenant(one["tenant_id"]) as session:
            found = await page_of_history(session, vault, one["id"], Page(1, 25))
        pages.append(time.perf_counter() - started)
        assert found is not None
        assert len(found[0]) == 25
    await database.close()
    await admin.close()
    return middle(lists[-ROUNDS:]) * 1000, middle(pages[-ROUNDS:]) * 1000


async def make_months(admin: asyncpg.Connection, since: date, until: date) -> None:
    """The partitions of all months from one day to the other."""
    first = since.replace(day=1)
    while first <= until:
        after = (first + timedelta(days=31)).replace(day=1)
        name = f"verification_{first:%Y%m}"
        await admin.execute(_MONTH.format(name=name, first=first, next=after, company=COMPANY))
        first = after


def side(drivers: int, few: int, days: int) -> tuple[float, float]:
    with product.database() as (servers, logins):
        return asyncio.run(measure(servers, logins, drivers, few, days))


def run(*, small: bool = False, drivers: int = 200_000) -> None:
    few, days = (500, 60) if small else (FEW, DAYS)
    many = 10_000 if small else drivers
    list_few, page_few = side(few, few, days)
    list_many, page_many = side(many, few, days)
    show(
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
    given = parser.parse_args()
    run(small=given.small, drivers=given.drivers)
