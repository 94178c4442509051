"""The heartbeat of a worker process."""

from pathlib import Path

from prawko.kit.context import AppContext
from prawko.kit.incidents.heartbeats import (
    WORKER_INTERVAL,
    HeartbeatKind,
    record_heartbeat,
    remove_heartbeat,
)
from prawko.kit.observability import logs
from prawko_tenants.ids import new_id

log = logs.get_logger(__name__)


async def beat_until_shutdown(context: AppContext) -> None:
    """Record a heartbeat every WORKER_INTERVAL; the last act of a worker is to remove it.

    HEARTBEAT_FILE is as old as the last one that PostgreSQL has recorded.
    """
    file = context.settings.heartbeat_file
    name = new_id().hex
    while not context.shutdown:
        try:
            async with context.database.system() as session:
                await record_heartbeat(session, HeartbeatKind.WORKER, name)
            _touch(file)
        except Exception as error:  # noqa: BLE001 (the boundary of the process: it goes on)
            log.warning("heartbeat_failed", error=type(error).__name__)
        await context.shutdown.sleep_up_to(WORKER_INTERVAL.total_seconds())
    async with context.database.system() as session:
        await remove_heartbeat(session, HeartbeatKind.WORKER, name)


def _touch(file: str) -> None:
    if file:
        Path(file).touch()
