"""`prawko demo` started, stopped and killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from math import ceil
from pathlib import Path
from threading import Timer

import httpx
import psutil
import pytest

from prawko.kit.clock import WARSAW
from prawko_demo import register_state
from prawko_demo.databases import DemoServers, prepare_folder
from prawko_demo.options import parse_options
from prawko_demo.register.document_store import DocumentStore, UnknownSerialMode
from prawko_demo.register.documents import RegisterDocument
from support.processes import CLOCK_VARIABLES, DEMO_COMMAND, free_port, run_prawko
from support.waiting import poll

COMPANY_LOGIN = {"email": "firma@prawko.test", "password": "Demo1234"}
OPERATOR_LOGIN = {"email": "operator@prawko.test", "password": "Operator1234"}
READY_SECONDS = 60.0
STOP_SECONDS = 20.0
ONE_DAY = timedelta(days=1)


def is_running(process: psutil.Process) -> bool:
    """Whether the process runs; a zombie does not."""
    with suppress(psutil.NoSuchProcess):
        return process.status() != psutil.STATUS_ZOMBIE
    return False


class DemoProcess:
    """A `prawko demo` and its child processes."""

    def __init__(self, home: Path, port: int, **variables: str) -> None:
        self.home, self.port = home, port
        self.url = f"http://127.0.0.1:{port}"
        self.lines: list[str] = []
        self._variables = variables

    def start(self) -> "DemoProcess":
        """Start the demo and wait for its last line of output."""
        self.launch()
        timeout = Timer(READY_SECONDS, self.process.kill)
        timeout.start()
        self.lines = []
        for line in self.process.stdout:
            self.lines.append(line.strip())
            if line.startswith("ready:"):
                break
        timeout.cancel()
        assert self.lines, "it ended without output"
        assert self.lines[-1] == f"ready: {self.url}"
        return self

    def launch(self) -> None:
        """Start the demo without waiting."""
        self.process = subprocess.Popen(
            DEMO_COMMAND, env=self._environment(), stdout=subprocess.PIPE, text=True
        )

    def start_error(self) -> str:
        """Return the error of a demo that cannot start."""
        result = run_prawko("demo", **self._environment())
        assert result.returncode == 2, result.stderr
        assert result.stderr.count("\n") == 1
        return result.stderr

    def process_tree(self) -> list[psutil.Process]:
        """Return the demo's process and its descendants."""
        root = psutil.Process(self.process.pid)
        return [root, *root.children(recursive=True)]

    def stop(self) -> int:
        """Stop the demo, check that its descendants have ended, and return the exit code."""
        processes = self.process_tree()
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(STOP_SECONDS)
        self.lines += self.process.stdout.read().splitlines()
        self.process.stdout.close()
        assert [process for process in processes[1:] if is_running(process)] == []
        return code

    def kill(self) -> None:
        """Kill the demo and its descendants, as a power cut does."""
        for process in self.process_tree():
            with suppress(psutil.NoSuchProcess):  # ended by the parent-death signal
                process.kill()
        self.process.wait()
        self.process.stdout.close()

    @contextmanager
    def open_session(self) -> Iterator[httpx.Client]:
        """Yield an HTTP client that is logged in as the demo's company."""
        with httpx.Client(base_url=self.url) as browser:
            answer = browser.post("/api/login", json=COMPANY_LOGIN)
            assert answer.status_code == 200, answer.text
            yield browser

    def _environment(self) -> dict[str, str]:
        variables = {"PORT": str(self.port), "PRAWKO_HOME": str(self.home), **self._variables}
        inherited = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
        return {**inherited, **CLOCK_VARIABLES, **variables}


@pytest.fixture(scope="module")
def demo(tmp_path_factory) -> Iterator[DemoProcess]:
    """A demo with its company and without the schedule, for the whole module."""
    home = tmp_path_factory.mktemp("demo") / "home"
    running = DemoProcess(home, free_port(), TIMETABLE="0").start()
    yield running
    if running.process.poll() is None:
        assert running.stop() == 0


