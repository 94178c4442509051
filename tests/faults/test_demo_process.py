"""`prawko demo` as a person starts it, stops it, and loses it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Timer

import httpx
import psutil
import pytest

from prawko_demo import documents
from prawko_demo.databases import Servers, own_folder
from prawko_demo.options import read
from prawko_demo.register.documents import Document, Shelf, Unknown
from preloaded import prawko

PRAWKO = Path(sys.executable).parent / "prawko"
FIRMA = {"email": "firma@prawko.test", "password": "Demo1234"}
OPERATOR = {"email": "operator@prawko.test", "password": "Operator1234"}
READY_SECONDS = 60.0
STOP_SECONDS = 20.0
SECONDS_TO_BE_PAID = 15.0


def works(process: psutil.Process) -> bool:
    """Whether it still runs; one that only waits to be reaped by init does not."""
    with suppress(psutil.NoSuchProcess):
        return process.status() != psutil.STATUS_ZOMBIE
    return False


class Demo:
    """One `prawko demo` and the processes under it."""

    def __init__(self, home: Path, port: int, **variables: str) -> None:
        self.home, self.port = home, port
        self.url = f"http://127.0.0.1:{port}"
        self.lines: list[str] = []
        self._variables = variables

    def start(self) -> "Demo":
        """Wait for the last line it prints."""
        self.launch()
        too_long = Timer(READY_SECONDS, self.process.kill)
        too_long.start()
        self.lines = []
        for line in self.process.stdout:
            self.lines.append(line.strip())
            if line.startswith("ready:"):
                break
        too_long.cancel()
        assert self.lines, "it ended without a word"
        assert self.lines[-1] == f"ready: {self.url}"
        return self

    def launch(self) -> None:
        """Only begin."""
        self.process = subprocess.Popen(
            [PRAWKO, "demo"], env=self._environment(), stdout=subprocess.PIPE, text=True
        )

    def refused(self) -> str:
        """What it says when it does not start."""
        done = prawko("demo", **self._environment())
        assert done.returncode == 2, done.stderr
        assert done.stderr.count("\n") == 1
        return done.stderr

    def tree(self) -> list[psutil.Process]:
        """The demo's process and all below it."""
        root = psutil.Process(self.process.pid)
        return [root, *root.children(recursive=True)]

    def stop(self) -> int:
        """Ask it to end; everything below it has to be gone, too."""
        everything = self.tree()
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(STOP_SECONDS)
        self.lines += self.process.stdout.read().splitlines()
        self.process.stdout.close()
        assert [left for left in everything[1:] if works(left)] == []
        return code

    def kill(self) -> None:
        """End the whole tree as a power cut would."""
        for process in self.tree():
            with suppress(psutil.NoSuchProcess):  # it died of its parent's death
                process.kill()
        self.process.wait()
        self.process.stdout.close()

    @contextmanager
    def signed_in(self) -> Iterator[httpx.Client]:
        """A browser of the demo's company."""
        with httpx.Client(base_url=self.url) as browser:
            answer = browser.post("/api/login", json=FIRMA)
            assert answer.status_code == 200, answer.text
            yield browser

    def _environment(self) -> dict[str, str]:
        chosen = {"PORT": str(self.port), "PRAWKO_HOME": str(self.home), **self._variables}
        return {"PATH": os.environ["PATH"], **chosen}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as door:
        return door.getsockname()[1]


@pytest.fixture(scope="module")
def demo(tmp_path_factory) -> Iterator[Demo]:
    """A demo with its company and without a timetable, for the whole module."""
    home = tmp_path_factory.mktemp("demo") / "home"
    running = Demo(home, free_port(), TIMETABLE="0").start()
    yield running
    if running.process.poll() is None:
        assert running.stop() == 0


def test_it_serves_the_company_it_was_started_with(demo: Demo) -> None:
    assert httpx.get(f"{demo.url}/health/ready").status_code == 200
    with demo.signed_in() as browser:
        drivers = browser.get("/api/drivers?verifications=30").json()
        told = browser.get("/api/notifications").json()
    assert len(drivers) == 12
    assert [d["lastName"] for d in drivers if d["status"] == "invalid"] == ["Piątek"]
    assert {len(d["verifications"]) for d in drivers} == {30}
    # One was withheld yesterday; what came before has been read. Neither is about the trial.
    assert [note["read"] for note in told] == [False, True]
    assert [note["type"] for note in told] == ["driver_status", "driver_status"]


def test_its_company_has_paid_twice_and_its_operator_signs_in(demo: Demo) -> None:
    with demo.signed_in() as browser:
        subscription = browser.get("/api/subscription").json()
        invoices = browser.get("/api/invoices").json()
    assert (subscription["status"], subscription["daysLeft"]) == ("active", 20)
    assert [invoice["gross"] for invoice in invoices] == [30627, 30627]
    days = [(datetime.now(UTC) - datetime.fromisoformat(i["issuedAt"])).days for i in invoices]
    assert days == sorted(days)
    assert days[0] > 10  # as old as what they are for
    with httpx.Client(base_url=demo.url) as browser:
        assert browser.post("/api/login", json=OPERATOR).status_code == 200
        assert browser.get("/api/user").json()["isAdmin"] is True


def test_only_this_machine_reaches_it(demo: Demo) -> None:
    listening = {
        connection.laddr.ip
        for process in demo.tree()
        for connection in process.net_connections("tcp")
        if connection.status == psutil.CONN_LISTEN
    }
    assert listening == {"127.0.0.1"}


def test_its_secrets_are_for_nobody_else(demo: Demo) -> None:
    kept = [demo.home / "passwords.json", demo.home / "demo" / "keys.json"]
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}


