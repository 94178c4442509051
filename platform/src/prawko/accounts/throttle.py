"""Counts tries in PostgreSQL: a limit survives a flushed Redis and a restart.

A try is counted in a transaction of its own, so that it counts although the call it belongs
to is refused. Windows are measured by the machine's clock.
"""

from datetime import datetime, timedelta
from math import ceil
from typing import Any

import msgspec
from sqlalchemy import Row, text

from prawko.base.clock import machine_now
from prawko.base.errors import TooManyRequestsError
from prawko.base.secrets import Vault
from prawko_tenants.engine import Database

_COUNT = text("""
    INSERT INTO throttle AS t (key, window_started_at, count) VALUES (:key, :now, 1)
    ON CONFLICT (key) DO UPDATE
       SET count = CASE WHEN t.window_started_at > :since THEN t.count + 1 ELSE 1 END,
           window_started_at =
               CASE WHEN t.window_started_at > :since THEN t.window_started_at ELSE :now END
    RETURNING t.count AS tries, t.window_started_at
""")
_READ = text("""
    SELECT count AS tries, window_started_at FROM throttle
     WHERE key = :key AND window_started_at > :since
""")
_GIVE_BACK = text("UPDATE throttle SET count = count - 1 WHERE key = :key AND count > 0")
_FORGET = text("DELETE FROM throttle WHERE key = :key")


class Limit(msgspec.Struct, frozen=True):
    """At most `tries` of `what` in `window`."""

    what: str
    tries: int
    window: timedelta


class Throttle:
    """Refuses what is tried too often. Keys are stored as digests: they name people."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self._database = database
        self._vault = vault

    async def count(self, limit: Limit, whose: str) -> None:
        """Count one try. Raises TooManyRequestsError beyond the limit."""
        now = machine_now()
        async with self._database.system() as session:
            row = (await session.execute(_COUNT, self._window(limit, whose, now))).one()
        if row.tries > limit.tries:
            raise _refused(limit, row.window_started_at, now)

    async def check(self, limit: Limit, whose: str) -> None:
        """Refuse when the limit is used up, without counting."""
        now = machine_now()
        row = await self._read(limit, whose, now)
        if row is not None and row.tries >= limit.tries:
            raise _refused(limit, row.window_started_at, now)

    async def used(self, limit: Limit, whose: str) -> int:
        """How many tries the present window holds."""
        row = await self._read(limit, whose, machine_now())
        return int(row.tries) if row is not None else 0

    async def give_back(self, limit: Limit, whose: str) -> None:
        """Take back one try: it was none of those that are limited."""
        async with self._database.system() as session:
            await session.execute(_GIVE_BACK, {"key": self._key(limit, whose)})

    async def forget(self, limit: Limit, whose: str) -> None:
        """Begin anew, after a success."""
        async with self._database.system() as session:
            await session.execute(_FORGET, {"key": self._key(limit, whose)})

    async def _read(self, limit: Limit, whose: str, now: datetime) -> Row[Any] | None:
        window = self._window(limit, whose, now)
        del window["now"]
        async with self._database.system() as session:
            return (await session.execute(_READ, window)).one_or_none()

    def _key(self, limit: Limit, whose: str) -> str:
        return self._vault.digest("throttle", f"{limit.what}:{whose}").hex()

    def _window(self, limit: Limit, whose: str, now: datetime) -> dict[str, object]:
        return {"key": self._key(limit, whose), "now": now, "since": now - limit.window}


def _refused(limit: Limit, started: datetime, now: datetime) -> TooManyRequestsError:
    left = (started + limit.window - now).total_seconds()
    return TooManyRequestsError(retry_after=max(1, ceil(left)))