def test_the_demo_has_a_company_with_thirty_days_of_history(demo: DemoProcess) -> None:
    assert httpx.get(f"{demo.url}/health/ready").status_code == 200
    with demo.open_session() as browser:
        drivers = browser.get("/api/drivers?verifications=30").json()
        notifications = browser.get("/api/notifications").json()
    assert len(drivers) == 12
    assert [driver["lastName"] for driver in drivers if driver["status"] == "invalid"] == ["Piątek"]
    assert {len(driver["verifications"]) for driver in drivers} == {30}
    # A licence was withheld yesterday; the earlier notice is read. Neither is about the trial.
    assert [notice["read"] for notice in notifications] == [False, True]
    assert [notice["type"] for notice in notifications] == ["driver_status"] * 2


def test_the_company_has_paid_twice_and_the_operator_can_log_in(demo: DemoProcess) -> None:
    with demo.open_session() as browser:
        subscription = browser.get("/api/subscription").json()
        invoices = browser.get("/api/invoices").json()
    end = datetime.fromisoformat(subscription["endDate"]).astimezone(WARSAW)
    remaining = end - datetime.now(WARSAW)
    assert (subscription["status"], subscription["daysLeft"]) == (
        "active",
        ceil(remaining / ONE_DAY),
    )
    assert (end.date() - datetime.now(WARSAW).date()).days == 20  # at 09:12, as the trial began
    assert [invoice["gross"] for invoice in invoices] == [30627, 30627]
    days = [
        (datetime.now(UTC) - datetime.fromisoformat(invoice["issuedAt"])).days
        for invoice in invoices
    ]
    assert days == sorted(days)
    assert days[0] > 10  # dated on the days of the orders
    with httpx.Client(base_url=demo.url) as browser:
        assert browser.post("/api/login", json=OPERATOR_LOGIN).status_code == 200
        assert browser.get("/api/user").json()["isAdmin"] is True


def test_the_demo_listens_on_loopback_only(demo: DemoProcess) -> None:
    listening = {
        connection.laddr.ip
        for process in demo.process_tree()
        for connection in process.net_connections("tcp")
        if connection.status == psutil.CONN_LISTEN
    }
    assert listening == {"127.0.0.1"}


def test_secret_files_are_readable_by_their_owner_only(demo: DemoProcess) -> None:
    files = [demo.home / "passwords.json", demo.home / "demo" / "keys.json"]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}


def test_a_home_in_use_is_rejected(demo: DemoProcess) -> None:
    assert "already in use" in DemoProcess(demo.home, free_port()).start_error()


def test_a_port_in_use_is_rejected(demo: DemoProcess, tmp_path: Path) -> None:
    assert "PORT cannot be" in DemoProcess(tmp_path, demo.port).start_error()


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"REGISTER": "fake"}, "REGISTER names 'fake'"),
        ({"TIMETABLE": "maybe"}, "TIMETABLE is malformed"),
        ({"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/"}, "REDIS_URL is missing"),
    ],
)
def test_a_malformed_variable_is_rejected_by_its_name(tmp_path, variables, sentence) -> None:
    assert sentence in DemoProcess(tmp_path, free_port(), **variables).start_error()


def test_two_demos_run_side_by_side(demo: DemoProcess, tmp_path: Path) -> None:
    other_demo = DemoProcess(tmp_path / "other", free_port(), DEMO_DATA="0").start()
    try:
        assert httpx.post(f"{other_demo.url}/api/login", json=COMPANY_LOGIN).status_code == 401
        new_time = {"now": "2027-01-05T05:59:00+01:00"}
        assert httpx.put(f"{other_demo.url}/dev/clock", json=new_time).status_code == 200
        assert httpx.get(f"{demo.url}/dev/clock").json()["offset"] == 0
    finally:
        assert other_demo.stop() == 0


