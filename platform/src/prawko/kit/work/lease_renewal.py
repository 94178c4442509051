"""Leases of claimed rows, renewed while the loop of their holder turns."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta

from prawko.kit.clock import utc_now
from prawko.kit.observability import logs

log = logs.get_logger(__name__)

RENEWAL_SECONDS = 5.0


class LeaseRenewal:
    """Calls `renew` with the leases' new end every `interval` seconds.

    A call that fails, or takes longer than half of `duration`, is repeated after the interval. If
    PostgreSQL or the processor is unavailable, the leases end, and no query that could outlast them
    is sent.
    """

    def __init__(
        self,
        renew: Callable[[datetime], Awaitable[object]],
        duration: timedelta,
        ends_at: datetime,
        *,
        interval: float | None = None,
    ) -> None:
        self._renew = renew
        self._duration = duration
        self._ends_at = ends_at
        self._interval = RENEWAL_SECONDS if interval is None else interval

    def ends_at(self) -> datetime:
        """When the leases end unless they are renewed."""
        return self._ends_at

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Renew within the block."""
        renewing = asyncio.create_task(self._keep_renewing())
        try:
            yield
        finally:
            renewing.cancel()
            with suppress(asyncio.CancelledError):
                await renewing

    async def _keep_renewing(self) -> None:
        while True:
            await asyncio.sleep(self._interval)
            ends_at = utc_now() + self._duration
            try:
                async with asyncio.timeout(self._duration.total_seconds() / 2):
                    await self._renew(ends_at)
            except Exception as error:  # noqa: BLE001 (the leases end unless a later try succeeds)
                log.warning("leases_not_renewed", reason=type(error).__name__)
            else:
                self._ends_at = ends_at
