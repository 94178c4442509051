"""Calls of plugins: the caller always continues within a deadline.

An asynchronous call runs in a task of its own. After its deadline it is cancelled, and abandoned
if it ignores that. Everything that it raises is an error of the plugin, SystemExit included. While
code of a plugin runs, the slot of the process names it (`call_slot`). A plugin that blocks the
event loop is not called again for a while. What a call returns is for its caller to validate.
"""

import asyncio
import decimal
import inspect
import math
import os
import time
import traceback
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Any, TypeVar, cast

import msgspec

from prawko.hooks.deadlines import BLOCK_SECONDS
from prawko.kit.clock import utc_now
from prawko.kit.money import EXACT
from prawko.kit.observability import logs
from prawko.kit.observability.metrics import Counter
from prawko.kit.providers.call_slot import SLOT
from prawko.kit.providers.experience import PluginExperience
from prawko.kit.providers.process_state import KEPT_STATE
from prawko.kit.text.plain_text import redact

T = TypeVar("T")
Errors = type[Exception] | tuple[type[Exception], ...]
log = logs.get_logger(__name__)

# The exit codes of a process that a plugin has forked within a call, and of one whose tasks a step
# has cancelled, all of them: its loop ends, and whatever was in progress has failed.
FORKED, CANCELLED = 70, 71
# A block of this length is logged; its plugin goes on.
SLOW_SECONDS = 0.25
# For a cancelled call to end by itself.
GRACE_SECONDS = 1.0

ABANDONED = Counter(
    "prawko_plugin_calls_abandoned_total",
    "Calls of plugins that ignored their cancellation.",
    ("plugin",),
)

_HOOKS = "prawko.hooks."
_ERROR_FIELDS = ("permanent", "not_taken", "retry_after", "kind")
_abandoned: set[asyncio.Task[Any]] = set()


class PluginFaultError(Exception):
    """A plugin broke its promise; the message says how, without personal data."""


class PluginTimeoutError(PluginFaultError, TimeoutError):
    """A call did not end in time. Its effect is unknown."""


class PluginCrashError(PluginFaultError):
    """A call raised what its hook does not document. Its effect is unknown."""


class PluginValueError(PluginFaultError):
    """A call returned something else than its hook promises."""


class PluginBlockedError(PluginTimeoutError):
    """A plugin was not called, because it blocked or ended a process a while ago.

    `retry_after` is in seconds.
    """

    def __init__(self, retry_after: int) -> None:
        super().__init__("it blocked or ended the process a while ago")
        self.retry_after = retry_after


class _Outcome(msgspec.Struct):
    value: object = None
    error: BaseException | None = None


async def await_plugin(
    plugin: PluginExperience,
    call: Callable[[], Awaitable[object]],
    *,
    deadline: float,
    raises: Errors = (),
    read: Callable[[Any], T] | None = None,
) -> T:
    """Return what the call returns within `deadline` seconds, or what `read` makes of it.

    Methods of the value's class may run in `read`. Errors of the types in `raises` pass; any other
    is a PluginFaultError.
    """
    loop = asyncio.get_running_loop()
    # In place of `asyncio.wait`, which costs as much as the rest of a call.
    end: asyncio.Future[_Outcome | None] = loop.create_future()
    task = loop.create_task(_contain(plugin, call, read, end))
    timer = loop.call_later(deadline, _set_end, end, None)
    try:
        outcome = await end
    except asyncio.CancelledError:
        await _stop_task(plugin, task)
        raise
    finally:
        timer.cancel()
    if outcome is None:
        await _stop_task(plugin, task)
        if not task.done():
            raise PluginTimeoutError(f"it did not end within {deadline:g} s, nor when cancelled")
        outcome = task.result()
        if issubclass(type(outcome.error), asyncio.CancelledError):
            raise PluginTimeoutError(f"it did not end within {deadline:g} s")
    if outcome.error is not None:
        raise _to_fault(outcome.error, raises)
    return cast(T, outcome.value)


def call_plugin(plugin: PluginExperience, call: Callable[[], T], *, raises: Errors = ()) -> T:
    """Return what a pure method of a plugin returns; errors are those of `await_plugin`.

    A call that reads its value as well has read it within the boundary, if that is lazy.
    """
    _require_unblocked(plugin)
    try:
        with decimal.localcontext(EXACT):  # the call's own
            return _run_step(plugin, call, call)
    except BaseException as error:  # noqa: BLE001 (the boundary of a plugin)
        raise _to_fault(error, raises)  # noqa: B904 (a fault names its cause)


def _set_end(end: asyncio.Future[_Outcome | None], outcome: _Outcome | None) -> None:
    """End the wait for a call with its outcome, or at the deadline without one."""
    if not end.done():
        end.set_result(outcome)


async def _contain(
    plugin: PluginExperience,
    call: Callable[[], object],
    read: Callable[[Any], object] | None,
    end: asyncio.Future[_Outcome | None],
) -> _Outcome:
    """Await the call; never raises, because SystemExit would end the event loop."""
    decimal.setcontext(EXACT.copy())  # the call's own
    try:
        _require_unblocked(plugin)
        outcome = _Outcome(await _run_steps(plugin, call, _await_call(call, read)))
    except BaseException as error:  # noqa: BLE001 (the boundary of a plugin)
        outcome = _Outcome(error=error)
    _set_end(end, outcome)
    return outcome


async def _await_call(call: Callable[[], object], read: Callable[[Any], object] | None) -> object:
    awaitable = call()
    if not inspect.isawaitable(awaitable):
        raise PluginValueError("its method is not async")
    value = await awaitable
    return value if read is None else read(value)


