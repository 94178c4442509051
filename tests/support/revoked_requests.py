"""Requests whose session is revoked on the way, and what they have changed nevertheless."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import asyncpg
import httpx
from litestar import Litestar
from litestar.routes import HTTPRoute
from sqlalchemy import event

from prawko.accounts.authentication import hash_token
from prawko.apps.web.authentication import SAFE_METHODS, RequestAuthenticator
from prawko_embedded import EmbeddedServers
from prawko_tenants.engine import Database
from prawko_tenants.logins import Logins
from support.database import execute_as_owner, fetch_rows
from support.fleet import superuser_url
from support.people import Person

REVOKE = "UPDATE login_session SET revoked_at = now() WHERE token_hash = $1"
TABLES = """
    SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
       AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'throttle'
"""
# Attempts count for all users: codes, queries of the register, calls of an impersonation.
ROWS = {
    "one_time_code": "SELECT (to_jsonb(t) - 'tries')::text AS row FROM one_time_code t",
    "register_limiter": "SELECT register AS row FROM register_limiter",
    "user_activity": (
        "SELECT t::text AS row FROM user_activity t WHERE activity_type <> 'impersonated_call'"
    ),
    "login_session": (
        "SELECT (to_jsonb(t) - 'last_seen_at')::text AS row FROM login_session t"
        " WHERE token_hash <> decode('{own}', 'hex')"
    ),
}


def list_unsafe_operations(app: Litestar) -> dict[str, tuple[str, str]]:
    """Operation id → verb and path, of every route that may change something."""
    return {
        str(handler.operation_id): (next(iter(handler.http_methods)), route.path_format)
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        if not handler.http_methods <= SAFE_METHODS
    }


def token_of(person: Person) -> str:
    """Return the token of the person's session."""
    return person.browser.cookies["prawko"]


async def request_while_revoked(
    person: Person, logins: Logins, verb: str, path: str, body: Any, monkeypatch,
    statement: str = REVOKE,
) -> httpx.Response:  # fmt: skip
    """Send a request whose session is revoked, by a statement, after it was authenticated.

    A body is held back until then; where there is none, the authenticator itself is.
    """
    token = token_of(person)

    async def revoke() -> None:
        await execute_as_owner(logins, statement, hash_token(token))

    if body is None:
        authenticate = RequestAuthenticator.authenticate

        async def authenticate_and_revoke(*args: Any, **options: Any) -> None:
            await authenticate(*args, **options)
            await revoke()

        with monkeypatch.context() as patch:
            patch.setattr(RequestAuthenticator, "authenticate", authenticate_and_revoke)
            return await person.browser.request(verb, path)

    async def held_body() -> AsyncIterator[bytes]:
        content = json.dumps(body).encode()
        yield content[:5]
        await revoke()
        yield content[5:]

    return await person.browser.request(
        verb, path, content=held_body(), headers={"Content-Type": "application/json"}
    )


@contextmanager
def count_connections(database: Database) -> Iterator[list[int]]:
    """Yield a list of how many connections for sessions were in use after each was taken."""
    pool = database._engine.sync_engine.pool
    in_use: set[int] = set()
    numbers: list[int] = []

    def take(_: object, record: object, __: object) -> None:
        in_use.add(id(record))
        numbers.append(len(in_use))

    def give_back(_: object, record: object) -> None:
        in_use.discard(id(record))

    event.listen(pool, "checkout", take)
    event.listen(pool, "checkin", give_back)
    try:
        yield numbers
    finally:
        event.remove(pool, "checkout", take)
        event.remove(pool, "checkin", give_back)


async def restore_session(servers: EmbeddedServers, logins: Logins, token: str) -> None:
    """Take a revocation back, which a trigger forbids to everybody else."""
    admin = await asyncpg.connect(superuser_url(servers, logins))
    try:
        await admin.execute("SET session_replication_role = replica")
        sql = "UPDATE login_session SET revoked_at = NULL WHERE token_hash = $1"
        await admin.execute(sql, hash_token(token))
    finally:
        await admin.close()


async def read_everything(logins: Logins, token: str) -> list[tuple[str, str]]:
    """Return the rows of every table but the rate limits and the session of the token."""
    tables = [row["relname"] for row in await fetch_rows(logins, TABLES)]
    parts = [
        f"SELECT '{table}' AS table, row::text FROM ({{}}) AS {table}_rows".format(
            ROWS.get(table, f"SELECT t::text AS row FROM {table} t")
        )
        for table in tables
    ]
    statement = " UNION ALL ".join(parts).replace("{own}", hash_token(token).hex())
    return [tuple(row.values()) for row in await fetch_rows(logins, f"{statement} ORDER BY 1, 2")]
