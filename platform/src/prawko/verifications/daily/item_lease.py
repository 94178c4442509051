"""The lease of a batch of check items, renewed while its worker lives."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from types import TracebackType
from typing import Self

from prawko.kit.clock import utc_now
from prawko.kit.observability import logs
from prawko.verifications.daily.repository import renew_leases
from prawko.verifications.register.check_tasks import CheckTask
from prawko_tenants.engine import Database

log = logs.get_logger(__name__)

RENEWAL_SECONDS = 5.0


class ItemLease:
    """Renews a batch's leases every RENEWAL_SECONDS, within its `async with` block.

    If PostgreSQL or the processor is unavailable, they end, and no query that could outlast them
    is sent.
    """

    def __init__(
        self, database: Database, day: date, tasks: Sequence[CheckTask], duration: timedelta
    ) -> None:
        self._database = database
        self._day = day
        self._tasks = tasks
        self._duration = duration
        self._renewing: asyncio.Task[None] | None = None
        self._ends_at = min((task.lease_until for task in tasks), default=utc_now())

    def ends_at(self) -> datetime:
        """When the lease ends unless it is renewed."""
        return self._ends_at

    async def __aenter__(self) -> Self:
        self._renewing = asyncio.create_task(self._keep_renewing())
        return self

    async def __aexit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._renewing is not None:
            self._renewing.cancel()
            with suppress(asyncio.CancelledError):
                await self._renewing

    async def _keep_renewing(self) -> None:
        while True:
            await asyncio.sleep(RENEWAL_SECONDS)
            ends_at = utc_now() + self._duration
            try:
                await renew_leases(self._database, self._day, self._tasks, ends_at)
            except Exception as error:  # noqa: BLE001 (the leases end unless a later try succeeds)
                log.warning("leases_not_renewed", reason=type(error).__name__)
            else:
                self._ends_at = ends_at
