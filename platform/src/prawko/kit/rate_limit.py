"""Rate limits, counted in PostgreSQL, so that they survive a restart.

The times of the counted tries are kept: any period as long as the window contains at most as many
tries as the limit. A refused try is not kept, so that a client may try again as soon as the oldest
kept try is a window old. A try is counted in a transaction of its own, so it counts even if its
request is rejected. Times are the system's.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil

import msgspec
from sqlalchemy import ARRAY, DateTime, delete, func, text, update
from sqlalchemy.orm import Mapped, mapped_column

from prawko.kit.clock import MAX_CLOCK_SKEW, utc_now
from prawko.kit.crypto import KeyRing
from prawko.kit.errors import TooManyRequestsError
from prawko_tenants.base import Base, GlobalTable
from prawko_tenants.engine import Database

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
GLOBAL_SUBJECT = "everybody"  # subject of a limit that all callers share
IPV6_CUSTOMER_PREFIX = 64  # a customer of a provider gets at least this much

_HIT = text("""
    INSERT INTO throttle AS counter (key, tries, window_started_at, count)
    VALUES (:key, array_fill(CAST(:now AS timestamptz), ARRAY[CAST(:number AS int)]), :now, :number)
    ON CONFLICT (key) DO UPDATE SET (tries, window_started_at, count) = (
        SELECT coalesce(array_agg(at ORDER BY at), '{}')
                   || CASE WHEN count(*) + :number <= :max_tries
                           THEN array_fill(CAST(:now AS timestamptz), ARRAY[CAST(:number AS int)])
                           ELSE CAST('{}' AS timestamptz[]) END,
               coalesce(min(at), :now),
               count(*) + :number
          FROM unnest(counter.tries) AS kept (at)
         WHERE at > :since AND at <= :until)
    RETURNING count AS number, window_started_at AS oldest
""")
# One statement without a transaction: floods are refused by it.
_SELECT_TRIES = "SELECT tries FROM throttle WHERE key = $1"


class ThrottleCounter(GlobalTable, Base):
    """The tries of one subject within its window. `key` is a digest; times are system time.

    `window_started_at` is the oldest of `tries`, and `count` the number of the latest try, a
    refused one included: these two are what the release before reads and writes.
    """

    __tablename__ = "throttle"

    key: Mapped[str] = mapped_column(primary_key=True)
    window_started_at: Mapped[datetime]
    count: Mapped[int]
    tries: Mapped[list[datetime]] = mapped_column(
        ARRAY(DateTime(timezone=True)), default=list, server_default="{}"
    )


class RateLimit(msgspec.Struct, frozen=True):
    """At most `max_tries` of `scope` per subject in any stretch of `window`.

    `what` says what is counted, and of whom.
    """

    scope: str
    max_tries: int
    window: timedelta
    what: str = ""


class Throttle:
    """Enforces rate limits. Subjects may be personal data, so that keys are digests of them.

    `max_tries` replaces those of limits, by scope.
    """

    def __init__(
        self, database: Database, key_ring: KeyRing, max_tries: Mapping[str, int] | None = None
    ) -> None:
        self._database = database
        self._key_ring = key_ring
        self._max_tries = max_tries or {}

    async def hit(self, limit: RateLimit, subject: str, *, number: int = 1) -> None:
        """Count a try, or `number` at once. Raises TooManyRequestsError beyond the limit.

        None of them is kept that is refused; `number` is at most the limit.
        """
        now = utc_now()
        parameters = {
            "key": self._key(limit, subject),
            "now": now,
            "number": number,
            "max_tries": self.max_tries(limit),
            "since": now - limit.window,
            "until": now + MAX_CLOCK_SKEW,
        }
        async with self._database.system() as session:
            counted = (await session.execute(_HIT, parameters)).one()
        if counted.number > self.max_tries(limit):
            raise _too_many_requests(limit, counted.oldest, now)

    async def hit_others(self, limit: RateLimit, subject: str, number: int) -> None:
        """Count what a call does several times, but the first, which its route has counted.

        Raises TooManyRequestsError beyond the limit.
        """
        if number > 1:
            await self.hit(limit, subject, number=number - 1)

    async def hit_all(self, tries: Sequence[tuple[RateLimit, str]]) -> None:
        """Count a try by several limits. Raises TooManyRequestsError beyond any of them.

        All are checked before any is counted: a refusal by one uses up no other.
        """
        for limit, subject in tries:
            await self.check(limit, subject)
        for limit, subject in tries:
            await self.hit(limit, subject)

    async def check(self, limit: RateLimit, subject: str) -> None:
        """Raise TooManyRequestsError if the limit is exhausted, without counting a try."""
        now = utc_now()
        tries = await self._list_tries(limit, subject, now)
        if len(tries) >= self.max_tries(limit):
            raise _too_many_requests(limit, min(tries, default=now), now)

    def max_tries(self, limit: RateLimit) -> int:
        """Return how many tries are let through."""
        return self._max_tries.get(limit.scope, limit.max_tries)

    async def usage(self, limit: RateLimit, subject: str) -> int:
        """Return the number of tries that count at present, refused ones not among them."""
        return len(await self._list_tries(limit, subject, utc_now()))

    async def undo(self, limit: RateLimit, subject: str) -> None:
        """Take back a try that turned out not to count."""
        counter = ThrottleCounter
        has_tries = (counter.key == self._key(limit, subject)) & (
            func.cardinality(counter.tries) > 0
        )
        async with self._database.system() as session:
            await session.execute(
                update(counter)
                .where(has_tries)
                .values(count=counter.count - 1, tries=func.trim_array(counter.tries, 1))
            )

    async def reset(self, limit: RateLimit, subject: str) -> None:
        """Delete the counter, after a success."""
        async with self._database.system() as session:
            await session.execute(
                delete(ThrottleCounter).where(ThrottleCounter.key == self._key(limit, subject))
            )

    async def _list_tries(self, limit: RateLimit, subject: str, now: datetime) -> list[datetime]:
        row = await self._database.fetch_global(_SELECT_TRIES, self._key(limit, subject))
        tries = row["tries"] if row else ()
        return [at for at in tries if now - limit.window < at <= now + MAX_CLOCK_SKEW]

    def _key(self, limit: RateLimit, subject: str) -> str:
        return self._key_ring.digest("throttle", f"{limit.scope}:{subject}").hex()


def client_network(ip: str) -> str:
    """Return the subject to count an IP address under: for IPv6 its /64 network."""
    try:
        address = ip_address(ip)
    except ValueError:
        return ip
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ip_network((address, IPV6_CUSTOMER_PREFIX), strict=False))
    return str(address)


def _too_many_requests(
    limit: RateLimit, oldest_try: datetime, now: datetime
) -> TooManyRequestsError:
    seconds_left = (oldest_try + limit.window - now).total_seconds()
    return TooManyRequestsError(retry_after=max(1, ceil(seconds_left)))
