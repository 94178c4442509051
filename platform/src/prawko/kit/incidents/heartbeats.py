"""Heartbeats of workers and monitoring, by PostgreSQL's clock and not by the processes' own."""

from datetime import timedelta
from enum import StrEnum

import msgspec
from sqlalchemy import Interval, delete, func, literal, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from prawko import __version__
from prawko.kit.incidents.models import Heartbeat

WORKER_INTERVAL = timedelta(seconds=15)
# A worker that has been silent for longer has ended, or hangs.
WORKER_SILENT_AFTER = timedelta(minutes=2)
# Monitoring runs every minute, unless a job before it takes its time.
MONITORING_SILENT_AFTER = timedelta(minutes=5)
FORGOTTEN_AFTER = timedelta(days=1)


class HeartbeatKind(StrEnum):
    """The parts whose heartbeats are recorded."""

    WORKER = "worker"
    MONITORING = "monitoring"  # the health checks have run, and their incidents are stored
    PING = "ping"  # the dead-man switch has answered our ping


class Watch(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds since the last heartbeat of each kind (None: there is none), and the workers."""

    ages: dict[HeartbeatKind, float]
    workers: int
    silent_workers: int

    @property
    def has_workers(self) -> bool:
        """Whether a worker has beaten lately."""
        return self.workers > 0

    @property
    def is_monitored(self) -> bool:
        """Whether the health checks have run lately."""
        age = self.ages.get(HeartbeatKind.MONITORING)
        return age is not None and age <= MONITORING_SILENT_AFTER.total_seconds()


async def record_heartbeat(session: AsyncSession, kind: HeartbeatKind, name: str = "") -> None:
    """Record that a process or job is alive now; `name` distinguishes several of a kind."""
    beat = insert(Heartbeat).values(
        id=f"{kind.value}:{name}" if name else kind.value,
        kind=kind.value,
        started_at=func.now(),
        seen_at=func.now(),
        release=__version__,
    )
    await session.execute(
        beat.on_conflict_do_update(
            index_elements=[Heartbeat.id], set_={"seen_at": beat.excluded.seen_at}
        )
    )


async def remove_heartbeat(session: AsyncSession, kind: HeartbeatKind, name: str) -> None:
    """Remove the heartbeat of a process or job that stops in order."""
    await session.execute(delete(Heartbeat).where(Heartbeat.id == f"{kind.value}:{name}"))


async def prune_heartbeats(session: AsyncSession) -> None:
    """Remove workers that have been silent for FORGOTTEN_AFTER, which no operator can repair."""
    is_forgotten = Heartbeat.seen_at < func.now() - literal(FORGOTTEN_AFTER, Interval)
    await session.execute(
        delete(Heartbeat).where(is_forgotten, Heartbeat.kind == HeartbeatKind.WORKER.value)
    )


async def load_watch(session: AsyncSession) -> Watch:
    """Return the state of the heartbeats."""
    age = func.extract("epoch", func.now() - Heartbeat.seen_at)
    rows = (await session.execute(select(Heartbeat.kind, age.label("age")))).all()
    ages: dict[HeartbeatKind, float] = {}
    for row in rows:
        kind = HeartbeatKind(row.kind)
        ages[kind] = min(ages.get(kind, float(row.age)), float(row.age))
    workers = [float(row.age) for row in rows if row.kind == HeartbeatKind.WORKER]
    alive = sum(one <= WORKER_SILENT_AFTER.total_seconds() for one in workers)
    return Watch(ages=ages, workers=alive, silent_workers=len(workers) - alive)


def describe_gap(watch: Watch) -> str | None:
    """Return a sentence for operators about missing heartbeats; None while monitoring works."""
    if not watch.has_workers:
        return "monitoring has stopped: no worker has been seen for two minutes"
    if not watch.is_monitored:
        return "monitoring has stopped: the health checks have not run for five minutes"
    return None
