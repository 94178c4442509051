"""Times the daily scan of expiry dates: nothing is due, and every company has old expired dates.

python -m tests.bench.expiry_scan --drivers 1000000
"""

import argparse
import asyncio
import time
from datetime import timedelta

import psutil
from tests.bench import product
from tests.bench.population import insert_population
from tests.bench.table import Figure, print_table

from prawko.kit.clock import utc_now, warsaw_date
from prawko.verifications.expiry_reminders import ExpiryQuery, find_due_reminders
from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId

PER_COMPANY = 10
# Three of ten drivers have a category that expired long ago and was notified.
_LATEST = """
    UPDATE driver SET status = 'valid', verified_at = $1,
           latest = json_build_object(
               'expiryDate', '2034-05-17', 'categories', json_build_array(
                   json_build_object('kategoria', 'B', 'dataWaznosci', NULL),
                   json_build_object('kategoria', 'C', 'dataWaznosci', CASE
                       WHEN right(license_number, 1) IN ('1', '4', '7') THEN '2019-03-01'
                       ELSE '2033-02-01' END)))
"""
_NOTICES = """
    INSERT INTO notice (tenant_id, id, kind, driver_id, dedup_key, params, created_at)
    SELECT tenant_id, uuidv7(), 'expired', id, id::text, jsonb_build_object('expiries',
               jsonb_build_array(jsonb_build_object(
                   'on', '2019-03-01', 'category', 'C', 'threshold', -1))), $1
      FROM driver WHERE right(license_number, 1) IN ('1', '4', '7')
"""


async def measure(servers, logins, drivers: int) -> tuple[float, float, int]:
    """Return seconds of the scan, the processor seconds of all processes, and the companies."""
    admin = await insert_population(servers, logins, drivers, PER_COMPANY)
    now = utc_now()
    await admin.execute("SET session_replication_role = replica")  # skips foreign-key checks
    await admin.execute(_LATEST, now)
    await admin.execute(_NOTICES, now - timedelta(days=400))
    await admin.execute("VACUUM ANALYZE")
    tenants = [TenantId(row["id"]) for row in await admin.fetch("SELECT id FROM tenant")]
    server = psutil.Process(await admin.fetchval("SELECT pg_backend_pid()")).parent()
    assert server is not None
    database, query = Database(logins.worker), ExpiryQuery(10_000, warsaw_date(now), now)
    for tenant_id in tenants[:200]:  # warms the connections
        await find_due_reminders(database.reader(tenant_id), query)

    def cpu_seconds() -> float:
        tree = [psutil.Process(), server, *server.children(recursive=True)]
        return sum(sum(one.cpu_times()[:2]) for one in tree)

    began, used = time.perf_counter(), cpu_seconds()
    for tenant_id in tenants:
        assert await find_due_reminders(database.reader(tenant_id), query) == []
    seconds, processor = time.perf_counter() - began, cpu_seconds() - used
    await database.close()
    await admin.close()
    return seconds, processor, len(tenants)


def run(drivers: int) -> None:
    with product.create_database() as (servers, logins):
        seconds, processor, companies = asyncio.run(measure(servers, logins, drivers))
    print_table(
        f"the daily scan of {drivers:,} drivers in {companies:,} companies",
        [
            Figure("whole scan", f"{seconds:.1f} s, {processor:.1f} s of processor time"),
            Figure("for a company", f"{seconds / companies * 1000:.2f} ms"),
        ],
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--drivers", type=int, default=1_000_000)
    run(parser.parse_args().drivers)
