"""Liveness and readiness probes."""

import asyncio

from litestar import Controller, get
from litestar.di import NamedDependency
from sqlalchemy import text

from prawko.kit.errors import UnavailableError
from prawko.kit.http.schemas import OkOut
from prawko.kit.observability import logs
from prawko.kit.startup_checks import SchemaError, require_schema
from prawko_tenants.engine import Database

READY_SECONDS = 2
RETRY_AFTER_SECONDS = 5

log = logs.get_logger(__name__)


class HealthController(Controller):
    """Health checks for proxies and supervisors."""

    path = "/health"
    tags = ("Health",)

    @get("/live", operation_id="isLive")
    async def live(self) -> OkOut:
        return OkOut(ok=True)

    @get("/ready", operation_id="isReady")
    async def ready(self, database: NamedDependency[Database]) -> OkOut:
        """Answer through both of the process's pools. 503 without answers or with an old schema."""
        query = asyncio.create_task(_query_both_pools(database))
        done, _ = await asyncio.wait({query}, timeout=READY_SECONDS)
        if not done:
            query.cancel()  # not awaited: the pool may wait for the server
            raise TimeoutError
        await query
        return OkOut(ok=True)


async def _query_both_pools(database: Database) -> None:
    try:
        await require_schema(database)
    except SchemaError as error:
        log.warning("schema_outdated", reason=str(error))
        raise UnavailableError(retry_after=RETRY_AFTER_SECONDS) from None
    async with database.system() as session:
        await session.execute(text("SELECT 1"))
