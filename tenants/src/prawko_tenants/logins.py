"""Provisions an installation's database and its six roles on a PostgreSQL server."""

import asyncio
import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

import asyncpg

from prawko_tenants.roles import ROLE_NAMES, Roles
from prawko_tenants.urls import to_asyncpg_dsn, url_for_login

SCRAM_ROUNDS = 4096

# Bounds how long a runaway statement or an idle transaction holds its locks. The migrations set
# the owner's limits themselves; a dump has none.
LOGIN_TIMEOUTS = {
    "app": {"statement_timeout": "30s", "idle_in_transaction_session_timeout": "60s"},
    "worker": {"statement_timeout": "60s", "idle_in_transaction_session_timeout": "60s"},
    "planner": {"statement_timeout": "5min", "idle_in_transaction_session_timeout": "60s"},
    "operator": {"statement_timeout": "60s", "idle_in_transaction_session_timeout": "60s"},
}


@dataclass(frozen=True)
class Logins:
    """Database URL of each login, password included."""

    owner: str
    app: str
    worker: str
    planner: str
    operator: str
    backup: str


def provision_database(
    admin_url: str,
    *,
    database: str,
    passwords: Mapping[str, str] | None = None,
    prefix: str = "prawko",
) -> Logins:
    """Create database and roles, or reset them to their intended attributes; return the URLs.

    `admin_url` is a superuser's, over TCP or a socket (`?host=/path`), on PostgreSQL 15 or later.
    `passwords` has one for each of ROLE_NAMES; without it every role gets a new random one, which
    only the return value holds. Idempotent. Blocking: not for a running event loop.
    """
    if not prefix.isidentifier() or not prefix.isascii() or prefix != prefix.lower():
        raise ValueError(f"{prefix!r} cannot begin the name of a role")
    given = passwords or {name: secrets.token_urlsafe(24) for name in ROLE_NAMES}
    roles = Roles(prefix)
    asyncio.run(_provision(to_asyncpg_dsn(admin_url), database, roles, given))
    return Logins(
        **{
            name: url_for_login(admin_url, getattr(roles, name), given[name], database)
            for name in ROLE_NAMES
        }
    )


async def _provision(
    admin_url: str, database: str, roles: Roles, passwords: Mapping[str, str]
) -> None:
    connection = await asyncpg.connect(admin_url)
    try:
        # Roles are global to the server: concurrent provisioning would conflict.
        await connection.execute("SELECT pg_advisory_lock(hashtext('prawko_logins'))")
        await _create_roles(connection, roles, passwords)
        await _create_database(connection, database, roles)
    finally:
        await connection.close()
    connection = await asyncpg.connect(admin_url, database=database)
    try:
        await _revoke_public(connection, roles)
    finally:
        await connection.close()


async def _create_roles(
    connection: asyncpg.Connection, roles: Roles, passwords: Mapping[str, str]
) -> None:
    for name in ROLE_NAMES:
        role = _quote_identifier(getattr(roles, name))
        if not await connection.fetchval(
            "SELECT true FROM pg_roles WHERE rolname = $1", getattr(roles, name)
        ):
            await connection.execute(f"CREATE ROLE {role}")
        row_security = "BYPASSRLS" if name == "backup" else "NOBYPASSRLS"
        await connection.execute(
            f"ALTER ROLE {role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOINHERIT"
            f" {row_security} PASSWORD '{scram_verifier(passwords[name])}'"
        )
    # A dump also locks and reads partitions, on which no role has a right of its own.
    await connection.execute(f"ALTER ROLE {_quote_identifier(roles.backup)} INHERIT")
    await connection.execute(f"GRANT pg_read_all_data TO {_quote_identifier(roles.backup)}")


async def _create_database(connection: asyncpg.Connection, database: str, roles: Roles) -> None:
    name, owner = _quote_identifier(database), _quote_identifier(roles.owner)
    if not await connection.fetchval("SELECT true FROM pg_database WHERE datname = $1", database):
        await connection.execute(f"CREATE DATABASE {name} OWNER {owner}")
    await connection.execute(f"ALTER DATABASE {name} OWNER TO {owner}")
    await connection.execute(f"REVOKE ALL ON DATABASE {name} FROM PUBLIC")
    for login in ROLE_NAMES[1:]:
        role = _quote_identifier(getattr(roles, login))
        await connection.execute(f"GRANT CONNECT ON DATABASE {name} TO {role}")
        for setting, value in LOGIN_TIMEOUTS.get(login, {}).items():
            await connection.execute(
                f"ALTER ROLE {role} IN DATABASE {name} SET {setting} = '{value}'"
            )


async def _revoke_public(connection: asyncpg.Connection, roles: Roles) -> None:
    owner = _quote_identifier(roles.owner)
    await connection.execute(f"ALTER SCHEMA public OWNER TO {owner}")
    await connection.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC")
    for login in ROLE_NAMES[1:]:
        await connection.execute(
            f"GRANT USAGE ON SCHEMA public TO {_quote_identifier(getattr(roles, login))}"
        )
    # PostgreSQL lets PUBLIC execute new functions by default.
    await connection.execute(
        f"ALTER DEFAULT PRIVILEGES FOR ROLE {owner} REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC"
    )


def scram_verifier(password: str) -> str:
    """Return the SCRAM-SHA-256 verifier of a password, which keeps the password out of server logs.

    Raises ValueError for an empty or non-ASCII password.
    """
    if not password or not password.isascii():
        raise ValueError("a login's password must consist of ASCII characters")
    salt = secrets.token_bytes(16)
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, SCRAM_ROUNDS)
    stored = hashlib.sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    server = hmac.digest(salted, b"Server Key", "sha256")
    parts = (base64.b64encode(part).decode() for part in (salt, stored, server))
    return "SCRAM-SHA-256${}:{}${}:{}".format(SCRAM_ROUNDS, *parts)


def _quote_identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
