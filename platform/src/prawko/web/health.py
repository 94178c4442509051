"""Liveness and readiness probes."""

from litestar import Controller, get
from litestar.di import NamedDependency

from prawko.base.schemas import OkOut
from prawko_tenants.engine import Database


class HealthController(Controller):
    """Health checks for proxies and supervisors."""

    path = "/health"
    tags = ("Health",)

    @get("/live", operation_id="isLive")
    async def live(self) -> OkOut:
        return OkOut(ok=True)

    @get("/ready", operation_id="isReady")
    async def ready(self, database: NamedDependency[Database]) -> OkOut:
        await database.fetch_global("SELECT 1 AS one")
        return OkOut(ok=True)