@types.coroutine
def _run_steps(
    plugin: PluginExperience,
    call: Callable[[], object],
    coroutine: Coroutine[object, object, object],
) -> Generator[object, object, object]:
    """Await a call of a plugin, step by step."""
    step: Callable[..., object] = coroutine.send
    argument: object = None
    try:
        while True:
            pause = _run_step(plugin, call, step, argument)
            try:
                step, argument = coroutine.send, (yield pause)
            except GeneratorExit:
                coroutine.close()
                raise
            except BaseException as error:  # noqa: BLE001 (a cancellation: the plugin's to handle)
                step, argument = coroutine.throw, error
    except StopIteration as end:
        return end.value


def _run_step(
    plugin: PluginExperience,
    call: Callable[[], object],
    step: Callable[..., T],
    *arguments: object,
) -> T:
    """Run code of a plugin until it returns or waits; it blocks the event loop meanwhile."""
    began, process = time.monotonic(), os.getpid()
    cancelled = (bystander := KEPT_STATE.bystander) and bystander.cancelling()
    SLOT.view[0] = plugin.number
    try:
        return step(*arguments)
    finally:
        if os.getpid() != process:  # a fork of the plugin's, which shares our connections
            os._exit(FORKED)
        if bystander and bystander.cancelling() != cancelled:
            os._exit(CANCELLED)  # the slot names the plugin to the next process
        SLOT.view[0] = 0
        KEPT_STATE.ran.add(plugin)
        if changed := KEPT_STATE.restore_after_step():
            plugin.count_change(changed)
        if (seconds := time.monotonic() - began) >= BLOCK_SECONDS:
            plugin.count_block(f"it blocked the process for {seconds:.1f} s")
            log.critical("plugin_blocks_process", plugin=plugin.name, seconds=round(seconds, 1))
        elif seconds >= SLOW_SECONDS:
            slow = _name_method(call)
            log.warning("plugin_slow", plugin=plugin.name, call=slow, seconds=round(seconds, 2))


def _name_method(call: Callable[[], object]) -> str:
    """Return the plugin's method that is called: `PigeonChannel.send`."""
    try:
        name = getattr(getattr(call, "func", call), "__qualname__", "")
    except BaseException:  # noqa: BLE001 (the boundary of a plugin)
        return ""
    return name if type(name) is str else ""


def _require_unblocked(plugin: PluginExperience) -> None:
    if (until := plugin.rests_after_block_until()) is not None:
        raise PluginBlockedError(math.ceil((until - utc_now()).total_seconds()))


async def _stop_task(plugin: PluginExperience, task: asyncio.Task[Any]) -> None:
    """Cancel a call; abandon it if it does not end. Another cancellation cuts the wait short."""
    task.cancel()
    try:
        await asyncio.wait({task}, timeout=GRACE_SECONDS)
    finally:
        if not task.done():
            _abandoned.add(task)
            task.add_done_callback(_abandoned.discard)
            ABANDONED.add(plugin.name)
            log.error("plugin_call_abandoned", plugin=plugin.name)


def has_abandoned_calls() -> bool:
    """Whether a call still runs that ignored its cancellation: it would keep the loop open."""
    return bool(_abandoned)


def _to_fault(error: BaseException, raises: Errors) -> Exception:
    """Return a documented error as it is, and any other as a fault.

    Of a plugin's error only its type is asked: `isinstance` would run a `__class__` of its own.
    """
    if issubclass(type(error), PluginFaultError):
        return cast(PluginFaultError, error)
    if issubclass(type(error), raises) and (documented := _pin_fields(error)) is not None:
        return documented
    if issubclass(type(error), TimeoutError):
        fault: PluginFaultError = PluginTimeoutError("its call timed out")
    else:
        fault = PluginCrashError(f"{type_name(error)} {_describe_origin(error)}".rstrip())
    fault.__cause__ = error
    return fault


def _pin_fields(error: BaseException) -> Exception | None:
    """Return a documented error as one of the hooks' own class, with its fields as they are now.

    A class of the plugin's may lack them, or have properties that raise: None if these do.
    """
    try:
        fields = {name: getattr(error, name, None) for name in _ERROR_FIELDS}
        for value in fields.values():
            bool(value)
        own: type[Any] = type(error)
        kind = next((one for one in own.__mro__ if one.__module__.startswith(_HOOKS)), own)
        if kind is own:
            return cast(Exception, error)
        pinned = cast(Exception, kind.__new__(kind, error_text(error)))
        vars(pinned).update(fields)
        return pinned.with_traceback(error.__traceback__)
    except BaseException:  # noqa: BLE001 (the boundary of a plugin)
        return None


def type_name(value: object) -> str:
    """Return the name of a value's type, whatever its metaclass says."""
    name: str = type.__dict__["__name__"].__get__(type(value))
    return name


def _describe_origin(error: BaseException) -> str:
    """Return where an error was raised: its text may quote personal data."""
    frames = traceback.extract_tb(BaseException.__dict__["__traceback__"].__get__(error))
    return f"in {frames[-1].name}, line {frames[-1].lineno}" if frames else ""


def error_text(error: BaseException) -> str:
    """Return an error's text, or its type: that of a plugin may have none, or raise instead."""
    try:
        return "".join(str(error)).strip() or type_name(error)
    except BaseException:  # noqa: BLE001 (the boundary of a plugin)
        return type_name(error)


def describe_error(error: BaseException) -> str:
    """Return an error's text, redacted."""
    return redact(error_text(error))
