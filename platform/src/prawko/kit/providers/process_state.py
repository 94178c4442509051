"""The state of the process that all code shares, and that a plugin must leave alone.

A plugin is code in our process: nothing keeps it from a change, so that the state is compared and
put back. Loading compares all of it before and after a plugin; while a process is watched, each
step of a call compares it, and each tick what threads of plugins changed. Variables of the
environment and the handlers of signals take ten times as long as all the rest, so that a step
leaves them to the tick.
"""

import asyncio
import datetime as dt
import fcntl
import gc
import json
import locale
import logging
import os
import resource
import signal
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Any, TypeAlias, cast

_Part: TypeAlias = tuple[Callable[[], Any], Callable[[Any], object]]
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGCHLD)
_LIMITS = (
    resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_AS, resource.RLIMIT_DATA,
    resource.RLIMIT_NPROC, resource.RLIMIT_CPU,
)  # fmt: skip
_OUTPUTS = (1, 2)
_copies: dict[int, tuple[int, object]] = {}  # of the outputs that were open: number, and file
_taken: set[int] = set()  # the outputs whose numbers are those of other files


def _read_functions() -> tuple[Any, ...]:
    """Return what programs replace that run code of their own in the place of Python's."""
    return (
        dt.datetime, json.dumps, json.loads, socket.socket, threading.Thread,
        time.monotonic, time.sleep,
    )  # fmt: skip


def _restore_functions(functions: tuple[Any, ...]) -> None:
    (  # in the same order
        dt.datetime, json.dumps, json.loads, socket.socket, threading.Thread,  # type: ignore[misc]
        time.monotonic, time.sleep,
    ) = functions  # fmt: skip


def _restore_handlers(handlers: frozenset[logging.Handler]) -> None:
    logging.root.handlers[:] = {*logging.root.handlers, *handlers}


def _restore_errors(errors: list[Any]) -> None:
    kept = [one for one in warnings.filters if one[0] != "error" or one in errors]
    warnings.resetwarnings()
    cast(list[Any], warnings.filters).extend(kept)


def _restore_environment(variables: Iterable[tuple[str, str]]) -> None:
    os.environ.update(variables)
    time.tzset()


def _restore_zone(_: object) -> None:
    os.environ.pop("TZ", None)  # one that was set is put back with the environment
    time.tzset()


def _restore_signals(handlers: Iterable[Any]) -> None:
    for number, handler in zip(_SIGNALS, handlers, strict=True):
        if handler is not None and signal.getsignal(number) != handler:
            signal.signal(number, handler)


def _restore_limits(limits: Iterable[tuple[int, int]]) -> None:
    """Raises ValueError if a hard limit was lowered, unless the process is root's."""
    for number, limit in zip(_LIMITS, limits, strict=True):
        resource.setrlimit(number, limit)


def _restore_streams(streams: tuple[Any, Any]) -> None:
    sys.stdout, sys.stderr = streams


def _copy_outputs() -> None:
    for number in filter(_find_file, _OUTPUTS):
        if number in _copies:
            os.close(_copies[number][0])
        _copies[number] = os.dup(number), _find_file(number)
    _taken.clear()


def _find_file(number: int) -> tuple[int, int] | None:
    """Return the file's device and number there; None if it is closed."""
    with suppress(OSError):
        status = os.fstat(number)
        return status.st_dev, status.st_ino
    return None


def _read_outputs() -> tuple[object, ...]:
    """Return the file of each output; one that was taken counts as it was, until it is free."""
    if _taken:
        _restore_outputs(())
    return tuple(
        file if number in _taken else _find_file(number) for number, (_, file) in _copies.items()
    )


def _restore_outputs(_: object) -> None:
    """Open closed outputs again.

    A file that another thread opened meanwhile may have the number of one: it would be closed in
    the middle of its use, and a directory that an import lists would be empty for good.
    """
    for number, (copy, file) in _copies.items():
        opened = fcntl.fcntl(copy, fcntl.F_DUPFD, number)  # the number, or the next that is free
        if opened != number:
            os.close(opened)
        if _find_file(number) == file:
            _taken.discard(number)
        else:
            _taken.add(number)


