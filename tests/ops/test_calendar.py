"""Days that begin and days that are lost, on two workers with one product clock."""

import asyncio
import time
from datetime import date, datetime, timedelta

import pytest

from ops.proxy import requires_haproxy
from ops.topology import DRIVERS, VERIFIED, WITHHELD, Topology, open_topology
from prawko.kit.clock import WARSAW
from prawko_demo.register.faults import FaultKind, FaultPlan
from support.waiting import wait_until

pytestmark = [pytest.mark.anyio, requires_haproxy]

DAY = timedelta(days=1)
# The days that begin while the run of the day before is under way.
NEW_YEAR, LEAP_DAY = date(2027, 1, 1), date(2028, 2, 29)
CLOCK_CHANGES = [date(2027, 3, 28), date(2027, 10, 31)]
TICK_SECONDS = 2.5  # of the scheduler, and the job
CATCH_UP_SECONDS = 60.0
CHECKED = "SELECT count(*) FROM check_item WHERE state = 'done' AND day = $1"
UNANSWERED = "SELECT count(*) FROM check_item WHERE error_kind IS NOT NULL"
# What waits for a retry at midnight becomes due again two minutes later.
RETRY_AFTER_MIDNIGHT = """
    UPDATE check_item SET next_try_at = $2 WHERE state = 'due' AND day = $1
"""


class Days:
    """A topology whose days the test begins."""

    def __init__(self, topology: Topology) -> None:
        self.topology, self.fleet = topology, topology.fleet

    def set_time(self, day: date, hour: int, minute: int = 0, fold: int = 0) -> None:
        """Set the product clock to a time in Warsaw."""
        instant = datetime(day.year, day.month, day.day, hour, minute, tzinfo=WARSAW, fold=fold)
        self.topology.product_clock.set_time(instant)

    async def runs(self) -> dict[date, tuple[str, int]]:
        """Return state and number of finished items of each run."""
        rows = await self.fleet.admin.fetch("SELECT day, state, done FROM check_run ORDER BY day")
        return {row["day"]: (row["state"], row["done"]) for row in rows}

    async def wait_until_checked(self, day: date, count: int) -> None:
        await wait_until(lambda: self._is_checked(day, count), CATCH_UP_SECONDS)

    async def wait_until_finished(self, *days: date) -> None:
        async def are_finished() -> bool:
            runs = await self.runs()
            return all(runs.get(day, ("", 0))[0] == "finished" for day in days)

        await wait_until(are_finished, CATCH_UP_SECONDS)

    async def assert_notified_once(self) -> None:
        """Each withheld licence is one notice, and no message was sent twice."""
        rows = await self.fleet.driver_rows()
        kinds = {number: row["notices"] for number, row in rows.items() if row["notices"]}
        assert kinds == {number: ["withheld"] for number in WITHHELD}
        assert set(self.topology.count_sent_mails().values()) == {1}

    async def _is_checked(self, day: date, count: int) -> bool:
        return await self.fleet.fetch_value(CHECKED, day) >= count


@pytest.fixture
async def days(servers, logins, topology_variables, tmp_path):
    async with open_topology(
        servers, logins, topology_variables, tmp_path, has_movable_clocks=True
    ) as topology:
        yield Days(topology)


async def test_midnight_in_mid_run_begins_one_run_of_the_new_day(days) -> None:
    verified = 0
    for number, new_day in enumerate([NEW_YEAR, *CLOCK_CHANGES, LEAP_DAY]):
        evening = new_day - DAY
        days.set_time(evening, 23, 58)
        if number == 0:
            for worker in days.topology.workers:
                worker.start()
        await days.wait_until_checked(evening, DRIVERS // 10)
        retry_at = datetime(new_day.year, new_day.month, new_day.day, 0, 2, tzinfo=WARSAW)
        await days.fleet.admin.execute(RETRY_AFTER_MIDNIGHT, evening, retry_at)
        days.set_time(new_day, 0, 1)
        await days.wait_until_checked(new_day, 1)
        days.set_time(new_day, 0, 3)
        await days.wait_until_finished(evening, new_day)
        if new_day in CLOCK_CHANGES:  # the hour that is skipped, or occurs twice
            days.set_time(new_day, 2, 30, fold=1)
            await asyncio.sleep(TICK_SECONDS)

        runs = await days.runs()
        assert list(runs)[2 * number :] == [evening, new_day]
        assert runs[new_day] == ("finished", DRIVERS)
        assert runs[evening][1] < DRIVERS, "superseded"
        verified += DRIVERS + runs[evening][1]
        assert await days.fleet.fetch_value(VERIFIED) == verified
    assert days.topology.simulator.document_store.call_count == verified


async def test_a_day_without_register_and_one_without_workers_cost_no_other_day(days) -> None:
    first = date(2027, 2, 10)
    closed, away, last = first + DAY, first + 2 * DAY, first + 3 * DAY
    days.set_time(first, 22)
    for worker in days.topology.workers:
        worker.start()
    await days.wait_until_finished(first)
    await days.topology.wait_until_done()
    statuses = await days.fleet.statuses()

    days.topology.simulator.faults.plan = FaultPlan(kind=FaultKind.HTTP_503)
    days.set_time(closed, 12)
    await days.topology.wait_for_count(f"{UNANSWERED} AND day = '{closed}'", 1)
    await asyncio.sleep(TICK_SECONDS)
    assert await days.fleet.statuses() == statuses
    await days.assert_notified_once()
    for worker in days.topology.workers:
        assert await asyncio.to_thread(worker.stop) == 0, worker.log.read_text()[-3000:]
    days.set_time(away, 12)
    days.topology.simulator.faults.plan = FaultPlan(kind=None)

    days.set_time(last, 13)
    await days.fleet.clear_rate_limiter()  # whose pauses are over after a day
    started_at = time.monotonic()
    for worker in days.topology.workers:
        worker.start()
    await days.wait_until_checked(last, 1)
    assert time.monotonic() - started_at < CATCH_UP_SECONDS
    await days.wait_until_finished(closed, last)

    complete = ("finished", DRIVERS)
    assert await days.runs() == {first: complete, closed: ("finished", 0), last: complete}
    assert await days.fleet.fetch_value(VERIFIED) == 2 * DRIVERS
    assert await days.fleet.statuses() == statuses
    await days.assert_notified_once()
