"""Job that logs incidents which could not be mailed."""

from prawko.base.clock import utc_now
from prawko.base.context import AppContext
from prawko.base.jobs import job
from prawko.incidents.service import log_unsent


@job(timeout=30)
async def log_unsent_incidents(context: AppContext) -> None:
    """Log the open incidents whose mail has not left."""
    async with context.database.system() as session:
        await log_unsent(session, utc_now())
