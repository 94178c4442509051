"""Liveness and readiness probes."""

import asyncio

from litestar import Controller, get
from litestar.di import NamedDependency
from sqlalchemy import text

from prawko.base.schemas import OkOut
from prawko_tenants.engine import Database

READY_SECONDS = 2


class HealthController(Controller):
    """Health checks for proxies and supervisors."""

    path = "/health"
    tags = ("Health",)

    @get("/live", operation_id="isLive")
    async def live(self) -> OkOut:
        return OkOut(ok=True)

    @get("/ready", operation_id="isReady")
    async def ready(self, database: NamedDependency[Database]) -> OkOut:
        """Answer through both of the process's pools. 503 when one gets no answer in time."""
        query = asyncio.create_task(_query_both_pools(database))
        done, _ = await asyncio.wait({query}, timeout=READY_SECONDS)
        if not done:
            query.cancel()  # not awaited: the pool may wait for the server
            raise TimeoutError
        await query
        return OkOut(ok=True)


async def _query_both_pools(database: Database) -> None:
    await database.fetch_global("SELECT 1 AS one")
    async with database.system() as session:
        await session.execute(text("SELECT 1"))
