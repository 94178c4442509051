"""Calls of plugins in tests; each ends within the platform's deadline, also if the plugin hangs.

    reference = await call_in_time(channel.send, message, recipient, idempotency_key="a")

    @pytest.fixture
    async def channel(self):
        async with closing_in_time(MyChannel()) as channel:
            yield channel

A call that hangs fails the test, which names the method; one that ignores its cancellation is left
behind. One that blocks the process is interrupted where signals can do that: on Unix, in the main
thread.
"""

import asyncio
import inspect
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from time import monotonic
from types import FrameType
from typing import Any, ParamSpec, Protocol, TypeVar

import pytest

from prawko.hooks.deadlines import (
    BLOCK_SECONDS,
    CHECK_SECONDS,
    CLOSE_SECONDS,
    INVOICE_SECONDS,
    LOOK_UP_SECONDS,
    METHODS_SECONDS,
    PAYMENT_SECONDS,
    SEND_SECONDS,
)

P = ParamSpec("P")
T = TypeVar("T")

DEADLINES = {
    "send": SEND_SECONDS,
    "look_up": LOOK_UP_SECONDS,
    "available_methods": METHODS_SECONDS,
    "render": INVOICE_SECONDS,
    "validate": INVOICE_SECONDS,
    "check": CHECK_SECONDS,
    "close": CLOSE_SECONDS,
}
"""The deadlines of the methods, by name; the others, a payment provider's, have PAYMENT_SECONDS."""

_GRACE_SECONDS = 1.0  # for a cancelled call to end by itself
_TICK_SECONDS = 0.25


class Closable(Protocol):
    """Any object of a plugin, as far as `closing_in_time` needs it."""

    async def close(self) -> None:
        """Close the connections."""
        ...


ClosableT = TypeVar("ClosableT", bound=Closable)


async def call_in_time(method: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return or raise what the method does; fail the test if it does not end in time."""
    name = _describe(method)
    seconds = DEADLINES.get(name.rpartition(".")[2], PAYMENT_SECONDS)
    call = _Call(_start(method, *args, **kwargs))
    with _alarm.run():
        task = asyncio.create_task(_await(call))
        try:
            is_late = not await _wait(task, seconds)
        except asyncio.CancelledError:
            await _stop(call, task, name)
            raise
        if is_late:
            await _stop(call, task, name)
            pytest.fail(f"{name} did not end within {seconds:g} seconds")
    try:
        result: T = task.result()
    except _BlockedError:
        pytest.fail(f"{name} blocked the process for {BLOCK_SECONDS:g} seconds")
    return result


def call_plain(method: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return or raise what a plain method does; fail the test if it blocks the process."""
    with _alarm.run():
        try:
            return _call_plain(method, *args, **kwargs)
        except _BlockedError:
            pytest.fail(f"{_describe(method)} blocked the process for {BLOCK_SECONDS:g} seconds")


@asynccontextmanager
async def closing_in_time(offer: ClosableT) -> AsyncIterator[ClosableT]:
    """Close what a plugin offers at the end of the block, in time."""
    try:
        yield offer
    finally:
        await call_in_time(offer.close)


class _BlockedError(BaseException):
    """Raised within a plugin that blocks the process, which must not take it for its own error."""


class _Call:
    """Drives a coroutine step by step, so that it can be left behind in any of its waits."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        self._coroutine = coroutine
        self.is_abandoned = False

    def __await__(self) -> Generator[Any, None, Any]:
        error: BaseException | None = None
        while True:
            try:
                waited = self._step(error)
            except StopIteration as end:
                return end.value
            error = None
            try:
                yield waited
            except BaseException as raised:
                if self.is_abandoned:
                    raise
                error = raised

    def _step(self, error: BaseException | None) -> object:
        return self._coroutine.send(None) if error is None else self._coroutine.throw(error)


async def _start(method: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
    awaitable: object = method(*args, **kwargs)
    if not inspect.isawaitable(awaitable):
        pytest.fail(f"{_describe(method)} is not async")
    result: T = await awaitable
    return result


async def _await(call: _Call) -> Any:
    return await call


def _call_plain(method: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    return method(*args, **kwargs)


async def _wait(task: asyncio.Task[Any], seconds: float) -> bool:
    """Wait in ticks, which show that the loop turns; whether the task ended."""
    until = monotonic() + seconds
    while not task.done() and (left := until - monotonic()) > 0:
        await asyncio.wait({task}, timeout=min(left, _TICK_SECONDS))
        _alarm.ticks = 0
    return task.done()


async def _stop(call: _Call, task: asyncio.Task[Any], name: str) -> None:
    """Cancel a call; leave it behind, and fail, if it ignores that."""
    task.cancel()
    if await _wait(task, _GRACE_SECONDS):
        return
    call.is_abandoned = True
    task.cancel()
    await _wait(task, _GRACE_SECONDS)
    pytest.fail(f"{name} does not end when it is cancelled")


class _Alarm:
    """Ticks while calls run; a loop that turns sets the ticks back.

    Ticks are counted, not seconds, so that a suspended machine counts as one tick. The previous
    handler of the process's alarm is restored.
    """

    def __init__(self) -> None:
        self.ticks = 0
        self._users = 0
        self._restore: Callable[[], None] = lambda: None

    @contextmanager
    def run(self) -> Iterator[None]:
        """Interrupt what blocks within the block, where that is possible."""
        self.ticks = 0
        self._users += 1
        if self._users == 1:
            self._restore = self._set_timer()
        try:
            yield
        finally:
            self._users -= 1
            if not self._users:
                self._restore()

    def _set_timer(self) -> Callable[[], None]:
        is_main = threading.current_thread() is threading.main_thread()
        if not (is_main and hasattr(signal, "setitimer")):
            return lambda: None
        handler = signal.signal(signal.SIGALRM, self._tick)
        began = monotonic()
        delay, interval = signal.setitimer(signal.ITIMER_REAL, _TICK_SECONDS, _TICK_SECONDS)

        def restore() -> None:
            left = max(delay - (monotonic() - began), 0.001) if delay else 0.0
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, handler)
            signal.setitimer(signal.ITIMER_REAL, left, interval)

        return restore

    def _tick(self, _number: int, frame: FrameType | None) -> None:
        self.ticks += 1
        if self.ticks * _TICK_SECONDS < BLOCK_SECONDS:
            return
        while frame is not None:
            if frame.f_code in _BOUNDARIES:
                self.ticks = 0
                raise _BlockedError
            frame = frame.f_back


_alarm = _Alarm()
_BOUNDARIES = frozenset({_Call._step.__code__, _call_plain.__code__})  # noqa: SLF001 (its own)


def _describe(method: Callable[..., object]) -> str:
    name: str = getattr(method, "__qualname__", repr(method))
    return name
