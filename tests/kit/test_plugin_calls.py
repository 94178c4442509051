"""Calls of plugins end in time, whatever the plugin does."""

import asyncio
import decimal
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec
import pytest

from prawko.hooks.channels import DeliveryError
from prawko.hooks.payments import Money
from prawko.kit.incidents.plugin_faults import record_fault
from prawko.kit.money import format_amount, format_zloty
from prawko.kit.providers import calls as plugin_calls
from prawko.kit.providers.call_slot import SLOT
from prawko.kit.providers.calls import (
    PluginBlockedError,
    PluginCrashError,
    PluginFaultError,
    PluginTimeoutError,
    PluginValueError,
    await_plugin,
    call_plugin,
    describe_error,
    has_abandoned_calls,
)
from prawko.kit.providers.experience import PluginExperience
from prawko.kit.providers.process_state import KEPT_STATE, read_state, restore_state
from prawko.kit.providers.returned_values import MAX_BYTES, validate_reference, validate_struct
from prawko_testing.fakes import licence_answer
from support.waiting import wait_until

pytestmark = pytest.mark.anyio

DEADLINE = 0.05


@pytest.fixture(autouse=True)
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin_calls, "GRACE_SECONDS", 0.05)


def raise_error(kind: type[Exception]) -> None:
    raise kind("x")


async def call(
    function: Callable[[], Awaitable[object]],
    *,
    plugin: PluginExperience | None = None,
    deadline: float = DEADLINE,
    **options: type,
) -> object:
    plugin = plugin or PluginExperience("channel odd")
    return await await_plugin(plugin, function, deadline=deadline, **options)


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
        call_plugin(PluginExperience("channel odd"), crash_at_once)


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


async def test_a_task_that_waits_for_a_call_can_be_cancelled() -> None:
    async def hang() -> None:
        await asyncio.Event().wait()

    waiting = asyncio.create_task(call(hang, deadline=60))
    await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert not has_abandoned_calls()


@pytest.mark.parametrize("waits", [False, True], ids=["at once", "after a wait"])
async def test_a_call_that_blocks_the_loop_is_not_repeated(monkeypatch, waits) -> None:
    monkeypatch.setattr(plugin_calls, "BLOCK_SECONDS", 0.05)
    plugin = PluginExperience("channel odd")
    blocks = 0

    async def block() -> str:
        nonlocal blocks
        blocks += 1
        if waits:
            await asyncio.sleep(0)
        with suppress(BaseException):  # a plugin that swallows everything has blocked, too
            time.sleep(0.1)  # noqa: ASYNC251 (that is the fault)
        return "done"

    assert await call(block, plugin=plugin, deadline=30) == "done"
    assert plugin.rests_until() is not None
    assert plugin.unreported_block.startswith("it blocked the process for ")
    for function in (block, lambda: call_plugin(plugin, lambda: 7)):
        with pytest.raises(PluginBlockedError):
            await call(function, plugin=plugin, deadline=30)
    assert blocks == 1


async def test_a_short_block_is_logged_with_plugin_and_method(monkeypatch) -> None:
    monkeypatch.setattr(plugin_calls, "SLOW_SECONDS", 0.05)
    logged = []
    monkeypatch.setattr(
        plugin_calls.log, "warning", lambda *event, **of: logged.append((event, of))
    )
    plugin = PluginExperience("channel odd")

    class Pigeon:
        async def send(self, seconds: float) -> None:
            await asyncio.sleep(0)
            time.sleep(seconds)  # noqa: ASYNC251 (that is the fault)

        def can_reach(self, seconds: float) -> None:
            time.sleep(seconds)

    for seconds in (0.0, 0.06):
        await call(partial(Pigeon().send, seconds), plugin=plugin, deadline=30)
        call_plugin(plugin, partial(Pigeon().can_reach, seconds))
    assert [(event, of["plugin"]) for event, of in logged] == [
        (("plugin_slow",), "channel odd")
    ] * 2
    names = [of["call"].rpartition("<locals>.")[2] for _, of in logged]
    assert names == ["Pigeon.send", "Pigeon.can_reach"]
    assert plugin.rests_until() is None


def test_a_plugin_is_named_while_its_code_runs() -> None:
    plugin = PluginExperience("channel odd")
    assert call_plugin(plugin, lambda: SLOT.view[0]) == plugin.number != 0
    assert SLOT.view[0] == 0


async def test_a_plugin_is_not_named_while_its_call_waits() -> None:
    plugin = PluginExperience("channel odd")
    numbers = []

    async def wait() -> None:
        numbers.append(SLOT.view[0])
        await asyncio.sleep(0.01)
        numbers.append(SLOT.view[0])

    calling = asyncio.create_task(call(wait, plugin=plugin, deadline=30))
    await asyncio.sleep(0.001)
    assert SLOT.view[0] == 0
    await calling
    assert numbers == [plugin.number, plugin.number]


def test_an_error_without_a_text_is_described_by_its_type() -> None:
    class OddError(DeliveryError):
        def __str__(self) -> str:
            raise SystemExit

    assert describe_error(OddError("x")) == "OddError"
    assert describe_error(DeliveryError("")) == "DeliveryError"
    assert describe_error(DeliveryError("550 anna@acme.test\x00")) == "550 …"
    assert len(describe_error(DeliveryError("x" * 100_000))) <= 300


class _LyingType(type):
    @property
    def __name__(cls) -> str:
        raise ValueError


class LyingError(DeliveryError, metaclass=_LyingType):
    """An error that raises wherever it is looked at."""

    @property
    def __class__(self) -> type:  # type: ignore[override]
        raise ValueError

    def __str__(self) -> str:
        raise ValueError

    def __bool__(self) -> bool:
        raise ValueError

    def __getattribute__(self, name: str) -> object:
        raise ValueError


