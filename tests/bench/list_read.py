"""`GET /api/drivers` for 50 drivers, with session, policies and the latest verification."""

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
from tests.bench.load import Figures

DRIVERS = 50
ROUNDS = 5
SECONDS = 3.0
TOKEN = "a-token-of-the-benchmark"
COOKIE = f"prawko={TOKEN}"
PATH = "/api/drivers?verifications=1"


async def fill(owner_url: str, companies: int = 40, drivers: int = DRIVERS) -> uuid.UUID:
    """Companies with drivers who have all been checked today; returns the first company."""
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
            await connection.execute(SUBSCRIPTION, uuid_utils.compat.uuid7(), tenant, now)
            await connection.execute(FILL, tenant, now, drivers)
    await connection.execute(PERSON, uuid_utils.compat.uuid7(), first, now)
    digest = hashlib.sha256(TOKEN.encode()).digest()
    await connection.execute(SESSION, digest, now + dt.timedelta(hours=1), now, first)
    await connection.execute(PEER)
    for tenant in await connection.fetch("SELECT tenant_id FROM membership"):
        async with connection.transaction():
            await connection.execute(
                "SELECT set_config('app.tenant_id', $1, true)", str(tenant["tenant_id"])
            )
            await connection.execute(PEER_FILL)
    await connection.execute("ANALYZE")
    await connection.close()
    return first


SUBSCRIPTION = """
    INSERT INTO subscription (id, tenant_id, status, driver_limit, price_net, is_trial,
        start_date, end_date, checked_until, company_name, tax_id, street, postal_code, city,
        created_at, updated_at)
    VALUES ($1, $2, 'active', 10000, 149, false, $3::timestamptz,
        $3::timestamptz + interval '30 days', $3::timestamptz + interval '30 days', '', '', '', '',
        '', $3, $3)
"""
FILL = """
    INSERT INTO driver (id, tenant_id, first_name, last_name, license_number, sort_key, status,
                        document_no, verified_at, asked_at, latest, created_at)
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
PERSON = """
    WITH person AS (
      INSERT INTO user_account (id, email, email_key, password_hash, email_verified, created_at,
                                updated_at)
      VALUES ($1, 'bench@prawko.test', 'bench@prawko.test', '', true, $3, $3) RETURNING id)
    INSERT INTO membership (tenant_id, user_id, role, created_at)
    SELECT $2, id, 'owner', $3 FROM person
"""
SESSION = """
    INSERT INTO login_session (id, token_hash, user_id, tenant_id, created_at, last_seen_at,
                               expires_at, ip, agent)
    SELECT uuidv7(), $1, m.user_id, m.tenant_id, $3, $3, $2, '', '' FROM membership m
     WHERE m.tenant_id = $4
"""
PEER = """
    CREATE TABLE peer_verification (
        id uuid PRIMARY KEY, driver_id uuid, status text, verified_at timestamptz,
        document_status text, issuing_authority text, expiry_date date, categories jsonb)
"""
PEER_FILL = """
    INSERT INTO peer_verification
    SELECT uuidv7(), id, status, verified_at, 'Wydany', 'PREZYDENT MIASTA ŁODZI', '2039-05-17',
           (latest ->> 'categories')::jsonb FROM driver
"""


def press(port: int) -> Figures:
    """Load from a process of its own."""
    command = [sys.executable, "-m", "tests.bench.load", str(port), PATH, COOKIE, str(SECONDS)]
    done = subprocess.run(command, capture_output=True, check=True)
    return msgspec.json.decode(done.stdout, type=Figures)


def run() -> None:
    """Serve the three in turn, round by round, and print the medians and their ratios."""
    with product.database() as (servers, logins):
        asyncio.run(fill(logins.owner))
        ours = {
            **product.variables(servers, logins),
            **silent_providers(),
        }
        bypass = {"BENCH_URL": logins.backup}
        with (
            product.serving("tests.bench.ours:panel", ours, factory=True) as product_port,
            product.serving("tests.bench.list_floor:app", bypass) as floor_port,
            product.serving("tests.bench.list_peer:app", bypass) as peer_port,
        ):
            ports = {"ours": product_port, "floor": floor_port, "peer": peer_port}
            report(measure(ports))


def silent_providers() -> dict[str, str]:
    """No provider is asked when a list is read."""
    return {"REGISTER": "fake", "MAIL_CHANNEL": "recording"}


def measure(ports: dict[str, int]) -> dict[str, list[float]]:
    """Requests per second, round by round; each round presses all three."""
    for port in ports.values():
        answer = product.get(f"http://127.0.0.1:{port}{PATH}", COOKIE)
        assert len(msgspec.json.decode(answer)) == DRIVERS
        press(port)
    found: dict[str, list[float]] = {name: [] for name in ports}
    for _ in range(ROUNDS):
        for name, port in ports.items():
            figures = press(port)
            assert figures.failures == 0, (name, figures)
            found[name].append(figures.per_second)
    return found


def report(found: dict[str, list[float]]) -> None:
    middle = {name: sorted(rates)[len(rates) // 2] for name, rates in found.items()}
    print(f"list of {DRIVERS} drivers, requests per second at 16 connections, medians:")
    for name, rate in middle.items():
        print(f"  {name:6} {rate:9.0f}   (from {min(found[name]):.0f} to {max(found[name]):.0f})")
    floor, peer = middle["ours"] / middle["floor"], middle["ours"] / middle["peer"]
    print(f"  ours / floor {floor:.2f} (wanted 0.90)   ours / peer {peer:.1f} (wanted 8)")


if __name__ == "__main__":
    run()
