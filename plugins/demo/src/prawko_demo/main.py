"""`prawko demo`: the whole product on one machine, in the foreground, until somebody stops it."""

import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType

from prawko.embedded.supervisor import Service, answers, supervise
from prawko_demo import documents, keys
from prawko_demo.account import EMAIL, PASSWORD
from prawko_demo.databases import is_empty, own_folder, prepare, servers, writing
from prawko_demo.options import Options, read, refuse_taken_port
from prawko_demo.simulator import simulator
from prawko_demo.stage import Stage
from prawko_demo.variables import stage

DRAIN_SECONDS = 30.0


def demo(variables: Mapping[str, str]) -> int:
    """Run the demo; returns the exit code.

    Raises SettingError or EmbeddedError, whose sentence says why it cannot start.
    """
    options = read(variables)
    refuse_taken_port(options)
    with _terminated_like_interrupted(), servers(options) as running:
        folder = own_folder(options, running)
        secrets = keys.keep(folder)
        with simulator(folder / "register") as register:
            databases = prepare(options, running, folder, secrets)
            scene = stage(options, folder, secrets, databases, register.address)
            if options.data and is_empty(databases):
                from prawko_demo.data import write_history  # noqa: PLC0415 (needed once in a home)

                with writing(folder):
                    write_history(scene, register.shelf, up_to_today=options.timetable)
            documents.put_back(register.shelf, folder)
            return supervise(
                services(scene, options),
                logs=options.home / "logs",
                on_ready=lambda: _say_ready(options),
                servers=running.embedded,
                drain_seconds=DRAIN_SECONDS,
            )


def services(scene: Stage, options: Options) -> list[Service]:
    """The product's processes; the worker goes first, while the panel still answers."""
    mark = scene.worker_mark
    mark.unlink(missing_ok=True)
    return [
        _service("panel", scene, ready=answers(f"{options.base_url}/health/ready")),
        _service("worker", scene, ready=mark.exists),
    ]


def _service(name: str, scene: Stage, *, ready: Callable[[], bool]) -> Service:
    # -P: what lies in the folder a person happens to stand in is none of our modules.
    argv = [sys.executable, "-P", "-m", f"prawko_demo.{name}"]
    return Service(name, argv, env=scene.told(), ready=ready)


def _say_ready(options: Options) -> None:
    lines = [
        f"doors: {options.base_url}/dev",
        f"logs: {options.home / 'logs'}",
        f"ready: {options.base_url}",
    ]
    if options.data:
        lines.insert(0, f"account: {EMAIL} / {PASSWORD}")
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
