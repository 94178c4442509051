"""Metrics that are read from the database, by a worker: the panel's login may not see them.

Every worker reads the same numbers, every REFRESH_SECONDS at most, in one transaction with a
limit: Prometheus' rules take the maximum of all workers.
"""

from datetime import datetime

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.kit.clock import utc_now, warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.incidents.heartbeats import load_watch
from prawko.kit.incidents.models import Incident, ProviderPause
from prawko.kit.observability import logs
from prawko.kit.observability.metrics import Gauge, Labels
from prawko.kit.observability.metrics_server import record_pool_use
from prawko.kit.outbox.models import Delivery, waiting_since
from prawko.kit.webhooks.models import WebhookEvent
from prawko.verifications.models import CheckItem, CheckRun, RegisterLimiter

REFRESH_SECONDS = 10.0
# A read that takes longer is given up: the numbers keep their age.
_LIMIT_STATEMENT = text("SET LOCAL statement_timeout = '3s'")

RUN_ITEMS = Gauge(
    "prawko_check_items", "Check items of today's run by state or outcome.", ("state",)
)
RUN_LAG = Gauge(
    "prawko_check_lag_seconds", "How long the oldest due check item of today has waited."
)
UNANSWERED = Gauge(
    "prawko_check_items_unanswered", "Due check items of today by their last error.", ("error",)
)
PENDING = Gauge("prawko_deliveries_pending", "Messages that wait to be sent.", ("medium",))
OLDEST_PENDING = Gauge(
    "prawko_delivery_oldest_pending_seconds",
    "How long the oldest waiting message has waited since it might leave.",
    ("medium",),
)
UNPROCESSED = Gauge(
    "prawko_webhook_events_unprocessed", "Stored webhook events to be processed.", ("provider",)
)
INCIDENTS = Gauge("prawko_incidents_open", "Open incidents by kind.", ("kind",))
PAUSED = Gauge("prawko_providers_paused", "1 for a provider that refused us.", ("provider",))
BREAKER = Gauge(
    "prawko_register_blocked", "1 while the breaker of a register's lane is open.",
    ("register", "lane"),
)  # fmt: skip
HEARTBEAT_AGE = Gauge(
    "prawko_heartbeat_age_seconds", "Seconds since the last heartbeat of a kind.", ("kind",)
)
WORKERS = Gauge("prawko_workers", "Workers that have beaten lately.")
REFRESHED_AT = Gauge(
    "prawko_database_metrics_refreshed_timestamp_seconds", "When these numbers were last read."
)

log = logs.get_logger(__name__)

SeriesNumbers = dict[Labels, float]


async def refresh_until_shutdown(context: AppContext) -> None:
    """Read the numbers again and again."""
    while not context.shutdown:
        record_pool_use(context.database)
        try:
            await refresh_database_metrics(context)
        except Exception as error:  # noqa: BLE001 (the boundary of the process: it goes on)
            log.warning("metrics_not_refreshed", error=type(error).__name__)
        await context.shutdown.sleep_up_to(REFRESH_SECONDS)


async def refresh_database_metrics(context: AppContext) -> None:
    """Read all numbers once; the gauges change together, or not at all."""
    async with context.database.system() as session:
        await session.execute(_LIMIT_STATEMENT)
        run = await _count_items(session, context.clock.now())
        unanswered = await _count_unanswered(session, context.clock.now())
        lag = await _find_lag(session, context.clock.now())
        pending = await _count_pending(session, utc_now())
        is_unprocessed = WebhookEvent.processed_at.is_(None)
        events = await session.execute(
            select(WebhookEvent.provider, func.count())
            .where(is_unprocessed)
            .group_by(WebhookEvent.provider)
        )
        unprocessed: SeriesNumbers = {(provider,): float(number) for provider, number in events}
        opened = await session.execute(
            select(Incident.kind, func.count())
            .where(Incident.closed_at.is_(None))
            .group_by(Incident.kind)
        )
        incidents: SeriesNumbers = {(kind,): float(number) for kind, number in opened}
        paused: SeriesNumbers = {
            (name,): 1.0 for name in await session.scalars(select(ProviderPause.provider))
        }
        lanes = (await session.scalars(select(RegisterLimiter))).all()
        watch = await load_watch(session)
    RUN_ITEMS.replace_all(run)
    RUN_LAG.set_value(lag)
    UNANSWERED.replace_all(unanswered)
    PENDING.replace_all({labels: number for labels, (number, _) in pending.items()})
    OLDEST_PENDING.replace_all({labels: age for labels, (_, age) in pending.items()})
    UNPROCESSED.replace_all(unprocessed)
    INCIDENTS.replace_all(incidents)
    PAUSED.replace_all(paused)
    BREAKER.replace_all({(one.register, one.lane): float(one.breaker != "closed") for one in lanes})
    HEARTBEAT_AGE.replace_all({(kind.value,): age for kind, age in watch.ages.items()})
    WORKERS.set_value(watch.workers)
    REFRESHED_AT.set_value(utc_now().timestamp())


async def _count_items(session: AsyncSession, now: datetime) -> SeriesNumbers:
    """Count today's items: due ones by their index, all others as the run has counted them."""
    today = warsaw_date(now)
    run = await session.scalar(select(CheckRun).where(CheckRun.day == today))
    if run is None:
        return {}
    is_due = (CheckItem.day == today) & (CheckItem.state == "due")
    due = await session.scalar(select(func.count()).select_from(CheckItem).where(is_due))
    counts = {"due": due or 0}
    for name in ("planned", "done", "valid", "invalid", "attention", "not_found", "quarantined"):
        counts[name] = getattr(run, name)
    return {(name,): float(number) for name, number in counts.items()}


async def _count_unanswered(session: AsyncSession, now: datetime) -> SeriesNumbers:
    rows = await session.execute(
        select(CheckItem.error_kind, func.count())
        .where(
            CheckItem.day == warsaw_date(now),
            CheckItem.state == "due",
            CheckItem.error_kind.is_not(None),
        )
        .group_by(CheckItem.error_kind)
    )
    return {(str(error),): float(number) for error, number in rows}


async def _find_lag(session: AsyncSession, now: datetime) -> float:
    oldest = await session.scalar(
        select(func.min(CheckItem.next_try_at)).where(
            CheckItem.day == warsaw_date(now), CheckItem.state == "due"
        )
    )
    return 0.0 if oldest is None else max(0.0, (now - oldest).total_seconds())


async def _count_pending(session: AsyncSession, now: datetime) -> dict[Labels, tuple[float, float]]:
    """Return the number of waiting messages of each medium, and the age of the oldest."""
    rows = await session.execute(
        select(Delivery.channel_medium, func.count(), func.min(waiting_since))
        .where(Delivery.state == "pending")
        .group_by(Delivery.channel_medium)
    )
    return {
        (medium,): (float(number), max(0.0, (now - oldest).total_seconds()))
        for medium, number, oldest in rows
    }
