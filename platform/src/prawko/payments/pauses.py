"""Providers that refused our own account rest for a while. SQL of that one theme.

Nothing is lost meanwhile: payments stay as they are and are asked for afterwards, and what
providers call us about waits in the inbox. The first answer ends the rest.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base import logs
from prawko.deliveries.incidents import close_incident, open_incident

log = logs.logger(__name__)

PAYMENTS_REFUSED = "payments_refused"
REST = timedelta(minutes=5)
LONGEST_REASON = 300

_PAUSE = text("""
    INSERT INTO payment_pause AS p (provider, since, paused_until, reason)
    VALUES (:provider, :now, :until, :reason)
    ON CONFLICT (provider) DO UPDATE
       SET paused_until = excluded.paused_until, reason = excluded.reason
""")
_PAUSED = text("SELECT provider FROM payment_pause WHERE paused_until > :now")
_RESUME = text("DELETE FROM payment_pause WHERE provider = :provider")
_ALL = text("SELECT provider, reason FROM payment_pause")


async def pause(session: AsyncSession, provider: str, reason: str, now: datetime) -> None:
    """Let a provider rest. Times are the machine's."""
    log.error("payments_paused", provider=provider)
    values = {"provider": provider, "reason": reason[:LONGEST_REASON], "now": now}
    await session.execute(_PAUSE, {**values, "until": now + REST})


async def resume(session: AsyncSession, provider: str) -> None:
    """It has answered."""
    await session.execute(_RESUME, {"provider": provider})


async def paused(session: AsyncSession, now: datetime) -> frozenset[str]:
    """The providers that rest."""
    return frozenset(await session.scalars(_PAUSED, {"now": now}))


async def tell_of_pauses(session: AsyncSession, providers: Collection[str], now: datetime) -> int:
    """Open and close the providers' incidents; returns how many were opened."""
    refused = {row.provider: row.reason for row in await session.execute(_ALL)}
    opened = 0
    for provider in providers:
        if provider in refused:
            opened += await open_incident(
                session, kind=PAYMENTS_REFUSED, key=provider, detail=refused[provider], now=now
            )
        else:
            await close_incident(session, kind=PAYMENTS_REFUSED, key=provider, now=now)
    return opened
