"""Ids by which the log lines of a request, and of the jobs that it started, belong together."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from itertools import count

# What an id from outside may look like: it is written to logs and to a response's header.
SAFE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}", re.ASCII)

# Of this process; with a number behind it an id is made without asking the system each time.
_prefixes: dict[int, str] = {}
_numbers = count()
_current: ContextVar[str] = ContextVar("request_id", default="")


def current_request_id() -> str:
    """Return the id of the request or job that this code runs for; empty if there is none."""
    return _current.get()


def new_request_id() -> str:
    """Return an id of 24 hexadecimal digits."""
    process = os.getpid()
    if process not in _prefixes:  # a fork has a prefix of its own
        _prefixes[process] = os.urandom(8).hex()
    return f"{_prefixes[process]}{next(_numbers):08x}"


def bind_request_id(request_id: str) -> Token[str]:
    """Bind an id until `release_request_id`; `request_id_bound` does both around a block."""
    return _current.set(request_id)


def release_request_id(token: Token[str]) -> None:
    """Restore what was bound before."""
    _current.reset(token)


@contextmanager
def request_id_bound(request_id: str = "") -> Iterator[str]:
    """Bind an id for the block: the given one, else the one already bound, else a new one."""
    bound = request_id or _current.get() or new_request_id()
    token = bind_request_id(bound)
    try:
        yield bound
    finally:
        release_request_id(token)
