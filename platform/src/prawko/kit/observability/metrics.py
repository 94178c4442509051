"""Metrics that a process counts; they are served elsewhere (`metrics_server`).

Counting is a few additions in memory, whether the metrics are read or not. Labels are names
of ours: route templates, plugins, states, kinds; never a company, a person or a path.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence

import msgspec

MAX_SERIES = 1000  # of one metric; a label whose values grow without limit is a bug
OVERFLOW = "other"
# Seconds: from a cached read to a register call at its deadline.
LATENCY_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

Labels = tuple[str, ...]


class MetricSnapshot(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of a metric; a series of a histogram has one for each bucket, then the sum."""

    name: str
    help: str
    kind: str
    label_names: Labels
    buckets: tuple[float, ...] = ()
    series: list[tuple[Labels, list[float]]]


class Metric:
    """Base of the metrics below; each is created once, in the module that counts it."""

    kind = ""

    def __init__(self, name: str, help_text: str, label_names: Sequence[str] = ()) -> None:
        self.name = name
        self.help = help_text
        self.label_names = tuple(label_names)
        self._series: dict[Labels, list[float]] = {}
        REGISTRY.append(self)

    def snapshot(self) -> MetricSnapshot:
        """Return what was counted so far; safe in any thread."""
        series = [(labels, values.copy()) for labels, values in dict(self._series).items()]
        return MetricSnapshot(
            name=self.name,
            help=self.help,
            kind=self.kind,
            label_names=self.label_names,
            buckets=self._buckets(),
            series=series,
        )

    def read_value(self, *labels: str) -> float:
        """Return the value of a series, of a histogram the number of its observations."""
        return sum(self._series.get(labels, ()))

    def _buckets(self) -> tuple[float, ...]:
        return ()

    def _new_series(self, labels: Labels) -> list[float]:
        if len(labels) != len(self.label_names):
            raise ValueError(f"{self.name} has the labels {self.label_names}")
        if len(self._series) >= MAX_SERIES:
            labels = (OVERFLOW,) * len(self.label_names)
        return self._series.setdefault(labels, self._zero())

    def _zero(self) -> list[float]:
        return [0.0]


REGISTRY: list[Metric] = []


class Counter(Metric):
    """A number that only grows; its name ends with `_total`."""

    kind = "counter"

    def add(self, *labels: str, number: float = 1.0) -> None:
        """Count something."""
        (self._series.get(labels) or self._new_series(labels))[0] += number


class Gauge(Metric):
    """A present value. Values of several processes of a server are added up."""

    kind = "gauge"

    def set_value(self, number: float, *labels: str) -> None:
        """Set one series."""
        (self._series.get(labels) or self._new_series(labels))[0] = number

    def replace_all(self, numbers: Mapping[Labels, float]) -> None:
        """Set all series; those that are not among `numbers` are removed."""
        self._series = {labels: [number] for labels, number in numbers.items()}


class Histogram(Metric):
    """How often something took how many seconds."""

    kind = "histogram"

    def __init__(
        self,
        name: str,
        help_text: str,
        label_names: Sequence[str] = (),
        *,
        buckets: tuple[float, ...] = LATENCY_BUCKETS,
    ) -> None:
        self._bounds = buckets
        super().__init__(name, help_text, label_names)

    def observe(self, seconds: float, *labels: str) -> None:
        """Count one duration."""
        values = self._series.get(labels) or self._new_series(labels)
        values[bisect_left(self._bounds, seconds)] += 1.0
        values[-1] += seconds

    def read_value(self, *labels: str) -> float:
        return sum(self._series.get(labels, [0.0])[:-1])

    def _buckets(self) -> tuple[float, ...]:
        return self._bounds

    def _zero(self) -> list[float]:
        return [0.0] * (len(self._bounds) + 2)  # one more bucket for the longest, and the sum


def take_snapshots() -> list[MetricSnapshot]:
    """Return what this process has counted."""
    return [metric.snapshot() for metric in REGISTRY]


def merge_snapshots(processes: Sequence[Sequence[MetricSnapshot]]) -> list[MetricSnapshot]:
    """Return the sum over several processes of one server."""
    merged: dict[str, dict[Labels, list[float]]] = {}
    metrics: dict[str, MetricSnapshot] = {}
    for snapshots in processes:
        for metric in snapshots:
            metrics[metric.name] = metric
            series = merged.setdefault(metric.name, {})
            for labels, values in metric.series:
                old = series.get(labels, [0.0] * len(values))
                series[labels] = [a + b for a, b in zip(old, values, strict=True)]
    return [
        msgspec.structs.replace(metric, series=list(merged[name].items()))
        for name, metric in metrics.items()
    ]
