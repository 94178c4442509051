"""Runs an ASGI application under granian; its parent process loads no web framework."""

from granian.constants import Interfaces, Loops
from granian.log import LogLevels
from granian.server import Server

KILL_SECONDS = 10


def serve(target: str, *, host: str, port: int, processes: int = 1) -> None:
    """Serve the application that the factory `target` ("module:function") makes, until SIGTERM.

    The factory runs in the child. Until it serves, a child has its parent's handlers and would
    miss being told to end: a factory begins by taking SIGTERM's default back.
    """
    Server(
        target,
        factory=True,
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        loop=Loops.auto,
        workers=processes,
        log_access=False,
        log_level=LogLevels.warning,
        websockets=False,
        respawn_failed_workers=True,
        workers_kill_timeout=KILL_SECONDS,
    ).serve()
