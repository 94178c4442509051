"""The comparison of the system clock with PostgreSQL's."""

from datetime import datetime, timedelta

import pytest

from prawko.kit import clock
from prawko.kit.clock import (
    MAX_CLOCK_DIFFERENCE,
    ClockDiffersError,
    ClockGuard,
    GuardedClock,
    RealTimeClock,
)

pytestmark = pytest.mark.anyio

SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)


class FakeServer:
    """Answers with a time that is `ahead` of the true one, after `delay`."""

    def __init__(self, monkeypatch) -> None:
        self.shift = timedelta(0)  # of this machine's clock
        self.ahead = timedelta(0)
        self.delay = 0.0
        self._slept = 0.0
        true_time = datetime.now

        class ShiftedDatetime(datetime):
            @classmethod
            def now(cls, tz=None):
                return true_time(tz) + self.shift + timedelta(seconds=self._slept)

        self._true_time = true_time
        monkeypatch.setattr(clock, "datetime", ShiftedDatetime)
        monotonic = clock.time.monotonic
        monkeypatch.setattr(clock.time, "monotonic", lambda: monotonic() + self._slept)

    async def read_time(self) -> datetime:
        now = self._true_time(clock.UTC) + self.ahead + timedelta(seconds=self._slept)
        self._slept += self.delay
        return now


@pytest.fixture
def server(monkeypatch) -> FakeServer:
    return FakeServer(monkeypatch)


@pytest.mark.parametrize(
    "deviation",
    [400 * DAY, 11 * SECOND, -11 * SECOND, -2 * DAY],
    ids=["400-days-ahead", "11-seconds-ahead", "11-seconds-behind", "2-days-behind"],
)
async def test_a_clock_that_differs_is_not_trusted(server, deviation) -> None:
    guard = ClockGuard()
    server.shift = deviation

    await guard.compare(server)

    assert not guard.is_trusted
    assert abs(guard.deviation - deviation) < SECOND


@pytest.mark.parametrize(
    "deviation", [0 * SECOND, 9 * SECOND, -9 * SECOND], ids=lambda one: f"{one.total_seconds():.0f}"
)
async def test_a_small_difference_and_a_slow_answer_are_no_reason(server, deviation) -> None:
    guard = ClockGuard()
    server.shift, server.delay = deviation, 60.0

    await guard.compare(server)

    assert guard.is_trusted


async def test_a_jump_shows_at_once_and_until_the_clock_is_right_again(server) -> None:
    guard = ClockGuard()
    await guard.compare(server)
    for shift in (DAY, -DAY):
        server.shift = shift
        assert not guard.is_trusted
        server.shift = timedelta(0)
        assert guard.is_trusted


async def test_after_a_jump_of_both_clocks_the_next_comparison_decides(server) -> None:
    guard = ClockGuard()
    await guard.compare(server)
    server.shift = server.ahead = 2 * DAY
    assert not guard.is_trusted

    await guard.compare(server)

    assert guard.is_trusted


async def test_a_jump_during_the_comparison_is_not_taken_for_the_right_time(server) -> None:
    guard = ClockGuard()
    read_time = server.read_time

    async def jump_meanwhile() -> datetime:
        server.shift = DAY
        return await read_time()

    server.read_time = jump_meanwhile
    await guard.compare(server)

    assert not guard.is_trusted


def test_a_clock_that_was_never_compared_is_trusted() -> None:
    assert ClockGuard().is_trusted


async def test_the_product_clock_cannot_be_read_while_the_system_clock_is_wrong(server) -> None:
    guard = ClockGuard()
    guarded = GuardedClock(RealTimeClock(), guard)
    await guard.compare(server)
    assert guarded.now() <= clock.utc_now()

    server.shift = MAX_CLOCK_DIFFERENCE + SECOND

    with pytest.raises(ClockDiffersError, match=r"is 0:00:11 ahead of PostgreSQL's"):
        guarded.now()


async def test_a_moved_product_clock_is_no_wrong_clock(server) -> None:
    class Moved(RealTimeClock):
        def now(self) -> datetime:
            return super().now() + 400 * DAY

    guard = ClockGuard()
    await guard.compare(server)

    assert GuardedClock(Moved(), guard).now() > clock.utc_now() + 399 * DAY
