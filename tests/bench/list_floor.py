"""The floor of the list: a raw ASGI application on asyncpg and msgspec.

It reads the session and the drivers in two statements, without row-level security.
"""

import datetime as dt
import hashlib
import os
from typing import Any

import asyncpg
import msgspec

SESSION = """
    SELECT s.user_id, s.tenant_id FROM login_session s JOIN user_account u ON u.id = s.user_id
     WHERE s.token_hash = $1 AND s.revoked_at IS NULL AND s.expires_at > $2
"""
DRIVERS = """
    SELECT id, first_name, last_name, license_number, status, created_at, latest::text AS latest
      FROM driver WHERE tenant_id = $1 ORDER BY sort_key, id
"""
HEADERS = [(b"content-type", b"application/json")]


class App:
    """An ASGI application with one route."""

    def __init__(self) -> None:
        self._pool: asyncpg.Pool | None = None

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        if self._pool is None:
            self._pool = await asyncpg.create_pool(os.environ["BENCH_URL"], min_size=8, max_size=8)
        cookie = dict(scope["headers"])[b"cookie"].partition(b"=")[2]
        now = dt.datetime.now(dt.UTC)
        session = await self._pool.fetchrow(SESSION, hashlib.sha256(cookie).digest(), now)
        rows = await self._pool.fetch(DRIVERS, session["tenant_id"])
        body = msgspec.json.encode(
            [
                {
                    "id": row["id"],
                    "firstName": row["first_name"],
                    "lastName": row["last_name"],
                    "licenseNumber": row["license_number"],
                    "status": row["status"],
                    "createdAt": row["created_at"],
                    "verifications": [msgspec.Raw(row["latest"].encode())] if row["latest"] else [],
                }
                for row in rows
            ]
        )
        length = str(len(body)).encode()
        headers = [*HEADERS, (b"content-length", length)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


app = App()
