"""Rate limits, counted in PostgreSQL, so that they survive a restart.

A try is counted in a transaction of its own: it counts even if its request is rejected. Windows
use system time.
"""

from datetime import datetime, timedelta
from math import ceil

import msgspec
from sqlalchemy import case, delete, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Mapped, mapped_column

from prawko.base.clock import utc_now
from prawko.base.crypto import KeyRing
from prawko.base.errors import TooManyRequestsError
from prawko_tenants.base import Base, GlobalTable
from prawko_tenants.engine import Database

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
GLOBAL_SUBJECT = "everybody"  # subject of a limit that all callers share


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
        now, counter = utc_now(), ThrottleCounter
        is_same_window = counter.window_started_at > now - limit.window
        statement = insert(counter).values(
            key=self._key(limit, subject), window_started_at=now, count=1
        )
        statement = statement.on_conflict_do_update(
            index_elements=[counter.key],
            set_={
                "count": case((is_same_window, counter.count + 1), else_=1),
                "window_started_at": case((is_same_window, counter.window_started_at), else_=now),
            },
        )
        async with self._database.system() as session:
            counted = (await session.scalars(statement.returning(counter))).one()
        if counted.count > limit.max_tries:
            raise _too_many_requests(limit, counted.window_started_at, now)

    async def check(self, limit: RateLimit, subject: str) -> None:
        """Raise TooManyRequestsError if the limit is exhausted, without counting a try."""
        now = utc_now()
        counter = await self._current_counter(limit, subject, now)
        if counter is not None and counter.count >= limit.max_tries:
            raise _too_many_requests(limit, counter.window_started_at, now)

    async def usage(self, limit: RateLimit, subject: str) -> int:
        """Return the number of tries in the current window."""
        counter = await self._current_counter(limit, subject, utc_now())
        return counter.count if counter is not None else 0

    async def undo(self, limit: RateLimit, subject: str) -> None:
        """Take back a try that turned out not to count."""
        counter = ThrottleCounter
        has_tries = (counter.key == self._key(limit, subject)) & (counter.count > 0)
        async with self._database.system() as session:
            await session.execute(update(counter).where(has_tries).values(count=counter.count - 1))

    async def reset(self, limit: RateLimit, subject: str) -> None:
        """Delete the counter, after a success."""
        async with self._database.system() as session:
            await session.execute(
                delete(ThrottleCounter).where(ThrottleCounter.key == self._key(limit, subject))
            )

    async def _current_counter(
        self, limit: RateLimit, subject: str, now: datetime
    ) -> ThrottleCounter | None:
        async with self._database.system() as session:
            return await session.scalar(
                select(ThrottleCounter).where(
                    ThrottleCounter.key == self._key(limit, subject),
                    ThrottleCounter.window_started_at > now - limit.window,
                )
            )

    def _key(self, limit: RateLimit, subject: str) -> str:
        return self._key_ring.digest("throttle", f"{limit.scope}:{subject}").hex()


def _too_many_requests(
    limit: RateLimit, window_started_at: datetime, now: datetime
) -> TooManyRequestsError:
    seconds_left = (window_started_at + limit.window - now).total_seconds()
    return TooManyRequestsError(retry_after=max(1, ceil(seconds_left)))
