"""Points at which a process is killed, for tests of what is done after a crash."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

from prawko.kit.providers import calls as plugin_calls


class ProcessKilled(BaseException):
    """The process has ended: nothing after this line happens, and no handler catches it."""


class CrashPoint(NamedTuple):
    """The function `name` of a class or module; the process dies before it, or `after` it."""

    target: object
    name: str
    after: bool = False


@contextmanager
def killed_at(monkeypatch: pytest.MonkeyPatch, point: CrashPoint) -> Iterator[None]:
    """Expect that the process is killed in this block, the first time it comes to the point."""
    function = getattr(point.target, point.name)

    async def die(*args: object, **named: object) -> None:
        monkeypatch.setattr(point.target, point.name, function)
        if point.after:
            await function(*args, **named)
        raise ProcessKilled

    monkeypatch.setattr(point.target, point.name, die)
    let_crashes_pass(monkeypatch)
    with pytest.raises(ProcessKilled):
        yield


def let_crashes_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a crash within a plugin end the process, which contains all that a plugin raises."""
    to_fault = getattr(plugin_calls, "_to_fault")  # noqa: B009 (a private function)

    def pass_crash(error: BaseException, raises: Any) -> Exception:
        if isinstance(error, ProcessKilled):
            raise error
        return to_fault(error, raises)

    monkeypatch.setattr(plugin_calls, "_to_fault", pass_crash)
