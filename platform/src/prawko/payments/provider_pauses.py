"""Pauses of providers that refused our account.

Nothing is lost during a pause: payments are polled and webhook events processed afterwards. The
provider's first success ends it.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base import logs
from prawko.incidents.service import set_incident

log = logs.get_logger(__name__)

ACCOUNT_REFUSED_INCIDENT = "payments_refused"
PAUSE_DURATION = timedelta(minutes=5)
MAX_REASON_LENGTH = 300

_PAUSE = text("""
    INSERT INTO payment_pause AS p (provider, since, paused_until, reason)
    VALUES (:provider, :now, :until, :reason)
    ON CONFLICT (provider) DO UPDATE
       SET paused_until = excluded.paused_until, reason = excluded.reason
""")
_PAUSED = text("SELECT provider FROM payment_pause WHERE paused_until > :now")
_RESUME = text("DELETE FROM payment_pause WHERE provider = :provider")
_LIST = text("SELECT provider, reason FROM payment_pause")


async def pause_provider(session: AsyncSession, provider: str, reason: str, now: datetime) -> None:
    """Pause a provider for `PAUSE_DURATION`, by the system clock."""
    log.error("payment_provider_paused", provider=provider)
    values = {"provider": provider, "reason": reason[:MAX_REASON_LENGTH], "now": now}
    await session.execute(_PAUSE, {**values, "until": now + PAUSE_DURATION})


async def resume_provider(session: AsyncSession, provider: str) -> None:
    """End a provider's pause, if there is one, after it has answered."""
    await session.execute(_RESUME, {"provider": provider})


async def paused_providers(session: AsyncSession, now: datetime) -> frozenset[str]:
    """Return the names of the providers that are paused."""
    return frozenset(await session.scalars(_PAUSED, {"now": now}))


async def sync_pause_incidents(
    session: AsyncSession, providers: Collection[str], now: datetime
) -> int:
    """Open and close the incidents of these providers; returns how many were opened."""
    reasons = {row.provider: row.reason for row in await session.execute(_LIST)}
    opened = 0
    for provider in providers:
        opened += await set_incident(
            session,
            kind=ACCOUNT_REFUSED_INCIDENT,
            key=provider,
            is_active=provider in reasons,
            detail=reasons.get(provider, ""),
            now=now,
        )
    return opened
