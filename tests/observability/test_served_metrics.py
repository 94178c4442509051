"""The metrics of real processes: a panel with two workers of its own, and a worker."""

import json
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator

import psutil
import pytest

from support.processes import CLOCK_VARIABLES, PRAWKO, free_port
from support.waiting import poll

REQUESTS = 40


@pytest.fixture
def environment(variables, logins) -> dict[str, str]:
    return {
        **variables, "LOG_LEVEL": "INFO",
        "REGISTER": "public", "REGISTER_PUBLIC_URL": "http://127.0.0.1:9", "MAIL_CHANNEL": "smtp",
        "CHANNEL_SMTP_HOST": "127.0.0.1", "CHANNEL_SMTP_TLS": "none",
        "CHANNEL_SMTP_SENDER": "prawko@prawko.test", "SELLER_TAX_ID": "5260250274",
        "OPERATOR_KRS": "0000123456", "OPERATOR_REGISTER_COURT": "Warszawa",
        "OPERATOR_SHARE_CAPITAL": "5000", "OPERATOR_CONTACT_EMAIL": "kontakt@prawko.test",
        "FRONTEND_DIR": "none", "PORT": str(free_port()), "METRICS_PORT": str(free_port()),
        "PYTHONPATH": ":".join(sys.path),
    }  # fmt: skip


@pytest.fixture
def start(environment, tmp_path) -> Iterator:
    """Start a command; its output is `tmp_path / command`."""
    running = []

    def start_command(command: str, **more: str) -> subprocess.Popen:
        with (tmp_path / command).open("w") as output:
            process = subprocess.Popen(
                [PRAWKO, command],
                env={**CLOCK_VARIABLES, **environment, **more},
                stdout=output,
                stderr=output,
            )
        running.append(process)
        return process

    yield start_command
    for process in running:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def fetch(port: str, path: str) -> str:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        return str(error.code)
    except OSError:
        return ""


def test_two_workers_of_a_panel_are_one_sum_and_a_lost_child_loses_nothing(
    start, environment
) -> None:
    panel = start("serve", WEB_WORKERS="2")
    port, metrics_port = environment["PORT"], environment["METRICS_PORT"]
    poll(lambda: fetch(port, "/health/live"))
    for _ in range(REQUESTS):
        assert fetch(port, "/api/user") == "401"

    def count() -> float:
        page = fetch(metrics_port, "/metrics")
        found = re.search(
            r'seconds_count\{method="GET",route="/api/user",status="401"\} ([0-9.]+)', page
        )
        return float(found[1]) if found else 0.0

    poll(lambda: count() == REQUESTS)
    assert 'prawko_pool_size{pool="reader"} 16.0' in fetch(metrics_port, "/metrics")

    started = psutil.Process(panel.pid).children()
    children = [one for one in started if "tracker" not in " ".join(one.cmdline())]
    assert len(children) == 2
    children[0].kill()
    poll(lambda: 'prawko_pool_size{pool="reader"} 8.0' in fetch(metrics_port, "/metrics")
         or len(psutil.Process(panel.pid).children()) >= 2)  # fmt: skip
    assert count() == REQUESTS
    poll(lambda: fetch(port, "/api/user") == "401")
    poll(lambda: count() > REQUESTS)


def test_a_worker_serves_what_the_database_knows_and_logs_json_alone(
    start, environment, logins, tmp_path
) -> None:
    start("worker", DATABASE_URL=logins.worker, PLANNER_DATABASE_URL=logins.planner)

    page = poll(
        lambda: (
            found
            if "prawko_workers 1.0" in (found := fetch(environment["METRICS_PORT"], "/metrics"))
            else ""
        )
    )

    assert "prawko_database_metrics_refreshed_timestamp_seconds" in page
    assert 'prawko_heartbeat_age_seconds{kind="worker"}' in page
    events = [json.loads(line)["event"] for line in (tmp_path / "worker").read_text().splitlines()]
    assert "worker_started" in events
    assert not [event for event in events if " " in event]
