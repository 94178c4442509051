"""Runs an ASGI application under granian; the parent process loads no web framework."""

from granian.constants import Interfaces, Loops
from granian.log import LogLevels
from granian.server import Server

KILL_TIMEOUT_SECONDS = 10


def run_server(target: str, *, host: str, port: int, workers: int = 1) -> None:
    """Serve the application of the factory `target` ("module:function") until SIGTERM.

    The factory runs in the child process. It must first restore the default action of SIGTERM:
    until it serves, the child has its parent's signal handlers and would ignore the signal.
    """
    Server(
        target,
        factory=True,
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        loop=Loops.auto,
        workers=workers,
        log_access=False,
        log_level=LogLevels.warning,
        websockets=False,
        respawn_failed_workers=True,
        workers_kill_timeout=KILL_TIMEOUT_SECONDS,
    ).serve()
