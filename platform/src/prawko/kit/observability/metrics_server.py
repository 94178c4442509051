"""Serves metrics in Prometheus' format, on an address of its own.

The worker reads its own counts. A server's child processes write theirs into a folder once a
second, and the parent, which outlives them, adds them up (docs/decisions/0031-metrics.md).
"""

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from prawko.hooks.environment import SettingsError
from prawko.kit.observability.metrics import (
    Counter,
    Gauge,
    MetricSnapshot,
    merge_snapshots,
    take_snapshots,
)
from prawko.kit.settings import Settings
from prawko_tenants.engine import Database

# Set by a server for its children: where they write their counts.
FOLDER_VARIABLE = "PRAWKO_METRICS_FOLDER"
SHARE_SECONDS = 1.0

SnapshotReader = Callable[[], Sequence[MetricSnapshot]]


def serve_own_metrics(settings: Settings) -> None:
    """Serve what this process counts, if METRICS_PORT is set."""
    if settings.metrics_port:
        _start_server(settings, take_snapshots)


def serve_childrens_metrics(settings: Settings) -> None:
    """Serve what the children of this process will count, if METRICS_PORT is set."""
    if settings.metrics_port:
        folder = Path(tempfile.mkdtemp(prefix="prawko-metrics-"))
        os.environ[FOLDER_VARIABLE] = str(folder)
        _start_server(settings, lambda: read_folder(folder))


def write_snapshot(folder: Path) -> None:
    """Write what this process has counted, for its parent."""
    path = folder / f"{os.getpid()}.json"
    part = path.with_suffix(".part")
    part.write_bytes(msgspec.json.encode(take_snapshots()))
    part.replace(path)


def read_folder(folder: Path) -> list[MetricSnapshot]:
    """Return the counts of all children; of those that have ended, what does not go down."""
    processes = []
    for path in sorted(folder.glob("*.json")):
        with suppress(OSError, msgspec.DecodeError):
            metrics = msgspec.json.decode(path.read_bytes(), type=list[MetricSnapshot])
            is_running = Path("/proc", path.stem).exists()
            processes.append([one for one in metrics if is_running or one.kind != "gauge"])
    return merge_snapshots(processes)


def _start_server(settings: Settings, read: SnapshotReader) -> None:
    # 12 MB that a process without metrics does not need.
    from prometheus_client import CollectorRegistry, start_http_server  # noqa: PLC0415

    registry = CollectorRegistry()
    registry.register(_SnapshotCollector(read))
    host, port = settings.metrics_host, settings.metrics_port
    try:
        start_http_server(port, host, registry)
    except OSError as error:
        raise SettingsError("METRICS_PORT", f"cannot be {port} ({error.strerror})") from None


class _SnapshotCollector:
    """The collector that prometheus_client asks for metrics at every request."""

    def __init__(self, read: SnapshotReader) -> None:
        self._read = read

    def describe(self) -> list[Any]:
        """Name nothing in advance: metrics belong to the processes that count them."""
        return []

    def collect(self) -> Iterator[Any]:
        for metric in self._read():
            yield _to_family(metric)


def _to_family(metric: MetricSnapshot) -> Any:
    from prometheus_client import core  # noqa: PLC0415 (see above)

    labels = metric.label_names
    if metric.kind == "histogram":
        histogram = core.HistogramMetricFamily(metric.name, metric.help, labels=labels)
        bounds = [*map(str, metric.buckets), "+Inf"]
        for values, numbers in metric.series:
            total, buckets = 0.0, []
            for bound, number in zip(bounds, numbers, strict=False):
                total += number
                buckets.append((bound, total))
            histogram.add_metric(values, buckets, numbers[-1])
        return histogram
    kind = core.CounterMetricFamily if metric.kind == "counter" else core.GaugeMetricFamily
    family = kind(metric.name, metric.help, labels=labels)
    for values, numbers in metric.series:
        family.add_metric(values, numbers[0])
    return family


CONNECTIONS = Gauge(
    "prawko_pool_connections", "Connections to PostgreSQL by pool and state.", ("pool", "state")
)
SIZE = Gauge("prawko_pool_size", "Connections that a pool may open.", ("pool",))
WAITS = Counter("prawko_pool_waits_total", "Waits for a connection of a pool.", ("pool",))
WAIT_SECONDS = Counter(
    "prawko_pool_wait_seconds_total", "Seconds of waiting for a connection of a pool.", ("pool",)
)


def record_pool_use(database: Database) -> None:
    """Record the present use of the process's pools, and the waits so far."""
    for pool in database.list_pools():
        SIZE.set_value(pool.size, pool.name)
        CONNECTIONS.set_value(pool.in_use, pool.name, "used")
        CONNECTIONS.set_value(pool.idle, pool.name, "idle")
        WAITS.add(pool.name, number=pool.waits - WAITS.read_value(pool.name))
        WAIT_SECONDS.add(pool.name, number=pool.wait_seconds - WAIT_SECONDS.read_value(pool.name))