def test_without_a_scheduler_only_the_dev_api_checks_and_finds_nothing_new(
    demo: DemoProcess,
) -> None:
    report = httpx.post(f"{demo.url}/dev/daily-check", timeout=30).json()
    assert (report["planned"], report["done"], report["notices"]) == (12, 12, 0)
    assert (report["valid"], report["invalid"], report["attention"]) == (10, 1, 1)
    with demo.open_session() as browser:
        drivers = browser.get("/api/drivers?verifications=30").json()
        notifications = browser.get("/api/notifications").json()
    # Equal answers are stored once: they have one digest for thirty days.
    answers = {
        driver["lastName"]: {result["lastVerificationHash"] for result in driver["verifications"]}
        for driver in drivers
    }
    assert [name for name, digests in answers.items() if len(digests) > 1] == ["Piątek"]
    assert len(notifications) == 2


def test_the_worker_processes_webhooks_of_the_sandbox(demo: DemoProcess) -> None:
    ordered = {"driverLimit": 20}
    with demo.open_session() as browser:
        for choice in ({"method": "przelewy24"}, {"method": "blik", "blikCode": "777123"}):
            redirect = browser.post(
                "/api/subscription/create-checkout-session", json={**ordered, **choice}
            ).json()
            if choice["method"] != "blik":
                response = httpx.post(f"{redirect['url']}/paid")  # without a session
                assert response.status_code == 303
                assert response.headers["location"].startswith(f"{demo.url}/panel/subscription/")
            order = f"/api/orders/{redirect['orderId']}"
            poll(lambda order=order: browser.get(order).json()["state"] == "paid")
        assert browser.get("/api/subscription").json()["driverLimit"] == 20


def test_a_killed_demo_starts_again_with_its_data(demo: DemoProcess) -> None:
    anna = {"firstName": "Anna", "lastName": "Nowicka"}
    withheld = {**anna, "state": {"wartosc": "Zatrzymany"}}
    with demo.open_session() as browser:
        added = [
            browser.post("/api/drivers", json={**anna, "licenseNumber": number})
            for number in ("PR123456", "PR123457")
        ]
        assert [answer.status_code for answer in added] == [201, 201]
        changed = browser.put("/dev/register/documents/PR123456", json=withheld)
        assert changed.status_code == 200
        deleted = browser.delete("/dev/register/documents/AC104512")
        assert deleted.json() == {"forgotten": True}
        unknown = browser.put("/dev/register/unknown", json={"mode": "not_found"})
        assert unknown.status_code == 200
    demo.kill()
    demo.start()
    with demo.open_session() as browser:
        drivers = browser.get("/api/drivers").json()
        assert len(drivers) == 14
        ids = {driver["licenseNumber"]: driver["id"] for driver in drivers}
        serials = ("PR123456", "PR123457", "AC104512", "BD220731")
        results = [browser.post(f"/api/drivers/{ids[number]}/verify").json() for number in serials]
    statuses = [answer["status"] for answer in results]
    assert statuses == ["invalid", "not_found", "not_found", "valid"]


def test_a_fresh_demo_has_no_saved_register_documents(tmp_path: Path) -> None:
    folder, store = tmp_path / "demo", DocumentStore()
    folder.mkdir()
    store.put("PR123456", RegisterDocument("Anna", "Nowicka"))
    store.unknown_mode = UnknownSerialMode.NOT_FOUND
    register_state.save_register_state(store, folder)
    servers = DemoServers("postgresql://nobody@127.0.0.1:1/", "redis://127.0.0.1:1", None)

    restored = []
    for data_setting in ("0", "1"):
        options = parse_options({"PRAWKO_HOME": str(tmp_path), "FRESH": data_setting})
        new_store = DocumentStore()
        register_state.restore_register_state(new_store, prepare_folder(options, servers))
        restored.append((list(new_store.documents), new_store.unknown_mode))

    assert restored == [(["PR123456"], UnknownSerialMode.NOT_FOUND), ([], UnknownSerialMode.AUTO)]


@pytest.mark.parametrize("seconds", [1.5, 3.0])
def test_a_demo_stopped_during_its_start_ends(tmp_path: Path, seconds: float) -> None:
    interrupted = DemoProcess(tmp_path, free_port())
    interrupted.launch()
    time.sleep(seconds)
    interrupted.stop()
    assert interrupted.lines == []


def test_a_stopped_demo_leaves_no_process(demo: DemoProcess) -> None:
    assert demo.stop() == 0
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{demo.url}/health/live")