class UnreadableError(DeliveryError):
    """A documented error whose documented field raises."""

    @property
    def retry_after(self) -> float:  # type: ignore[override]
        raise ValueError

    @retry_after.setter
    def retry_after(self, _value: object) -> None:
        """Take it."""


@pytest.mark.parametrize("documented", [(), (ConnectionError,)], ids=["no", "another"])
async def test_an_error_that_raises_when_it_is_looked_at_is_a_fault(documented) -> None:
    async def crash() -> None:
        raise LyingError("x")

    with pytest.raises(PluginCrashError, match="LyingError in crash, line"):
        await call(crash, raises=documented)
    assert describe_error(LyingError("x")) == "LyingError"


async def test_an_error_that_raises_when_it_is_looked_at_is_logged(context) -> None:
    plugin = PluginExperience("channel odd")
    with pytest.raises(PluginCrashError) as fault:
        call_plugin(plugin, partial(raise_error, LyingError))
    await record_fault(context, plugin, fault.value)  # never raises


class FadingError(DeliveryError):
    """A documented error without its fields, one of which can be read once."""

    def __init__(self, _: str) -> None:
        self._delays = iter([7.0])

    @property
    def retry_after(self) -> float:  # type: ignore[override]
        return next(self._delays)


async def test_a_documented_error_has_its_fields_for_good() -> None:
    with pytest.raises(DeliveryError, match="x") as refused:
        call_plugin(
            PluginExperience("channel odd"), partial(raise_error, FadingError), raises=DeliveryError
        )
    for _ in range(2):
        assert refused.value.retry_after == 7
        assert not refused.value.not_taken


async def test_a_documented_error_that_cannot_be_read_is_a_fault() -> None:
    async def refuse() -> None:
        raise UnreadableError("x")

    with pytest.raises(PluginCrashError, match="UnreadableError in refuse, line"):
        await call(refuse, raises=DeliveryError)


def test_a_plugin_that_hides_the_name_of_its_method_is_timed_all_the_same(monkeypatch) -> None:
    monkeypatch.setattr(plugin_calls, "SLOW_SECONDS", 0.0)

    class Nameless:
        def __getattr__(self, name: str) -> object:
            raise SystemExit(name)

        def __call__(self) -> int:
            return 7

    assert call_plugin(PluginExperience("channel odd"), Nameless()) == 7


def test_a_fork_within_a_call_does_not_go_on_as_a_second_process() -> None:
    program = (
        "import os\n"
        "from prawko.kit.providers.calls import call_plugin\n"
        "from prawko.kit.providers.experience import PluginExperience\n"
        "pid = call_plugin(PluginExperience('channel odd'), os.fork)\n"
        "print('goes on', os.waitpid(pid, 0)[1] >> 8)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout == f"goes on {plugin_calls.FORKED}\n"


class OddText(str):
    """A text whose methods raise."""

    __slots__ = ()

    def __getitem__(self, index: object) -> str:
        raise ValueError

    __eq__ = __ne__ = __hash__ = __iter__ = __len__ = __str__ = __getitem__  # type: ignore[assignment]


def test_a_reference_of_an_odd_class_is_read_without_its_methods() -> None:
    assert validate_reference(OddText("ref")) == ("ref", None)
    assert validate_reference(OddText("")) == (None, None)


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


async def test_a_call_has_decimals_of_its_own() -> None:
    decimal.getcontext()  # which a task shares with those that it starts

    async def round_money() -> None:
        decimal.getcontext().prec = 2

    await call(round_money)
    call_plugin(PluginExperience("channel odd"), lambda: setattr(decimal.getcontext(), "prec", 2))
    assert decimal.getcontext().prec == 28
    decimal.getcontext().prec = 2
    try:
        assert (format_zloty(123_456), format_amount(123_456)) == (
            "1\xa0234,56",
            "1\xa0234,56 zł",
        )
    finally:
        decimal.getcontext().prec = 28


@pytest.mark.parametrize(
    "change",
    [
        lambda: sys.setrecursionlimit(500),
        lambda: setattr(json, "dumps", None),
        lambda: sys.setswitchinterval(10),
        lambda: os.closerange(1, 3),
    ],
)
def test_what_others_need_at_once_is_put_back_after_a_step(monkeypatch, change) -> None:
    plugin, state = PluginExperience("channel odd"), read_state()
    monkeypatch.setattr(KEPT_STATE, "state", state)
    call_plugin(plugin, change)

    with Path(__file__).open() as file:
        assert file.fileno() > 2, "the number of an output"
    assert restore_state(state) == []
    assert plugin.unreported_block.startswith("it changed the process: ")
    assert not plugin.count_success(), "its incident stays open for a while"
    assert plugin.rests_until() is None


@pytest.mark.parametrize("count", [1, 2])
def test_files_of_another_thread_with_the_numbers_of_outputs_are_left_to_it(
    monkeypatch, count
) -> None:
    guilty, innocent = PluginExperience("channel odd"), PluginExperience("channel even")
    opened = []

    def close_outputs() -> None:
        os.closerange(1, 3)
        # By another thread, before the step ends.
        opened.extend(os.open(__file__, os.O_RDONLY) for _ in range(count))

    monkeypatch.setattr(KEPT_STATE, "state", read_state())
    call_plugin(guilty, close_outputs)
    assert opened == [1, 2][:count]
    assert os.read(1, 20) == b'"""Calls of plugins ', "the file is not closed"
    for number in opened:
        os.close(number)
    call_plugin(innocent, lambda: None)

    assert guilty.unreported_block.endswith("standard output or error")
    assert not innocent.unreported_block
    os.write(1, b"it is open again")
    os.write(2, b"it is open again")
