"""Calls of plugins end in time, whatever the plugin does."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import msgspec
import pytest

from prawko.base.plugins import calls as plugin_calls
from prawko.base.plugins.answers import MAX_BYTES, validate_struct
from prawko.base.plugins.calls import (
    PluginCrashError,
    PluginFaultError,
    PluginTimeoutError,
    PluginValueError,
    await_plugin,
    call_plugin,
    describe_error,
    has_abandoned_calls,
)
from prawko.base.plugins.watchdog import PluginWatchdog
from prawko.hooks.channels import DeliveryError
from prawko.hooks.payments import Money
from prawko_testing.fakes import licence_answer
from support.waiting import wait_until

pytestmark = pytest.mark.anyio

DEADLINE = 0.05


@pytest.fixture(autouse=True)
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin_calls, "GRACE_SECONDS", 0.05)
    monkeypatch.setattr(plugin_calls, "_blocks", {})


async def call(
    function: Callable[[], Awaitable[object]], *, deadline: float = DEADLINE, **options: type
) -> object:
    return await await_plugin("channel odd", function, deadline=deadline, **options)


async def test_a_value_and_a_documented_error_pass() -> None:
    async def give() -> int:
        return 7

    async def refuse() -> None:
        raise DeliveryError("no", retry_after=5)

    assert await call(give) == 7
    with pytest.raises(DeliveryError, match="no"):
        await call(refuse, raises=DeliveryError)


@pytest.mark.parametrize(
    "error",
    [SystemExit, KeyboardInterrupt, GeneratorExit, asyncio.CancelledError, ValueError],
    ids=lambda error: error.__name__,
)
async def test_whatever_a_plugin_raises_is_its_own_error(error: type[BaseException]) -> None:
    async def crash() -> None:
        raise error

    def crash_at_once() -> None:
        raise error

    for function in (crash, crash_at_once):
        with pytest.raises(
            PluginCrashError, match=f"^{error.__name__} in {function.__name__}, line"
        ):
            await call(function)
    with pytest.raises(PluginCrashError, match=f"^{error.__name__} in crash_at_once, line"):
        call_plugin("channel odd", crash_at_once)


async def test_a_method_that_is_not_async_is_a_fault() -> None:
    with pytest.raises(PluginValueError, match="not async"):
        await call(lambda: 7)


async def test_a_call_ends_at_its_deadline() -> None:
    cancelled = asyncio.Event()

    async def hang() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    with pytest.raises(PluginTimeoutError, match=r"did not end within 0\.05 s$"):
        await call(hang)
    assert cancelled.is_set()


async def test_a_call_that_ignores_its_cancellation_is_abandoned() -> None:
    released = asyncio.Event()

    async def hang() -> None:
        while not released.is_set():
            try:
                await released.wait()
            except asyncio.CancelledError:
                continue

    began = time.monotonic()
    with pytest.raises(PluginTimeoutError, match="nor when cancelled"):
        await call(hang)
    assert time.monotonic() - began < 5
    assert has_abandoned_calls()
    released.set()
    await wait_until(lambda: not has_abandoned_calls())


async def test_a_result_that_comes_with_the_cancellation_counts() -> None:
    """A message that the carrier took at the last moment is not sent again."""

    async def finish_late() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "ref"
        return "never"

    assert await call(finish_late) == "ref"


async def test_whoever_waits_for_a_call_can_be_cancelled() -> None:
    async def hang() -> None:
        await asyncio.Event().wait()

    waiting = asyncio.create_task(call(hang, deadline=60))
    await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert not has_abandoned_calls()


async def test_a_call_that_blocks_the_loop_is_interrupted_and_not_repeated() -> None:
    turns = 0

    async def turn() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0.01)

    async def block() -> None:
        time.sleep(8)  # noqa: ASYNC251 (that is the fault)

    watchdog = PluginWatchdog()
    watchdog.start()
    turning = asyncio.create_task(turn())
    began = time.monotonic()
    try:
        results = await asyncio.gather(
            *(call(block, deadline=30) for _ in range(5)), return_exceptions=True
        )
    finally:
        watchdog.stop()
        turning.cancel()
    assert time.monotonic() - began < 20, "one of five has blocked, for two seconds"
    assert {type(result) for result in results} == {PluginTimeoutError}
    assert str(results[0]).startswith("it blocked the process for ")
    assert {str(result) for result in results[1:]} == {"it blocked the process a while ago"}
    assert turns > 0


def test_an_error_without_a_text_is_described_by_its_type() -> None:
    class OddError(DeliveryError):
        def __str__(self) -> str:
            raise SystemExit

    assert describe_error(OddError("x")) == "OddError"
    assert describe_error(DeliveryError("")) == "DeliveryError"
    assert describe_error(DeliveryError("550 anna@acme.test\x00")) == "550 …"
    assert len(describe_error(DeliveryError("x" * 100_000))) <= 300


ANSWER = licence_answer("AB123456")


@pytest.mark.parametrize(
    "changes",
    [
        {"state": "Wydany"},
        {"expires": "2030-01-01T00:00"},
        {"reasons": None},
        {"notes": (1, 2)},
        {"raw": "no JSON object"},
        {"raw": {"x": object()}},
        {"raw": {"x": "\ud800"}},
        {"issuing_authority": "a\x00b"},
        {"raw": {"x": "y" * (MAX_BYTES + 1)}},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_an_answer_with_a_wrong_value_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(PluginValueError):
        validate_struct(msgspec.structs.replace(ANSWER, **changes), type(ANSWER))


def test_a_right_answer_is_returned_as_it_is() -> None:
    assert validate_struct(ANSWER, type(ANSWER)) == ANSWER
    recursive: dict[str, object] = {}
    recursive["again"] = recursive
    with pytest.raises(PluginFaultError):
        validate_struct(msgspec.structs.replace(ANSWER, raw=recursive), type(ANSWER))
    with pytest.raises(PluginValueError, match="returned dict instead of Money"):
        validate_struct({"grosze": 1}, Money)
