"""Whether the process lives, and whether it can serve."""

from litestar import Controller, get
from litestar.di import NamedDependency

from prawko.base.schemas import Done
from prawko_tenants.engine import Database


class HealthController(Controller):
    """Asked by proxies and by people who start the product."""

    path = "/health"
    tags = ("Health",)

    @get("/live", operation_id="isLive")
    async def live(self) -> Done:
        return Done(ok=True)

    @get("/ready", operation_id="isReady")
    async def ready(self, database: NamedDependency[Database]) -> Done:
        await database.fetch_global("SELECT 1 AS one")
        return Done(ok=True)
