"""Companies with many drivers, inserted directly into the tables, and their rows."""

from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import asyncpg

from prawko_embedded import EmbeddedServers
from prawko_tenants.logins import Logins

_COMPANIES = """
    WITH company AS (
        INSERT INTO tenant (id, company_name, created_at, updated_at)
        SELECT uuidv7(), 'Firma ' || n, $3, $3 FROM generate_series(1, $1) AS n
        RETURNING id
    ), person AS (
        INSERT INTO user_account (id, email, email_key, password_hash, email_verified,
                                  created_at, updated_at)
        SELECT uuidv7(), 'owner-' || id || '@fleet.test', 'owner-' || id || '@fleet.test', '',
               true, $3, $3
          FROM company
        RETURNING id, email
    ), member AS (
        INSERT INTO membership (tenant_id, user_id, role, created_at)
        SELECT c.id, p.id, 'owner', $3
          FROM company c JOIN person p ON p.email = 'owner-' || c.id || '@fleet.test'
    ), paid AS (
        INSERT INTO subscription (tenant_id, id, status, driver_limit, start_date,
                                  end_date, monitored_until, created_at, updated_at)
        SELECT id, uuidv7(), 'active', 10000, $3, $4, $4, $3, $3 FROM company
    )
    INSERT INTO driver (tenant_id, id, first_name, last_name, license_number, sort_key,
                        created_at)
    SELECT c.id, uuidv7(), 'Jan', 'Kowalski', l.number, 'kowalski', $3
      FROM (SELECT id, row_number() OVER (ORDER BY id) AS rank FROM company) AS c
      JOIN unnest($2::text[]) WITH ORDINALITY AS l (number, n) ON l.n % $1 = c.rank - 1
"""
_DRIVER_ROWS = """
    SELECT d.license_number AS number, d.status, d.document_version, d.verified_at, d.latest,
           (SELECT count(*) FROM verification v WHERE v.driver_id = d.id) AS verifications,
           (SELECT array_agg(n.kind ORDER BY n.created_at) FROM notice n
             WHERE n.driver_id = d.id) AS notices
      FROM driver d ORDER BY d.license_number
"""


def licence_numbers(count: int, *, last_digits: str = "0123456") -> list[str]:
    """`count` licence numbers that end with the given digits in turn.

    The simulator knows no number that ends with 8; those that end with 9 are withheld.
    """
    return [f"AB{index:05d}{last_digits[index % len(last_digits)]}" for index in range(count)]


class Fleet:
    """The whole database, accessed as its superuser."""

    def __init__(self, admin: asyncpg.Connection) -> None:
        self.admin = admin

    async def add_companies(
        self, licences: list[str], now: datetime, *, companies: int = 1, days: int = 1000
    ) -> None:
        """Add companies with a paid subscription and distribute the drivers among them."""
        await self.admin.execute(
            _COMPANIES, companies, licences, now - timedelta(days=1), now + timedelta(days=days)
        )

    async def driver_rows(self) -> dict[str, asyncpg.Record]:
        """Status, verifications and notices of each driver, by licence number."""
        return {row["number"]: row for row in await self.admin.fetch(_DRIVER_ROWS)}

    async def statuses(self) -> dict[str, str]:
        """Each driver's status, by licence number."""
        return {number: row["status"] for number, row in (await self.driver_rows()).items()}

    async def notice_kinds(self, number: str) -> list[str]:
        """Kinds of the notices about one driver, oldest first."""
        return (await self.driver_rows())[number]["notices"] or []

    async def owner_emails(self) -> dict[str, str]:
        """E-mail address of each driver's company owner, by licence number."""
        rows = await self.admin.fetch(
            "SELECT d.license_number AS number, u.email FROM driver d"
            "  JOIN membership m ON m.tenant_id = d.tenant_id"
            "  JOIN user_account u ON u.id = m.user_id"
        )
        return {row["number"]: row["email"] for row in rows}

    async def delete_everything(self) -> None:
        """Delete all companies and checks; foreign keys are not enforced meanwhile."""
        await self.admin.execute(
            "SET session_replication_role = replica; DELETE FROM check_item; DELETE FROM check_run;"
            " DELETE FROM driver; DELETE FROM subscription; DELETE FROM tenant;"
            " DELETE FROM register_limiter; DELETE FROM incident; DELETE FROM delivery;"
            " RESET session_replication_role"
        )

    async def latest_items(self) -> dict[str, asyncpg.Record]:
        """Newest check item of each driver, by licence number."""
        rows = await self.admin.fetch(
            "SELECT DISTINCT ON (d.license_number) d.license_number AS number, i.*"
            "  FROM check_item i JOIN driver d ON d.id = i.driver_id"
            " ORDER BY d.license_number, i.day DESC"
        )
        return {row["number"]: row for row in rows}

    async def fetch_value(self, sql: str, *args: object) -> object:
        """First value of the first row."""
        return await self.admin.fetchval(sql, *args)

    async def count_idle_transactions(self) -> int:
        """Number of transactions idle in transaction; other logins see only their own."""
        return await self.admin.fetchval(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND state LIKE 'idle in transaction%'"
        )

    async def clear_rate_limiter(self) -> None:
        """Reset pauses and circuit breakers of the register."""
        await self.admin.execute("DELETE FROM register_limiter")


def superuser_url(servers: EmbeddedServers, logins: Logins) -> str:
    """Return the superuser's URL of the test's database."""
    name = urlsplit(logins.owner).path.removeprefix("/")
    return servers.urls.admin_url.replace("/postgres?", f"/{name}?", 1)


@asynccontextmanager
async def open_fleet(servers: EmbeddedServers, logins: Logins):
    """Connect to the test's database as superuser."""
    connection = await asyncpg.connect(superuser_url(servers, logins))
    try:
        yield Fleet(connection)
    finally:
        await connection.close()
