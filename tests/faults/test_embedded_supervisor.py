"""A product in the foreground: its services crash, are stopped, hang, or lose their parent."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from unit.embedded.standin import gone

# A service that notes its life in a file, and on SIGTERM works a little before it ends.
POLITE = """
import os, signal, sys, time
name, seconds, diary = sys.argv[1], float(sys.argv[2]), open(sys.argv[3], "a", buffering=1)
def end(*_):
    diary.write(f"{name} asked\\n")
    time.sleep(seconds)
    diary.write(f"{name} ended\\n")
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
diary.write(f"{name} runs {os.getpid()} {os.environ.get('FLAVOUR')}\\n")
print("a line of", name, flush=True)
while True:
    time.sleep(60)
"""
# One that hears nothing and has a child that hears nothing either.
STUBBORN = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = os.fork()
open(sys.argv[3], "a").write(f"{'child' if child == 0 else sys.argv[1]} runs {os.getpid()} -\\n")
while True:
    time.sleep(60)
"""
SUPERVISOR = """
import json, sys
from pathlib import Path
from prawko.embedded import start
from prawko.embedded.supervisor import Service, supervise
plan = json.loads(sys.argv[1])
diary = Path(plan["diary"])
def runs(name):
    return lambda: diary.exists() and f"{name} runs" in diary.read_text()
services = [
    Service(name, [sys.executable, "-c", code, name, seconds, str(diary)],
            env={"FLAVOUR": "plain"}, ready=runs(name))
    for name, code, seconds in plan["services"]
]
def go(servers):
    def on_ready():
        pids = [servers.postgres_pid, servers.redis_pid] if servers else []
        print("ready", *pids, flush=True)
    return supervise(services, logs=diary.parent / "logs", on_ready=on_ready,
                     servers=servers, drain_seconds=plan["drain"])
if plan["home"]:
    with start(Path(plan["home"]), durable=False) as running:
        sys.exit(go(running))
sys.exit(go(None))
"""


class Foreground:
    """A supervised product."""

    def __init__(self, folder, services, *, drain=10.0, home=None):
        self.diary = folder / "diary"
        self.logs = folder / "logs"
        plan = {"diary": str(self.diary), "services": services, "drain": drain, "home": home}
        self.process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(SUPERVISOR), json.dumps(plan)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        self.ready = self.process.stdout.readline().split()
        assert self.ready[:1] == ["ready"], self.process.stderr.read()

    def pids(self, name):
        """The processes that the service of this name has been, in order."""
        lines = map(str.split, self.diary.read_text(encoding="utf-8").splitlines())
        return [int(words[2]) for words in lines if words[:2] == [name, "runs"]]

    def until(self, condition, within=10.0):
        deadline = time.monotonic() + within
        while not condition():
            assert time.monotonic() < deadline, self.diary.read_text(encoding="utf-8")
            time.sleep(0.02)

    def end(self, number):
        """Signal it; its exit code, what it said, and how long it took."""
        begun = time.monotonic()
        self.process.send_signal(number)
        _, said = self.process.communicate(timeout=40)
        return self.process.returncode, said, time.monotonic() - begun


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_stop_lets_each_service_finish_the_last_named_first(tmp_path, number):
    product = Foreground(tmp_path, [["simulator", POLITE, "0"], ["worker", POLITE, "0.4"]])
    code, said, _ = product.end(number)

    assert (code, said) == (0, "")
    assert product.diary.read_text(encoding="utf-8").splitlines()[2:] == [
        "worker asked",
        "worker ended",
        "simulator asked",
        "simulator ended",
    ]
    assert (product.logs / "worker.log").read_text(encoding="utf-8") == "a line of worker\n"


def test_a_crashed_service_is_started_again_and_stderr_is_told(tmp_path):
    product = Foreground(tmp_path, [["panel", POLITE, "0"], ["worker", POLITE, "0"]])
    for times in (1, 2):
        os.kill(product.pids("worker")[-1], signal.SIGKILL)
        product.until(lambda times=times: len(product.pids("worker")) == times + 1)
    _, said, _ = product.end(signal.SIGTERM)

    assert len(product.pids("panel")) == 1
    assert "worker ended (Killed, signal 9); starting it again in 0.5 s" in said
    assert "worker ended (Killed, signal 9); starting it again in 1 s" in said
    assert "a line of worker" in said
    assert product.diary.read_text(encoding="utf-8").count(" plain\n") == 4  # each with its env


def test_what_does_not_end_in_time_is_killed_with_its_children(tmp_path):
    product = Foreground(tmp_path, [["deaf", STUBBORN, "0"]], drain=0.5)
    product.until(lambda: product.pids("child"))
    code, said, seconds = product.end(signal.SIGTERM)

    assert code == 0
    assert "deaf did not end in time and is killed" in said
    assert 0.5 <= seconds < 5
    assert gone(product.pids("deaf")[0], within=1)
    assert gone(product.pids("child")[0], within=1)


def test_a_second_signal_ends_the_waiting(tmp_path):
    product = Foreground(tmp_path, [["deaf", STUBBORN, "0"]], drain=30.0)
    product.process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    assert product.process.poll() is None
    _, _, seconds = product.end(signal.SIGINT)

    assert seconds < 5


def test_services_and_servers_die_with_a_killed_supervisor(tmp_path):
    product = Foreground(tmp_path, [["panel", POLITE, "0"]], home=str(tmp_path / "home"))
    product.end(signal.SIGKILL)

    assert gone(product.pids("panel")[0])
    assert all(gone(int(pid)) for pid in product.ready[1:])


def test_servers_that_die_under_a_running_product_are_brought_back(tmp_path):
    product = Foreground(tmp_path, [["panel", POLITE, "0"]], home=str(tmp_path / "home"))
    for pid in product.ready[1:]:
        os.kill(int(pid), signal.SIGKILL)
    pid_file = Path(tmp_path, "home/postgres/postmaster.pid")

    def back():
        words = pid_file.read_text(encoding="utf-8").split() if pid_file.exists() else []
        return words[-1:] == ["ready"] and words[0] != product.ready[1]

    product.until(back)
    time.sleep(0.2)
    code, said, _ = product.end(signal.SIGTERM)

    assert code == 0
    assert "PostgreSQL had ended; it runs again." in said
    assert "Redis had ended; it runs again." in said
    assert len(product.pids("panel")) == 1
