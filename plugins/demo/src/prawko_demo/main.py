"""`prawko demo`: the whole product on one machine, in the foreground, until somebody stops it."""

import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from prawko.embedded.supervisor import Service, answers, supervise
from prawko_demo import background
from prawko_demo.account import EMAIL, OPERATOR_EMAIL, OPERATOR_PASSWORD, PASSWORD
from prawko_demo.databases import own_folder, servers
from prawko_demo.options import Options, read, refuse_taken_port
from prawko_demo.preparation import Preparation
from prawko_demo.simulator import simulator
from prawko_demo.stage import STAGE_FILE, VARIABLE, WORKER_MARK

READY_SECONDS = 180.0  # on a machine that has much else to do
DRAIN_SECONDS = 30.0


def demo(variables: Mapping[str, str]) -> int:
    """Run the demo; returns the exit code.

    Raises SettingError or EmbeddedError, whose sentence says why it cannot start.
    """
    options = read(variables)
    refuse_taken_port(options)
    with _terminated_like_interrupted(), servers(options) as running:
        folder = own_folder(options, running)
        for name in (STAGE_FILE, WORKER_MARK):  # of an earlier start
            (folder / name).unlink(missing_ok=True)
        with simulator(folder / "register") as register:
            preparation = Preparation(options, running, folder, register)
            background.start(preparation)
            return supervise(
                _services(options, folder, preparation),
                logs=options.home / "logs",
                on_ready=lambda: _say_ready(options),
                servers=running.embedded,
                drain_seconds=DRAIN_SECONDS,
            )


def _services(options: Options, folder: Path, preparation: Preparation) -> list[Service]:
    """The product's processes. The worker is ended first, while the panel still answers."""
    serves = answers(f"{options.base_url}/health/ready")
    works = (folder / WORKER_MARK).exists
    return [
        _service("panel", str(options.port), folder=folder, ready=serves, after=preparation),
        _service("worker", folder=folder, ready=works, after=preparation),
    ]


def _service(
    name: str, *arguments: str, folder: Path, ready: Callable[[], bool], after: Preparation
) -> Service:
    return Service(
        name,
        # -P: what lies in the folder a person happens to stand in is none of our modules.
        [sys.executable, "-P", "-m", f"prawko_demo.{name}", *arguments],
        env={VARIABLE: str(folder)},
        ready=lambda: after.done() and ready(),
        ready_within=READY_SECONDS,
    )


def _say_ready(options: Options) -> None:
    lines = [
        f"doors: {options.base_url}/dev",
        f"logs: {options.home / 'logs'}",
        f"ready: {options.base_url}",
    ]
    if options.data:
        lines[:0] = [
            f"account: {EMAIL} / {PASSWORD}",
            f"operator: {OPERATOR_EMAIL} / {OPERATOR_PASSWORD}",
        ]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


@contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """While servers start, SIGTERM and SIGHUP leave as Ctrl-C does: everything is put away."""

    def leave(number: int, _: FrameType | None) -> None:
        raise KeyboardInterrupt(number)

    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
