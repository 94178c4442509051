"""Pauses of carriers and payment providers that refused our account.

Nothing is lost during a pause: messages, payments and webhook events are processed afterwards.
It lasts PAUSE_DURATION, and its incident until the provider's first success after that.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.kit.database import count_changes
from prawko.kit.incidents.models import ProviderPause
from prawko.kit.incidents.service import set_incident
from prawko.kit.observability import logs
from prawko_tenants.sessions import TenantAwareSession

log = logs.get_logger(__name__)

PAUSE_DURATION = timedelta(minutes=5)


async def pause_provider(session: AsyncSession, provider: str, reason: str, now: datetime) -> None:
    """Pause a provider for PAUSE_DURATION; `reason` contains no personal data."""
    log.error("provider_paused", provider=provider, seconds=PAUSE_DURATION.total_seconds())
    pause = insert(ProviderPause).values(
        provider=provider, since=now, paused_until=now + PAUSE_DURATION, reason=reason
    )
    new = {"paused_until": pause.excluded.paused_until, "reason": pause.excluded.reason}
    await session.execute(
        pause.on_conflict_do_update(index_elements=[ProviderPause.provider], set_=new)
    )


async def resume_provider(session: AsyncSession, provider: str, now: datetime) -> bool:
    """Remove a provider's pause after a success; an answer in flight does not end it early.

    Returns whether a pause that has passed was removed.
    """
    is_over = ProviderPause.paused_until <= now
    ended = delete(ProviderPause).where(ProviderPause.provider == provider, is_over)
    return await count_changes(session, ended) > 0


async def paused_providers(session: AsyncSession, now: datetime) -> frozenset[str]:
    """Return the names of the providers that are paused."""
    statement = select(ProviderPause.provider).where(ProviderPause.paused_until > now)
    return frozenset(await session.scalars(statement))


async def sync_pause_incidents(
    session: TenantAwareSession, kind: str, providers: Collection[str], now: datetime
) -> None:
    """Open and close the incidents of these providers.

    A pause that has passed is still an incident until the provider has answered.
    """
    rows = await session.execute(select(ProviderPause.provider, ProviderPause.reason))
    reasons = {row.provider: row.reason for row in rows}
    for provider in providers:
        await set_incident(
            session,
            kind=kind,
            key=provider,
            is_active=provider in reasons,
            detail=reasons.get(provider, ""),
            now=now,
        )
