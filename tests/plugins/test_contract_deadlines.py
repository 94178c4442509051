"""The contract tests end, whatever a plugin does: a call that hangs fails with its method."""

import asyncio
import contextlib
import signal
import time

import pytest

from prawko.hooks.channels import Medium, Recipient
from prawko.hooks.errors import ProviderAccountError
from prawko_testing import plugin_calls
from prawko_testing.channel_contract import ChannelContract
from prawko_testing.fakes import RecordingChannel
from prawko_testing.plugin_calls import call_in_time, call_plain, closing_in_time

pytestmark = pytest.mark.anyio

PERSON = Recipient(email="anna@acme.test", phone="+48600100200")
CONTRACT = ChannelContract()


@pytest.fixture(autouse=True)
def short_deadlines(monkeypatch) -> None:
    monkeypatch.setattr(plugin_calls, "DEADLINES", {"send": 0.3, "close": 0.3})
    monkeypatch.setattr(plugin_calls, "BLOCK_SECONDS", 0.5)
    monkeypatch.setattr(plugin_calls, "_GRACE_SECONDS", 0.3)


class HangingChannel(RecordingChannel):
    """A channel that hangs in one of many ways."""

    def __init__(self, way: str) -> None:
        super().__init__(Medium.SMS)
        self.way = way

    async def send(self, message, recipient, *, idempotency_key):
        match self.way:
            case "waits":
                await asyncio.Event().wait()
            case "swallows":
                while True:
                    try:
                        await asyncio.sleep(3600)
                    except asyncio.CancelledError:
                        continue
            case "blocks":
                time.sleep(3600)  # noqa: ASYNC251 (what it is about)
            case "computes":
                while True:
                    pass
            case "ends late":
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.sleep(3600)
        return "ref"

    async def close(self) -> None:
        await asyncio.Event().wait()

    def can_reach(self, recipient) -> bool:
        time.sleep(3600)
        return True


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("waits", "send did not end within 0.3 seconds"),
        ("ends late", "send did not end within 0.3 seconds"),
        ("swallows", "send does not end when it is cancelled"),
        ("blocks", "send blocked the process for 0.5 seconds"),
        ("computes", "send blocked the process for 0.5 seconds"),
    ],
)
async def test_a_call_that_hangs_fails_with_the_name_of_the_method(way, said) -> None:
    started_at = time.monotonic()

    with pytest.raises(pytest.fail.Exception, match=f"HangingChannel.{said}"):
        await CONTRACT.test_it_returns_a_reference_or_nothing(HangingChannel(way), PERSON)

    assert time.monotonic() - started_at < 10


async def test_several_calls_that_hang_fail_the_test() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"HangingChannel\.send"):
        await CONTRACT.test_messages_can_be_sent_concurrently(HangingChannel("waits"), PERSON)


async def test_a_close_that_hangs_fails_and_ends_the_fixture() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"HangingChannel\.close did not end within"):
        await CONTRACT.test_it_can_be_closed_unused_and_twice(HangingChannel("waits"))
    with pytest.raises(pytest.fail.Exception, match=r"HangingChannel\.close did not end within"):
        async with closing_in_time(HangingChannel("waits")):
            pass


async def test_a_plain_method_that_blocks_fails() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"can_reach blocked the process for 0\.5 s"):
        await CONTRACT.test_reachability_is_known_without_a_call(HangingChannel(""), PERSON)


async def test_a_call_is_as_if_it_was_made_directly() -> None:
    async def double(number: int, *, factor: int = 2) -> int:
        await asyncio.sleep(0)
        return number * factor

    async def refuse() -> None:
        raise ProviderAccountError("no credit")

    assert await call_in_time(double, 3) == 6
    assert await call_in_time(double, 3, factor=5) == 15
    assert call_plain(len, "abc") == 3
    with pytest.raises(ProviderAccountError, match="no credit"):
        await call_in_time(refuse)
    with pytest.raises(pytest.fail.Exception, match="is not async"):
        await call_in_time(len, "abc")


async def test_a_call_can_be_cancelled_from_outside() -> None:
    was_cancelled = asyncio.Event()

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            was_cancelled.set()
            raise

    calling = asyncio.create_task(call_in_time(wait))
    await asyncio.sleep(0.05)
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    assert was_cancelled.is_set()


async def test_the_alarm_of_the_process_is_given_back() -> None:
    rung = []
    handler = signal.signal(signal.SIGALRM, lambda *_: rung.append(time.monotonic()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.4)
        await call_in_time(asyncio.sleep, 0.1)
        async with asyncio.timeout(10):
            while not rung:  # noqa: ASYNC110 (a signal sets it)
                await asyncio.sleep(0.02)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
