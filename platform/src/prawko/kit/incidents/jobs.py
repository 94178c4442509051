"""Job that logs incidents which could not be mailed."""

from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.incidents.service import log_unsent
from prawko.kit.work.jobs import job


@job(timeout=30)
async def log_unsent_incidents(context: AppContext) -> None:
    """Log the open incidents whose mail has not left."""
    async with context.database.system() as session:
        await log_unsent(session, utc_now())
