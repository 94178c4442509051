"""The state of the process that all code shares, and that a plugin must leave alone.

A plugin is code in our process: nothing keeps it from a change, so that the state is compared and
put back. Loading compares all of it before and after a plugin; while a process is watched, each
step of a call compares what would break the next step of others at once, and each tick the rest.
"""

import datetime as dt
import gc
import json
import locale
import logging
import os
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

# What programs replace that run code of their own in the place of Python's.
_FUNCTIONS = (
    (dt, "datetime"), (json, "dumps"), (json, "loads"), (socket, "socket"), (threading, "Thread"),
    (time, "monotonic"), (time, "sleep"),
)  # fmt: skip
_Part: TypeAlias = tuple[Callable[[], Any], Callable[[Any], object]]
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGCHLD)
_OUTPUTS = (1, 2)
_saved_outputs: dict[tuple[int, int], int] = {}  # a copy of each file that was an output


def _read_functions() -> list[Any]:
    return [getattr(module, name) for module, name in _FUNCTIONS]


def _restore_functions(functions: Iterable[Any]) -> None:
    for (module, name), function in zip(_FUNCTIONS, functions, strict=True):
        setattr(module, name, function)


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


def _read_outputs() -> list[tuple[int, int] | None]:
    files: list[tuple[int, int] | None] = [None, None]
    for index, number in enumerate(_OUTPUTS):
        with suppress(OSError):  # it is closed
            status = os.fstat(number)
            files[index] = file = status.st_dev, status.st_ino
            if file not in _saved_outputs:
                _saved_outputs[file] = os.dup(number)
    return files


def _restore_outputs(files: Iterable[tuple[int, int] | None]) -> None:
    for number, file in zip(_OUTPUTS, files, strict=True):
        if file is not None:
            os.dup2(_saved_outputs[file], number)


_LIMIT, _REPLACED = "the recursion limit", "functions of the standard library"
_PARTS: dict[str, _Part] = {  # how each is read and put back; a set may gain members
    _LIMIT: (sys.getrecursionlimit, sys.setrecursionlimit),
    _REPLACED: (_read_functions, _restore_functions),
    "warnings that are errors": (
        lambda: [one for one in warnings.filters if one[0] == "error"],
        _restore_errors,
    ),
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


def read_state() -> dict[str, Any]:
    """Return the state of the process, by the names of its parts."""
    return {name: read() for name, (read, _) in _PARTS.items()}


def restore_state(state: Mapping[str, Any]) -> list[str]:
    """Put back what differs from the state; return the names of those parts."""
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

    def restore_after_step(self) -> list[str]:
        """Put back everything if a step changed what the next one needs; return what that was."""
        needed = (sys.getrecursionlimit(), _read_functions())
        if not self.state or needed == (self.state[_LIMIT], self.state[_REPLACED]):
            return []
        return restore_state(self.state)


KEPT_STATE = KeptState()
