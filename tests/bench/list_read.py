"""Benchmark of `GET /api/drivers` for 50 drivers, with the latest verification of each."""

import asyncio
import datetime as dt
import hashlib
import subprocess
import sys
import uuid

import asyncpg
import msgspec
import uuid_utils.compat
from tests.bench import product
from tests.bench.load import LoadResult
from tests.bench.table import median

DRIVERS = 50
ROUNDS = 5
SECONDS = 3.0
TOKEN = "a-token-of-the-benchmark"
COOKIE = f"prawko={TOKEN}"
PATH = "/api/drivers?verifications=1"


async def insert_companies(
    owner_url: str, companies: int = 40, drivers: int = DRIVERS
) -> uuid.UUID:
    """Insert companies with drivers checked today; return the first company's id."""
    connection = await asyncpg.connect(owner_url)
    now = dt.datetime.now(dt.UTC)
    first = None
    for _ in range(companies):
        tenant = uuid_utils.compat.uuid7()
        first = first or tenant
        async with connection.transaction():
            await connection.execute("SELECT set_config('app.tenant_id', $1, true)", str(tenant))
            await connection.execute(
                "INSERT INTO tenant (id, created_at, updated_at) VALUES ($1, $2, $2)", tenant, now
            )
            await connection.execute(INSERT_SUBSCRIPTION, uuid_utils.compat.uuid7(), tenant, now)
            await connection.execute(INSERT_DRIVERS, tenant, now, drivers)
    await connection.execute(INSERT_PERSON, uuid_utils.compat.uuid7(), first, now)
    digest = hashlib.sha256(TOKEN.encode()).digest()
    await connection.execute(INSERT_SESSION, digest, now + dt.timedelta(hours=1), now, first)
    await connection.execute(CREATE_PEER_TABLE)
    for tenant in await connection.fetch("SELECT tenant_id FROM membership"):
        async with connection.transaction():
            await connection.execute(
                "SELECT set_config('app.tenant_id', $1, true)", str(tenant["tenant_id"])
            )
            await connection.execute(INSERT_PEER_ROWS)
    await connection.execute("ANALYZE")
    await connection.close()
    return first


INSERT_SUBSCRIPTION = """
    INSERT INTO subscription (id, tenant_id, status, driver_limit, is_trial,
        start_date, end_date, monitored_until, company_name, tax_id, street, postal_code, city,
        created_at, updated_at)
    VALUES ($1, $2, 'active', 10000, false, $3::timestamptz,
        $3::timestamptz + interval '30 days', $3::timestamptz + interval '30 days', '', '', '', '',
        '', $3, $3)
"""
INSERT_DRIVERS = """
    INSERT INTO driver (id, tenant_id, first_name, last_name, license_number, sort_key, status,
                        document_version, verified_at, asked_at_system, latest, created_at)
    SELECT d.id, $1, 'Władysława', 'Brzęczyszczykiewicz-Żółkiewska',
           'AB' || lpad(n::text, 6, '0'), lpad(n::text, 6, '0'), 'valid', 1, $2, $2,
           json_build_object(
             'id', uuidv7(), 'driverId', d.id, 'status', 'valid', 'verifiedAt', $2::timestamptz,
             'documentStatus', 'Wydany', 'documentCode', 'DICT003_WYD',
             'issuingAuthority', 'PREZYDENT MIASTA ŁODZI', 'expiryDate', '2039-05-17',
             'expired', false,
             'categories', json_build_array(
                json_build_object('kategoria', 'B', 'dataWaznosci', '2039-05-17'),
                json_build_object('kategoria', 'C', 'dataWaznosci', '2029-05-17'),
                json_build_object('kategoria', 'C+E', 'dataWaznosci', '2029-05-17')),
             'reasons', json_build_array(), 'notes', NULL,
             'lastVerificationHash', repeat('ab', 32),
             'licenseNumber', 'AB' || lpad(n::text, 6, '0')),
           $2
      FROM generate_series(1, $3::int) AS n
     CROSS JOIN LATERAL (SELECT uuidv7() AS id WHERE n > 0) AS d
"""
INSERT_PERSON = """
    WITH person AS (
      INSERT INTO user_account (id, email, email_key, password_hash, email_verified, created_at,
                                updated_at)
      VALUES ($1, 'bench@prawko.test', 'bench@prawko.test', '', true, $3, $3) RETURNING id)
    INSERT INTO membership (tenant_id, user_id, role, created_at)
    SELECT $2, id, 'owner', $3 FROM person
"""
INSERT_SESSION = """
    INSERT INTO login_session (id, token_hash, user_id, tenant_id, created_at, last_seen_at,
                               expires_at, ip, agent)
    SELECT uuidv7(), $1, m.user_id, m.tenant_id, $3, $3, $2, '', '' FROM membership m
     WHERE m.tenant_id = $4
"""
CREATE_PEER_TABLE = """
    CREATE TABLE peer_verification (
        id uuid PRIMARY KEY, driver_id uuid, status text, verified_at timestamptz,
        document_status text, issuing_authority text, expiry_date date, categories jsonb)
"""
INSERT_PEER_ROWS = """
    INSERT INTO peer_verification
    SELECT uuidv7(), id, status, verified_at, 'Wydany', 'PREZYDENT MIASTA ŁODZI', '2039-05-17',
           (latest ->> 'categories')::jsonb FROM driver
"""


