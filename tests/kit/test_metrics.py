"""The counts of all processes are added up, and served in Prometheus' format."""

import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import msgspec
import pytest

from prawko.hooks.environment import SettingsError
from prawko.kit.observability import metrics
from prawko.kit.observability.metrics import Counter, Gauge, Histogram, merge_snapshots
from prawko.kit.observability.metrics_server import (
    FOLDER_VARIABLE,
    read_folder,
    serve_childrens_metrics,
    serve_own_metrics,
    write_snapshot,
)
from prawko.kit.settings_validation import load_settings
from support.processes import free_port

PROMTOOL = shutil.which("promtool")


@pytest.fixture(autouse=True)
def registry(monkeypatch) -> list[metrics.Metric]:
    """The metrics of the test alone."""
    own: list[metrics.Metric] = []
    monkeypatch.setattr(metrics, "REGISTRY", own)
    return own


@pytest.fixture
def settings(variables):
    return load_settings({**variables, "METRICS_PORT": str(free_port())})


def scrape(settings) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{settings.metrics_port}/metrics") as answer:
        return answer.read().decode()


def count_something() -> None:
    pages = Counter("prawko_pages_total", "Pages.", ("route",))
    pages.add("/api/drivers")
    pages.add("/api/drivers", number=2)
    Gauge("prawko_rows", "Rows.").set_value(7)
    seconds = Histogram("prawko_took_seconds", "Time.", ("route",), buckets=(0.1, 1.0))
    for duration in (0.05, 0.1, 0.5, 3.0):
        seconds.observe(duration, "/api/drivers")


def test_the_text_is_prometheus_format(settings) -> None:
    count_something()
    serve_own_metrics(settings)

    page = scrape(settings)

    for line in (
        "# TYPE prawko_pages_total counter",
        'prawko_pages_total{route="/api/drivers"} 3.0',
        "prawko_rows 7.0",
        'prawko_took_seconds_bucket{le="0.1",route="/api/drivers"} 2.0',
        'prawko_took_seconds_bucket{le="1.0",route="/api/drivers"} 3.0',
        'prawko_took_seconds_bucket{le="+Inf",route="/api/drivers"} 4.0',
        'prawko_took_seconds_count{route="/api/drivers"} 4.0',
        'prawko_took_seconds_sum{route="/api/drivers"} 3.65',
    ):
        assert line in page
    if PROMTOOL:
        checked = subprocess.run(
            [PROMTOOL, "check", "metrics"], input=page, capture_output=True, text=True, check=False
        )
        assert (checked.returncode, checked.stderr) == (0, "")


def test_children_are_added_up_and_the_dead_count_no_gauges(tmp_path) -> None:
    count_something()
    write_snapshot(tmp_path)
    own = tmp_path / f"{os.getpid()}.json"
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    (tmp_path / f"{ended.pid}.json").write_bytes(own.read_bytes())
    (tmp_path / "1.json").write_bytes(b"[")  # half a file

    merged = {one.name: one for one in read_folder(tmp_path)}

    assert merged["prawko_pages_total"].series == [(("/api/drivers",), [6.0])]
    assert merged["prawko_rows"].series == [((), [7.0])]
    assert merged["prawko_took_seconds"].series[0][1][:3] == [4.0, 2.0, 2.0]


def test_a_server_serves_what_its_children_wrote(settings, monkeypatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, "")
    serve_childrens_metrics(settings)
    folder = Path(os.environ[FOLDER_VARIABLE])
    assert "prawko_rows" not in scrape(settings)

    count_something()
    write_snapshot(folder)

    assert "prawko_rows 7.0" in scrape(settings)
    shutil.rmtree(folder)


def test_without_a_port_nothing_is_served_or_written(variables, monkeypatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)

    serve_childrens_metrics(load_settings(variables))

    assert FOLDER_VARIABLE not in os.environ


def test_a_taken_port_is_named(settings) -> None:
    serve_own_metrics(settings)

    with pytest.raises(SettingsError, match="METRICS_PORT cannot be"):
        serve_own_metrics(settings)


def test_labels_that_grow_without_limit_end_in_one_series() -> None:
    counter = Counter("prawko_x_total", "X.", ("a",))
    for n in range(metrics.MAX_SERIES + 50):
        counter.add(str(n))

    assert len(counter.snapshot().series) == metrics.MAX_SERIES + 1
    assert counter.read_value("other") == 50


def test_a_forgotten_label_is_a_bug() -> None:
    with pytest.raises(ValueError, match="prawko_x_total has the labels"):
        Counter("prawko_x_total", "X.", ("a", "b")).add("one")


def test_a_snapshot_survives_json() -> None:
    count_something()
    snapshots = metrics.take_snapshots()

    decoded = msgspec.json.decode(msgspec.json.encode(snapshots), type=list[metrics.MetricSnapshot])

    assert merge_snapshots([decoded]) == merge_snapshots([snapshots])
