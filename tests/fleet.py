"""Companies with many drivers, written straight into the tables, and what became of them."""

from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import asyncpg

from prawko.embedded import RunningServers
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
        INSERT INTO subscription (tenant_id, id, status, driver_limit, price_net, start_date,
                                  end_date, checked_until, created_at, updated_at)
        SELECT id, uuidv7(), 'active', 10000, 149, $3, $4, $4, $3, $3 FROM company
    )
    INSERT INTO driver (tenant_id, id, first_name, last_name, license_number, sort_key,
                        created_at)
    SELECT c.id, uuidv7(), 'Jan', 'Kowalski', l.number, 'kowalski', $3
      FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM company) AS c
      JOIN unnest($2::text[]) WITH ORDINALITY AS l (number, n) ON l.n % $1 = c.place - 1
"""
_FATES = """
    SELECT d.license_number AS number, d.status, d.document_no, d.verified_at, d.latest,
           (SELECT count(*) FROM verification v WHERE v.driver_id = d.id) AS verifications,
           (SELECT array_agg(n.kind ORDER BY n.created_at) FROM notice n
             WHERE n.driver_id = d.id) AS notices
      FROM driver d ORDER BY d.license_number
"""


def numbers(many: int, *, last: str = "0123456") -> list[str]:
    """So many licence numbers, ending in these digits by turns.

    The simulator knows none with an 8 at its end, and calls those with a 9 withheld.
    """
    return [f"AB{index:05d}{last[index % len(last)]}" for index in range(many)]


class Fleet:
    """The whole database as only its superuser sees it."""

    def __init__(self, admin: asyncpg.Connection) -> None:
        self.admin = admin

    async def add(
        self, licences: list[str], now: datetime, *, companies: int = 1, days: int = 1000
    ) -> None:
        """Add companies with a paid subscription and share the drivers out among them."""
        await self.admin.execute(
            _COMPANIES, companies, licences, now - timedelta(days=1), now + timedelta(days=days)
        )

    async def fates(self) -> dict[str, asyncpg.Record]:
        """What became of each driver, by licence number."""
        return {row["number"]: row for row in await self.admin.fetch(_FATES)}

    async def statuses(self) -> dict[str, str]:
        """Each driver's status, by licence number."""
        return {number: fate["status"] for number, fate in (await self.fates()).items()}

    async def kinds(self, number: str) -> list[str]:
        """The notices about one driver, oldest first."""
        return (await self.fates())[number]["notices"] or []

    async def owners(self) -> dict[str, str]:
        """Where each driver's company reads its mails, by licence number."""
        rows = await self.admin.fetch(
            "SELECT d.license_number AS number, u.email FROM driver d"
            "  JOIN membership m ON m.tenant_id = d.tenant_id"
            "  JOIN user_account u ON u.id = m.user_id"
        )
        return {row["number"]: row["email"] for row in rows}

    async def everybody_leaves(self) -> None:
        """As if nobody had ever been a customer: the rows of a table do not meet."""
        await self.admin.execute(
            "SET session_replication_role = replica; DELETE FROM check_item; DELETE FROM check_run;"
            " DELETE FROM driver; DELETE FROM subscription; DELETE FROM tenant;"
            " DELETE FROM register_pace; DELETE FROM incident; DELETE FROM delivery;"
            " RESET session_replication_role"
        )

    async def items(self) -> dict[str, asyncpg.Record]:
        """The newest item of each driver, by licence number."""
        rows = await self.admin.fetch(
            "SELECT DISTINCT ON (d.license_number) d.license_number AS number, i.*"
            "  FROM check_item i JOIN driver d ON d.id = i.driver_id"
            " ORDER BY d.license_number, i.day DESC"
        )
        return {row["number"]: row for row in rows}

    async def value(self, sql: str, *args: object) -> object:
        """One value."""
        return await self.admin.fetchval(sql, *args)

    async def open_transactions(self) -> int:
        """How many transactions wait for their process; other logins see only their own."""
        return await self.admin.fetchval(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND state LIKE 'idle in transaction%'"
        )

    async def forget_trouble(self) -> None:
        """As if the pauses that the register asked for were over."""
        await self.admin.execute("DELETE FROM register_pace")


@asynccontextmanager
async def overseen(servers: RunningServers, logins: Logins):
    """The fleet in the test's own database."""
    name = urlsplit(logins.owner).path.removeprefix("/")
    url = servers.servers.admin_url.replace("/postgres?", f"/{name}?", 1)
    connection = await asyncpg.connect(url)
    try:
        yield Fleet(connection)
    finally:
        await connection.close()