def run_load(port: int) -> LoadResult:
    """Generate load from another process."""
    command = [sys.executable, "-m", "tests.bench.load", str(port), PATH, COOKIE, str(SECONDS)]
    result = subprocess.run(command, capture_output=True, check=True)
    return msgspec.json.decode(result.stdout, type=LoadResult)


def run() -> None:
    """Measure the product, the floor and the peer in turn; print medians and ratios."""
    with product.create_database() as (servers, logins):
        asyncio.run(insert_companies(logins.owner))
        environment = {
            **product.product_variables(servers, logins),
            **fake_providers(),
        }
        owner_variables = {"BENCH_URL": logins.backup}
        with (
            product.serve_asgi(
                "tests.bench.list_product:panel", environment, factory=True
            ) as product_port,
            product.serve_asgi("tests.bench.list_floor:app", owner_variables) as floor_port,
            product.serve_asgi("tests.bench.list_peer:app", owner_variables) as peer_port,
        ):
            ports = {"product": product_port, "floor": floor_port, "peer": peer_port}
            print_report(measure(ports))


def fake_providers() -> dict[str, str]:
    """Return variables with fake providers: reading the list calls none."""
    return {"REGISTER": "fake", "MAIL_CHANNEL": "recording"}


def measure(ports: dict[str, int]) -> dict[str, list[float]]:
    """Return the requests per second of each round, by application."""
    for port in ports.values():
        answer = product.http_get(f"http://127.0.0.1:{port}{PATH}", COOKIE)
        assert len(msgspec.json.decode(answer)) == DRIVERS
        run_load(port)
    rates: dict[str, list[float]] = {name: [] for name in ports}
    for _ in range(ROUNDS):
        for name, port in ports.items():
            figures = run_load(port)
            assert figures.failures == 0, (name, figures)
            rates[name].append(figures.per_second)
    return rates


def print_report(rates: dict[str, list[float]]) -> None:
    medians = {name: median(values) for name, values in rates.items()}
    print(f"list of {DRIVERS} drivers, requests per second at 16 connections, medians:")
    for name, rate in medians.items():
        lowest, highest = min(rates[name]), max(rates[name])
        print(f"  {name:8} {rate:7.0f}   (from {lowest:.0f} to {highest:.0f})")
    by_floor = medians["product"] / medians["floor"]
    by_peer = medians["product"] / medians["peer"]
    print(f"  product / floor {by_floor:.2f} (target 0.95)   / peer {by_peer:.1f} (target 10)")


if __name__ == "__main__":
    run()