_PARTS: dict[str, _Part] = {  # how each is read and put back; a set may gain members
    "the recursion limit": (sys.getrecursionlimit, sys.setrecursionlimit),
    "functions of the standard library": (_read_functions, _restore_functions),
    "warnings that are errors": (
        lambda: [one for one in warnings.filters if one[0] == "error"],
        _restore_errors,
    ),
    "the limits of the process": (
        lambda: [resource.getrlimit(number) for number in _LIMITS],
        _restore_limits,
    ),
    "sys.stdout or sys.stderr": (lambda: (sys.stdout, sys.stderr), _restore_streams),
    "the switch interval": (sys.getswitchinterval, sys.setswitchinterval),
    "the default timeout of sockets": (socket.getdefaulttimeout, socket.setdefaulttimeout),
    "the garbage collection": (gc.isenabled, lambda on: (gc.enable if on else gc.disable)()),
    "the level of logging": (lambda: logging.root.manager.disable, logging.disable),
    "the handlers of logging": (lambda: frozenset(logging.root.handlers), _restore_handlers),
    "the locale": (
        lambda: locale.setlocale(locale.LC_ALL),
        lambda name: locale.setlocale(locale.LC_ALL, name),
    ),
    "the time zone": (lambda: time.tzname, _restore_zone),
    "variables of the environment": (lambda: dict(os.environ).items(), _restore_environment),
    "the handlers of signals": (
        lambda: [signal.getsignal(number) for number in _SIGNALS],
        _restore_signals,
    ),
    "standard output or error": (_read_outputs, _restore_outputs),
}


# Compared while plugins are loaded alone: a hard limit cannot be raised again, and the process of a
# call would end by it at the next tick.
_LOADING_PARTS = frozenset({"the limits of the process", "sys.stdout or sys.stderr"})


def read_state(*, is_loading: bool = False) -> dict[str, Any]:
    """Return the state of the process, by the names of its parts."""
    _copy_outputs()
    return {
        name: read()
        for name, (read, _) in _PARTS.items()
        if is_loading or name not in _LOADING_PARTS
    }


def restore_state(state: Mapping[str, Any]) -> list[str]:
    """Put back what differs from the state; return the names of those parts.

    Raises what cannot be put back raises.
    """
    changed = []
    for name, before in state.items():
        read, restore = _PARTS[name]
        after = read()
        if before != after and not (isinstance(before, AbstractSet) and before <= after):
            restore(before)
            changed.append(name)
    return changed


class KeptState:
    """The state of this process while it is watched, and whose code `ran` since the last tick."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}
        self.ran: set[Any] = set()
        self.bystander: asyncio.Task[Any] | None = None  # which is cancelled with all tasks alone
        self._seen: tuple[Any, ...] = ()

    def restore_after_step(self) -> list[str]:
        """Put back everything if a step changed it; return what that was.

        At a tick it would be too late: the next connection gets the number of a closed output, and
        everything else that is in progress fails meanwhile.
        """
        if not self.state or self._seen == _look():
            return []
        changed = restore_state(self.state)
        self._seen = _look()
        return changed


def _look() -> tuple[Any, ...]:
    """Return the parts that a step compares, as they are: the daily check makes many steps.

    Of the locale it is the form of numbers, which takes a third of the time of all categories.
    """
    return (
        sys.getrecursionlimit(), sys.getswitchinterval(), socket.getdefaulttimeout(),
        gc.isenabled(), time.tzname, locale.setlocale(locale.LC_NUMERIC),
        logging.root.manager.disable,
        *_read_functions(), *_read_outputs(), *logging.root.handlers, *warnings.filters,
    )  # fmt: skip


KEPT_STATE = KeptState()