def test_a_home_in_use_is_refused(demo: Demo) -> None:
    assert "already in use" in Demo(demo.home, free_port()).refused()


def test_a_port_in_use_is_refused(demo: Demo, tmp_path: Path) -> None:
    assert "PORT cannot be" in Demo(tmp_path, demo.port).refused()


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"REGISTER": "fake"}, "REGISTER is malformed"),
        ({"TIMETABLE": "maybe"}, "TIMETABLE is malformed"),
        ({"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/"}, "REDIS_URL is missing"),
    ],
)
def test_a_malformed_choice_is_refused_by_its_name(tmp_path, variables, sentence) -> None:
    assert sentence in Demo(tmp_path, free_port(), **variables).refused()


def test_another_demo_runs_beside_it(demo: Demo, tmp_path: Path) -> None:
    other = Demo(tmp_path / "other", free_port(), DEMO_DATA="0").start()
    try:
        assert httpx.post(f"{other.url}/api/login", json=FIRMA).status_code == 401
        later = {"now": "2027-01-05T05:59:00+01:00"}
        assert httpx.put(f"{other.url}/dev/clock", json=later).status_code == 200
        assert httpx.get(f"{demo.url}/dev/clock").json()["offset"] == 0
    finally:
        assert other.stop() == 0


def test_without_a_timetable_only_the_door_checks_and_finds_nothing_new(demo: Demo) -> None:
    report = httpx.post(f"{demo.url}/dev/daily-check", timeout=30).json()
    assert (report["planned"], report["done"], report["notices"]) == (12, 12, 0)
    assert (report["valid"], report["invalid"], report["attention"]) == (10, 1, 1)
    with demo.signed_in() as browser:
        drivers = browser.get("/api/drivers?verifications=30").json()
        told = browser.get("/api/notifications").json()
    # An answer is kept once: the same facts have had one and the same digest for thirty days.
    answers = {
        driver["lastName"]: {found["lastVerificationHash"] for found in driver["verifications"]}
        for driver in drivers
    }
    assert [name for name, digests in answers.items() if len(digests) > 1] == ["Piątek"]
    assert len(told) == 2


def test_the_sandbox_calls_the_panel_and_the_worker_hears_of_it(demo: Demo) -> None:
    ordered = {"driverLimit": 20}
    with demo.signed_in() as browser:
        for more in ({"method": "przelewy24"}, {"method": "blik", "blikCode": "777123"}):
            placed = browser.post(
                "/api/subscription/create-checkout-session", json={**ordered, **more}
            ).json()
            if more["method"] != "blik":
                pressed = httpx.post(f"{placed['url']}/paid")  # nobody has to be signed in there
                assert pressed.status_code == 303
                assert pressed.headers["location"].startswith(f"{demo.url}/panel/subscription/")
            until = time.monotonic() + SECONDS_TO_BE_PAID
            while time.monotonic() < until:
                order = browser.get(f"/api/orders/{placed['orderId']}").json()
                if order["state"] == "paid":
                    break
                time.sleep(0.1)
            assert order["state"] == "paid"
        assert browser.get("/api/subscription").json()["driverLimit"] == 20


def test_killed_at_once_it_starts_again_with_what_it_knew(demo: Demo) -> None:
    anna = {"firstName": "Anna", "lastName": "Nowicka"}
    withheld = {**anna, "state": {"wartosc": "Zatrzymany"}}
    with demo.signed_in() as browser:
        added = [
            browser.post("/api/drivers", json={**anna, "licenseNumber": number})
            for number in ("PR123456", "PR123457")
        ]
        assert [answer.status_code for answer in added] == [201, 201]
        put = browser.put("/dev/register/documents/PR123456", json=withheld)
        assert put.status_code == 200
        gone = browser.delete("/dev/register/documents/AC104512")
        assert gone.json() == {"forgotten": True}
        unknown = browser.put("/dev/register/unknown", json={"mode": "not_found"})
        assert unknown.status_code == 200
    demo.kill()
    demo.start()
    with demo.signed_in() as browser:
        drivers = browser.get("/api/drivers").json()
        assert len(drivers) == 14
        ids = {driver["licenseNumber"]: driver["id"] for driver in drivers}
        asked = ("PR123456", "PR123457", "AC104512", "BD220731")
        found = [browser.post(f"/api/drivers/{ids[number]}/verify").json() for number in asked]
    statuses = [answer["status"] for answer in found]
    assert statuses == ["invalid", "not_found", "not_found", "valid"]


def test_a_fresh_demo_has_forgotten_what_the_register_was_told(tmp_path: Path) -> None:
    folder, shelf = tmp_path / "demo", Shelf()
    folder.mkdir()
    shelf.put("PR123456", Document("Anna", "Nowicka"))
    shelf.unknown = Unknown.NOT_FOUND
    documents.remember(shelf, folder)
    nobody = Servers("postgresql://nobody@127.0.0.1:1/", "redis://127.0.0.1:1", None)

    known = []
    for fresh in ("0", "1"):
        options = read({"PRAWKO_HOME": str(tmp_path), "FRESH": fresh})
        empty = Shelf()
        documents.put_back(empty, own_folder(options, nobody))
        known.append((list(empty.documents), empty.unknown))

    assert known == [(["PR123456"], Unknown.NOT_FOUND), ([], Unknown.AUTO)]


@pytest.mark.parametrize("seconds", [1.5, 3.0])
def test_asked_to_end_before_it_is_ready_it_ends(tmp_path: Path, seconds: float) -> None:
    early = Demo(tmp_path, free_port())
    early.launch()
    time.sleep(seconds)
    early.stop()
    assert early.lines == []


def test_asked_to_end_it_leaves_nothing_behind(demo: Demo) -> None:
    assert demo.stop() == 0
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{demo.url}/health/live")
