"""Jobs about monitoring itself: the dead-man switch's ping, and incidents whose mail waits."""

import time

from yarl import URL

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.http_client import HttpClient, HttpError
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.incidents.heartbeats import (
    MONITORING_SILENT_AFTER,
    HeartbeatKind,
    load_watch,
    record_heartbeat,
)
from prawko.kit.incidents.models import Detail
from prawko.kit.incidents.repository import IncidentRepository
from prawko.kit.incidents.service import MAIL_DEADLINE, set_incident
from prawko.kit.observability import logs
from prawko.kit.observability.metrics import Counter
from prawko.kit.work.jobs import job

PING_SECONDS = 10.0
PING_FAILED = "ping_failed"

PINGS = Counter("prawko_dead_man_pings_total", "Requests to the dead-man switch.", ("result",))

log = logs.get_logger(__name__)


@job(timeout=30)
async def log_unsent_incidents(context: AppContext) -> None:
    """Log the open incidents whose mail has not left within MAIL_DEADLINE."""
    async with context.database.system() as session:
        unsent = await IncidentRepository(session).list_unsent(utc_now() - MAIL_DEADLINE)
    for one in unsent:
        log.critical("incident_unsent", kind=one.kind, key=one.key, detail=one.detail)


@job(timeout=30)
async def ping_dead_man_switch(context: AppContext) -> None:
    """Request HEARTBEAT_URL, if monitoring works and operators know of every incident."""
    url = context.settings.heartbeat_url
    if not url:
        return
    async with context.database.system() as session:
        watch = await load_watch(session)
        unsent = await IncidentRepository(session).list_unsent(utc_now() - MAIL_DEADLINE)
    if not watch.is_monitored or unsent:
        PINGS.add("withheld")
        log.error("ping_withheld", monitored=watch.is_monitored, unsent_incidents=len(unsent))
        return
    failure = await _request(URL(url))
    PINGS.add("failed" if failure else "sent")
    last_ping = watch.ages.get(HeartbeatKind.PING)
    is_lasting = last_ping is None or last_ping > MONITORING_SILENT_AFTER.total_seconds()
    async with context.database.system() as session:
        if not failure:
            await record_heartbeat(session, HeartbeatKind.PING)
        await set_incident(
            session,
            kind=PING_FAILED,
            key="ping",
            is_active=bool(failure) and is_lasting,
            detail=failure,
            now=utc_now(),
        )


async def _request(url: URL) -> Detail | str:
    """Request the address once; returns why that failed, "" for a success."""
    client = HttpClient(deadline=PING_SECONDS)
    began = time.monotonic()
    try:
        response = await client.request("GET", url, accepted_statuses=())
    except (HttpError, ProviderAccountError) as error:
        reason: Detail | str = str(error)
    else:
        # Of an answer only the status counts; its text may be anything.
        reason = "" if response.status < 300 else Detail("ping_status", {"status": response.status})
    finally:
        await client.close()
    if reason:
        log.warning("ping_failed", reason=str(reason), seconds=round(time.monotonic() - began, 1))
    return reason
