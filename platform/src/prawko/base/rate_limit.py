"""Rate limits, counted in PostgreSQL, so that they survive a restart. Holds their SQL.

A try is counted in a transaction of its own: it counts even if its request is rejected. Windows
use system time.
"""

from datetime import datetime, timedelta
from math import ceil
from typing import Any

import msgspec
from sqlalchemy import Row, text
from sqlalchemy.orm import Mapped, mapped_column

from prawko.base.clock import utc_now
from prawko.base.crypto import KeyRing
from prawko.base.errors import TooManyRequestsError
from prawko_tenants.base import Base, GlobalTable
from prawko_tenants.engine import Database

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
GLOBAL_SUBJECT = "everybody"  # subject of a limit that all callers share

_HIT = text("""
    INSERT INTO throttle AS t (key, window_started_at, count) VALUES (:key, :now, 1)
    ON CONFLICT (key) DO UPDATE
       SET count = CASE WHEN t.window_started_at > :since THEN t.count + 1 ELSE 1 END,
           window_started_at =
               CASE WHEN t.window_started_at > :since THEN t.window_started_at ELSE :now END
    RETURNING t.count AS tries, t.window_started_at
""")
_SELECT_WINDOW = text("""
    SELECT count AS tries, window_started_at FROM throttle
     WHERE key = :key AND window_started_at > :since
""")
_UNDO_HIT = text("UPDATE throttle SET count = count - 1 WHERE key = :key AND count > 0")
_RESET = text("DELETE FROM throttle WHERE key = :key")


class ThrottleCounter(GlobalTable, Base):
    """Number of tries in the current window. `key` is a digest; times are system time."""

    __tablename__ = "throttle"

    key: Mapped[str] = mapped_column(primary_key=True)
    window_started_at: Mapped[datetime]
    count: Mapped[int]


class RateLimit(msgspec.Struct, frozen=True):
    """At most `max_tries` of `scope` per subject in `window`."""

    scope: str
    max_tries: int
    window: timedelta


class Throttle:
    """Enforces rate limits. Subjects may be personal data, so that keys are digests of them."""

    def __init__(self, database: Database, key_ring: KeyRing) -> None:
        self._database = database
        self._key_ring = key_ring

    async def hit(self, limit: RateLimit, subject: str) -> None:
        """Count a try. Raises TooManyRequestsError beyond the limit."""
        now = utc_now()
        async with self._database.system() as session:
            row = (await session.execute(_HIT, self._window_params(limit, subject, now))).one()
        if row.tries > limit.max_tries:
            raise _too_many_requests(limit, row.window_started_at, now)

    async def check(self, limit: RateLimit, subject: str) -> None:
        """Raise TooManyRequestsError if the limit is exhausted, without counting a try."""
        now = utc_now()
        row = await self._read_window(limit, subject, now)
        if row is not None and row.tries >= limit.max_tries:
            raise _too_many_requests(limit, row.window_started_at, now)

    async def usage(self, limit: RateLimit, subject: str) -> int:
        """Return the number of tries in the current window."""
        row = await self._read_window(limit, subject, utc_now())
        return int(row.tries) if row is not None else 0

    async def undo(self, limit: RateLimit, subject: str) -> None:
        """Take back a try that turned out not to count."""
        async with self._database.system() as session:
            await session.execute(_UNDO_HIT, {"key": self._key(limit, subject)})

    async def reset(self, limit: RateLimit, subject: str) -> None:
        """Delete the counter, after a success."""
        async with self._database.system() as session:
            await session.execute(_RESET, {"key": self._key(limit, subject)})

    async def _read_window(self, limit: RateLimit, subject: str, now: datetime) -> Row[Any] | None:
        params = self._window_params(limit, subject, now)
        del params["now"]
        async with self._database.system() as session:
            return (await session.execute(_SELECT_WINDOW, params)).one_or_none()

    def _key(self, limit: RateLimit, subject: str) -> str:
        return self._key_ring.digest("throttle", f"{limit.scope}:{subject}").hex()

    def _window_params(self, limit: RateLimit, subject: str, now: datetime) -> dict[str, object]:
        return {"key": self._key(limit, subject), "now": now, "since": now - limit.window}


def _too_many_requests(
    limit: RateLimit, window_started_at: datetime, now: datetime
) -> TooManyRequestsError:
    seconds_left = (window_started_at + limit.window - now).total_seconds()
    return TooManyRequestsError(retry_after=max(1, ceil(seconds_left)))
