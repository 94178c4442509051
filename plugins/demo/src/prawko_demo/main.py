"""`prawko demo`: runs the whole product on one machine, in the foreground."""

import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from prawko_demo import threads
from prawko_demo.config import CONFIG_FILE, FOLDER_VARIABLE, WORKER_READY_FILE
from prawko_demo.credentials import OPERATOR_EMAIL, OPERATOR_PASSWORD, OWNER_EMAIL, OWNER_PASSWORD
from prawko_demo.databases import prepare_folder, run_servers
from prawko_demo.foreign_plugins import OWN_CHOICES
from prawko_demo.options import DemoOptions, ensure_port_free, parse_options
from prawko_demo.preparation import Preparation
from prawko_demo.simulator_thread import run_simulator_thread
from prawko_demo.tracebacks import TRACEBACKS_FILE, TracebackPrinter
from prawko_embedded import EmbeddedError
from prawko_embedded.supervisor import ServiceSpec, make_http_probe, supervise_services

READY_SECONDS = 180.0  # on a machine that has much else to do
DRAIN_SECONDS = 30.0


def start_demo(variables: Mapping[str, str]) -> int:
    """Run the demo until it is stopped; return the exit code. Raises SettingsError."""
    try:
        return _run_demo(variables)
    except EmbeddedError as error:
        print(f"prawko: {error}", file=sys.stderr)  # noqa: T201 (a command prints)
        return 2


def _run_demo(variables: Mapping[str, str]) -> int:
    options = parse_options(variables)
    ensure_port_free(options)
    with _terminate_as_interrupt(), run_servers(options) as running:
        folder = prepare_folder(options, running)
        for name in (CONFIG_FILE, WORKER_READY_FILE, TRACEBACKS_FILE):  # of the previous start
            (folder / name).unlink(missing_ok=True)
        with run_simulator_thread(folder / "register") as register:
            preparation = Preparation(options, running, folder, register)
            threads.start_thread(preparation)
            threads.start_thread(TracebackPrinter(folder))
            return supervise_services(
                _service_specs(options, folder, preparation),
                logs=options.home / "logs",
                on_ready=lambda: _print_ready(options),
                servers=running.embedded,
                drain_seconds=DRAIN_SECONDS,
            )


def _service_specs(
    options: DemoOptions, folder: Path, preparation: Preparation
) -> list[ServiceSpec]:
    """Return the product's processes; the worker is stopped first, while the panel still serves."""
    panel_ready = make_http_probe(f"{options.base_url}/health/ready")
    worker_ready = (folder / WORKER_READY_FILE).exists
    return [
        _service_spec(
            "panel", str(options.port), folder=folder, is_ready=panel_ready, preparation=preparation
        ),
        _service_spec("worker", folder=folder, is_ready=worker_ready, preparation=preparation),
    ]


def _service_spec(
    name: str, *arguments: str, folder: Path, is_ready: Callable[[], bool], preparation: Preparation
) -> ServiceSpec:
    return ServiceSpec(
        name,
        # -P: files in the current folder must not shadow modules.
        [sys.executable, "-P", "-m", f"prawko_demo.{name}", *arguments],
        env={FOLDER_VARIABLE: str(folder)},
        is_ready=lambda: preparation.is_done() and is_ready(),
        ready_timeout=READY_SECONDS,
    )


def _print_ready(options: DemoOptions) -> None:
    lines = [
        f"developer tools: {options.base_url}/dev",
        f"logs: {options.home / 'logs'}",
        f"ready: {options.base_url}",
    ]
    if foreign := sorted(options.choices.items() - OWN_CHOICES.items()):
        lines[:0] = [f"{name}: {choice}" for name, choice in foreign]
    if options.seed_data:
        lines[:0] = [
            f"account: {OWNER_EMAIL} / {OWNER_PASSWORD}",
            f"operator: {OPERATOR_EMAIL} / {OPERATOR_PASSWORD}",
        ]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


@contextmanager
def _terminate_as_interrupt() -> Iterator[None]:
    """Handle SIGTERM and SIGHUP like Ctrl-C during the start, so that the servers are stopped."""

    def interrupt(number: int, _: FrameType | None) -> None:
        raise KeyboardInterrupt(number)

    previous = {
        number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
