"""A supervised product whose services crash, are stopped, hang, or lose their parent."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from support.embedded import wait_until_ended
from support.waiting import poll

# A service that logs its start and end to a file, and on SIGTERM works a little before it ends.
GRACEFUL = """
import os, signal, sys, time
name, seconds, journal = sys.argv[1], float(sys.argv[2]), open(sys.argv[3], "a", buffering=1)
def end(*_):
    journal.write(f"{name} stopping\\n")
    time.sleep(seconds)
    journal.write(f"{name} ended\\n")
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
print("a line of", name, flush=True)
journal.write(f"{name} runs {os.getpid()} {os.environ.get('FLAVOUR')}\\n")
while True:
    time.sleep(60)
"""
# A service that ignores SIGTERM, with a child that ignores it, too.
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
from prawko_embedded import start_servers
from prawko_embedded.supervisor import ServiceSpec, supervise_services
plan = json.loads(sys.argv[1])
journal = Path(plan["journal"])
def runs(name):
    return lambda: journal.exists() and f"{name} runs" in journal.read_text()
services = [
    ServiceSpec(name, [sys.executable, "-c", code, name, seconds, str(journal)],
                env={"FLAVOUR": "plain"}, is_ready=runs(name))
    for name, code, seconds in plan["services"]
]
def run(servers):
    def on_ready():
        pids = [servers.postgres_pid, servers.redis_pid] if servers else []
        print("ready", *pids, flush=True)
    return supervise_services(services, logs=journal.parent / "logs", on_ready=on_ready,
                              servers=servers, drain_seconds=plan["drain"])
if plan["home"]:
    with start_servers(Path(plan["home"]), durable=False) as running:
        sys.exit(run(running))
sys.exit(run(None))
"""


class SupervisedProduct:
    """A process that supervises services."""

    def __init__(self, folder, services, *, drain=10.0, home=None):
        self.journal = folder / "journal"
        self.logs = folder / "logs"
        plan = {"journal": str(self.journal), "services": services, "drain": drain, "home": home}
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
        """Return the process ids that a service has had, in order."""
        lines = map(str.split, self.journal.read_text(encoding="utf-8").splitlines())
        return [int(fields[2]) for fields in lines if fields[:2] == [name, "runs"]]

    def signal_and_wait(self, number):
        """Send a signal; return the exit code, stderr and the seconds until the end."""
        started = time.monotonic()
        self.process.send_signal(number)
        _, stderr = self.process.communicate(timeout=40)
        return self.process.returncode, stderr, time.monotonic() - started


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_stop_ends_services_in_reverse_order(tmp_path, number):
    product = SupervisedProduct(
        tmp_path, [["simulator", GRACEFUL, "0"], ["worker", GRACEFUL, "0.4"]]
    )
    code, stderr, _ = product.signal_and_wait(number)

    assert (code, stderr) == (0, "")
    assert product.journal.read_text(encoding="utf-8").splitlines()[2:] == [
        "worker stopping",
        "worker ended",
        "simulator stopping",
        "simulator ended",
    ]
    assert (product.logs / "worker.log").read_text(encoding="utf-8") == "a line of worker\n"


def test_a_crashed_service_is_restarted_and_reported_on_stderr(tmp_path):
    product = SupervisedProduct(tmp_path, [["panel", GRACEFUL, "0"], ["worker", GRACEFUL, "0"]])
    for restarts in (1, 2):
        os.kill(product.pids("worker")[-1], signal.SIGKILL)
        poll(lambda restarts=restarts: len(product.pids("worker")) == restarts + 1)
    _, stderr, _ = product.signal_and_wait(signal.SIGTERM)

    assert len(product.pids("panel")) == 1
    assert "worker ended (Killed, signal 9); starting it again in 0.5 s" in stderr
    assert "worker ended (Killed, signal 9); starting it again in 1 s" in stderr
    assert "a line of worker" in stderr
    assert product.journal.read_text(encoding="utf-8").count(" plain\n") == 4  # each with its env


def test_a_service_that_does_not_end_in_time_is_killed_with_its_children(tmp_path):
    product = SupervisedProduct(tmp_path, [["stubborn", STUBBORN, "0"]], drain=0.5)
    poll(lambda: product.pids("child"))
    code, stderr, seconds = product.signal_and_wait(signal.SIGTERM)

    assert code == 0
    assert "stubborn did not end in time and is killed" in stderr
    assert seconds >= 0.5
    assert wait_until_ended(product.pids("stubborn")[0])
    assert wait_until_ended(product.pids("child")[0])


def test_a_second_signal_kills_at_once(tmp_path):
    product = SupervisedProduct(
        tmp_path, [["stubborn", STUBBORN, "0"], ["worker", GRACEFUL, "0"]], drain=300.0
    )
    product.process.send_signal(signal.SIGINT)
    poll(lambda: "worker ended" in product.journal.read_text(encoding="utf-8"))
    assert product.process.poll() is None
    product.signal_and_wait(signal.SIGINT)  # waits for less than the drain


def test_services_and_servers_end_with_a_killed_supervisor(tmp_path):
    product = SupervisedProduct(tmp_path, [["panel", GRACEFUL, "0"]], home=str(tmp_path / "home"))
    product.signal_and_wait(signal.SIGKILL)

    assert wait_until_ended(product.pids("panel")[0])
    assert all(wait_until_ended(int(pid)) for pid in product.ready[1:])


def test_servers_that_die_are_restarted(tmp_path):
    product = SupervisedProduct(tmp_path, [["panel", GRACEFUL, "0"]], home=str(tmp_path / "home"))
    postgres, redis = product.ready[1:]
    for pid in (postgres, redis):
        os.kill(int(pid), signal.SIGKILL)
    pid_file = Path(tmp_path, "home/postgres/postmaster.pid")
    supervisor = psutil.Process(product.process.pid)

    def is_restarted():
        fields = pid_file.read_text(encoding="utf-8").split() if pid_file.exists() else []
        if fields[-1:] != ["ready"] or fields[0] == postgres:
            return False
        with suppress(psutil.NoSuchProcess):  # a child that ended meanwhile
            return any(
                child.pid != int(redis) and "redis-server" in child.name()
                for child in supervisor.children()
            )
        return False

    poll(is_restarted)
    code, stderr, _ = product.signal_and_wait(signal.SIGTERM)

    assert code == 0
    assert "PostgreSQL had ended; it runs again." in stderr
    assert "Redis had ended; it runs again." in stderr
    assert len(product.pids("panel")) == 1
