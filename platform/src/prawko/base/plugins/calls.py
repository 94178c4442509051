"""Calls of plugins: the caller always continues within a deadline.

An asynchronous call runs in a task of its own. After its deadline it is cancelled, and abandoned
if it ignores that. Everything that it raises is an error of the plugin, SystemExit included. A call
that blocks the event loop is interrupted (`watchdog`), and its plugin is not called again
for a while. What a call returns is for its caller to validate.
"""

import asyncio
import inspect
import time
import traceback
from collections.abc import Awaitable, Callable
from datetime import timedelta
from types import FrameType
from typing import Any, TypeVar, cast

import msgspec

from prawko.base.backoff import Backoff
from prawko.base.observability import logs
from prawko.base.observability.metrics import Counter
from prawko.base.text.redaction import redact

T = TypeVar("T")
Errors = type[Exception] | tuple[type[Exception], ...]
log = logs.get_logger(__name__)

# For a cancelled call to end by itself.
GRACE_SECONDS = 1.0
# For which a plugin that blocked the process is not called.
BLOCK_BACKOFF = Backoff(timedelta(minutes=1), timedelta(hours=1))

ABANDONED = Counter(
    "prawko_plugin_calls_abandoned_total",
    "Calls of plugins that ignored their cancellation.",
    ("plugin",),
)

_abandoned: set[asyncio.Task[Any]] = set()
_blocks: dict[str, "_Blocks"] = {}


class PluginFaultError(Exception):
    """A plugin broke its promise; the message says how, without personal data."""


class PluginTimeoutError(PluginFaultError, TimeoutError):
    """A call did not end in time. Its effect is unknown."""


class PluginCrashError(PluginFaultError):
    """A call raised what its hook does not document. Its effect is unknown."""


class PluginValueError(PluginFaultError):
    """A call returned something else than its hook promises."""


class PluginBlockedError(BaseException):
    """Raised within a plugin that blocks the process, which must not take it for its own error."""


class _Blocks(msgspec.Struct):
    """How often a plugin has blocked the process, and until when it is not called."""

    number: int = 0
    until: float = 0.0  # by the monotonic clock


class _Outcome(msgspec.Struct):
    value: object = None
    error: BaseException | None = None


async def await_plugin(
    plugin: str, call: Callable[[], Awaitable[T]], *, deadline: float, raises: Errors = ()
) -> T:
    """Return what the call returns within `deadline` seconds.

    `plugin` names the kind and the object, as in `channel smtp`. Errors of the types in `raises`
    pass; any other is a PluginFaultError.
    """
    task = asyncio.create_task(_contain(plugin, call))
    try:
        await asyncio.wait({task}, timeout=deadline)
    except asyncio.CancelledError:
        await _stop_task(plugin, task)
        raise
    is_late = not task.done()
    if is_late:
        await _stop_task(plugin, task)
    if not task.done():
        raise PluginTimeoutError(f"it did not end within {deadline:g} s, nor when cancelled")
    outcome = task.result()
    if is_late and isinstance(outcome.error, asyncio.CancelledError):
        raise PluginTimeoutError(f"it did not end within {deadline:g} s")
    if outcome.error is not None:
        raise _to_fault(outcome.error, raises)
    return cast(T, outcome.value)


def call_plugin(plugin: str, call: Callable[[], T], *, raises: Errors = ()) -> T:
    """Return what a pure method of a plugin returns; errors are those of `await_plugin`."""
    _require_unblocked(plugin)
    try:
        return call()
    except BaseException as error:
        if isinstance(error, raises):
            raise
        _note_block(plugin, error)
        raise _to_fault(error, raises) from error


async def _contain(plugin: str, call: Callable[[], object]) -> _Outcome:
    """Await the call; never raises, because SystemExit would end the event loop."""
    try:
        _require_unblocked(plugin)
        awaitable = call()
        if not inspect.isawaitable(awaitable):
            return _Outcome(error=PluginValueError("its method is not async"))
        return _Outcome(value=await awaitable)
    except BaseException as error:  # noqa: BLE001 (the boundary of a plugin)
        _note_block(plugin, error)
        return _Outcome(error=error)


def _require_unblocked(plugin: str) -> None:
    blocks = _blocks.get(plugin)
    if blocks is not None and time.monotonic() < blocks.until:
        raise PluginTimeoutError("it blocked the process a while ago")


def _note_block(plugin: str, error: BaseException) -> None:
    """Remember at once that a plugin blocks: its next calls may wait in the same turn."""
    if isinstance(error, PluginBlockedError):
        blocks = _blocks.setdefault(plugin, _Blocks())
        blocks.number += 1
        blocks.until = time.monotonic() + BLOCK_BACKOFF.delay(blocks.number).total_seconds()


async def _stop_task(plugin: str, task: asyncio.Task[Any]) -> None:
    """Cancel a call; abandon it if it does not end. Another cancellation cuts the wait short."""
    task.cancel()
    try:
        await asyncio.wait({task}, timeout=GRACE_SECONDS)
    finally:
        if not task.done():
            _abandoned.add(task)
            task.add_done_callback(_abandoned.discard)
            ABANDONED.add(plugin)
            log.error("plugin_call_abandoned", plugin=plugin)


def has_abandoned_calls() -> bool:
    """Whether a call still runs that ignored its cancellation: it would keep the loop open."""
    return bool(_abandoned)


def _to_fault(error: BaseException, raises: Errors) -> Exception:
    if isinstance(error, (PluginFaultError, raises)):
        return error
    if isinstance(error, TimeoutError):
        fault: PluginFaultError = PluginTimeoutError("its call timed out")
    elif isinstance(error, PluginBlockedError):
        fault = PluginTimeoutError(f"it blocked the process {error}")
    else:
        fault = PluginCrashError(f"{type(error).__name__} {_describe_origin(error)}".rstrip())
    fault.__cause__ = error
    return fault


def _describe_origin(error: BaseException) -> str:
    """Return where an error was raised: its text may quote personal data."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"in {frames[-1].name}, line {frames[-1].lineno}" if frames else ""


def error_text(error: BaseException) -> str:
    """Return an error's text, or its type: that of a plugin may have none, or raise instead."""
    try:
        return str(error).strip() or type(error).__name__
    except BaseException:  # noqa: BLE001 (the boundary of a plugin)
        return type(error).__name__


def describe_error(error: BaseException) -> str:
    """Return an error's text, redacted."""
    return redact(error_text(error))


def find_plugin(frame: FrameType | None) -> tuple[str, str] | None:
    """Return the plugin whose call a stack is in, and the line that it is at; None if in none."""
    innermost = frame
    while frame is not None:
        if frame.f_code in _BOUNDARIES:
            assert innermost is not None  # noqa: S101 (it is this frame or one within it)
            place = f"{innermost.f_code.co_filename.rpartition('/')[2]}:{innermost.f_lineno}"
            return str(frame.f_locals.get("plugin")), place
        frame = frame.f_back
    return None


_BOUNDARIES = frozenset({_contain.__code__, call_plugin.__code__})
