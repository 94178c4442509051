"""Runs an ASGI application under granian; the parent process loads no web framework."""

import resource

from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import Server

# For the requests that have begun when the process is stopped: longer than a call of a register
# may take by default, and short enough for a process to end within 30 seconds.
KILL_TIMEOUT_SECONDS = 25
# A connection that has sent no complete header for so long is closed, a new or an idle one: a proxy
# must close its idle connections sooner, or open one for each request.
HEADER_SECONDS = 10
HEADER_BYTES = 64 * 1024
# Connections that wait to be accepted, and those that one worker serves at a time: silent ones cost
# a few kilobytes each, and the others are served meanwhile.
BACKLOG = 4096
MAX_CONNECTIONS = 16_384
OTHER_FILES = 512  # of a process: sockets to PostgreSQL and Redis, libraries, logs


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
        # In the mode "auto" the header's time begins with its first byte.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(
            header_read_timeout=HEADER_SECONDS * 1000, max_buffer_size=HEADER_BYTES
        ),
        backlog=BACKLOG,
        backpressure=_raise_connection_limit(),
        log_access=False,
        log_level=LogLevels.warning,
        websockets=False,
        respawn_failed_workers=True,
        workers_kill_timeout=KILL_TIMEOUT_SECONDS,
    ).serve()


def _raise_connection_limit() -> int:
    """Let the process open as many files as it may; return how many connections that allows."""
    wanted = MAX_CONNECTIONS + OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    allowed = wanted if soft == resource.RLIM_INFINITY else soft
    return max(min(allowed - OTHER_FILES, MAX_CONNECTIONS), BACKLOG // 8)
