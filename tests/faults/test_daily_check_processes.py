"""Real workers and a register over TLS: one dies, Redis forgets, PostgreSQL falls over."""

import asyncio
import os
import signal
import time
from collections import Counter
from datetime import timedelta
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest
from redis.asyncio import Redis

from faults.checking_worker import check
from fleet import numbers, overseen
from prawko.base.clock import machine_now
from prawko.verifications.jobs import reconcile
from prawko.worker.timetable import TIMETABLE
from prawko_demo.register import running_register
from preloaded import begin

pytestmark = pytest.mark.anyio

DRIVERS = 160
LICENCES = numbers(DRIVERS, last="0123456709")  # a 9 at its end: withheld
WITHHELD = [number for number in LICENCES if number.endswith("9")]
PER_SECOND = 60
ALL_SECONDS = 90.0
STOP_SECONDS = 30.0
QUIET_SECONDS = 3.0
LEASED = "SELECT count(*) FROM check_item WHERE state = 'due' AND lease_until > now()"
SENDING = "SELECT count(*) FROM delivery WHERE state = 'pending' AND lease_until > now()"
VERIFIED = "SELECT count(*) FROM verification"


class Works:
    """Worker processes on one database, the register they ask, and the mails they send."""

    def __init__(self, fleet, simulator, environment, folder: Path) -> None:
        self.fleet, self.simulator = fleet, simulator
        self._environment, self._folder, self._mails = environment, folder, folder / "mails"
        self.processes: list[ForkServerProcess] = []

    def hire(self, many: int = 1) -> None:
        for _ in range(many):
            self.processes.append(
                begin(check, self._mails, variables=self._environment, into=self._folder)
            )

    async def until(self, sql: str, wanted: int, seconds: float = ALL_SECONDS) -> None:
        """Wait until the count is reached."""
        end = time.monotonic() + seconds
        while (seen := await self._count(sql)) < wanted:
            assert time.monotonic() < end, f"{seen} of {wanted}\n{self._said()}"
            await asyncio.sleep(0.05)

    def _said(self) -> str:
        return "\n".join((self._folder / name).read_text()[-3000:] for name in ("out", "err"))

    async def _count(self, sql: str) -> int:
        return await self.fleet.value(sql)

    async def quiet(self) -> None:
        """Wait until nothing moves: what is left is leased by nobody alive."""
        seen, since = await self._count(VERIFIED), time.monotonic()
        while time.monotonic() - since < QUIET_SECONDS:
            await asyncio.sleep(0.2)
            if (now := await self._count(VERIFIED)) != seen:
                seen, since = now, time.monotonic()

    async def leases_run_out(self) -> None:
        for table in ("check_item", "delivery"):
            await self.fleet.admin.execute(
                f"UPDATE {table} SET lease_until = now() WHERE lease_until IS NOT NULL"
            )

    async def done(self) -> None:
        """Wait for every driver and for every mail."""
        await self.until(f"{VERIFIED} WHERE verified_at IS NOT NULL", DRIVERS)
        await self.until("SELECT count(*) FROM delivery WHERE state = 'sent'", len(WITHHELD))

    async def is_as_if_nothing_had_happened(self, *, in_flight: int = 0) -> None:
        """One verification for each driver, one notice for each change, a mail for each notice.

        So many messages were in flight at a crash, and may have left twice.
        """
        fates = await self.fleet.fates()
        assert {fate["verifications"] for fate in fates.values()} == {1}
        expected = {n: "invalid" if n in WITHHELD else "valid" for n in LICENCES}
        assert {number: fate["status"] for number, fate in fates.items()} == expected
        told = {number: fate["notices"] for number, fate in fates.items() if fate["notices"]}
        assert told == {number: ["withheld"] for number in WITHHELD}
        # Operators may rightly be told of the outage; companies hear of their drivers alone.
        keys = self._mails.read_text().split()
        sent = Counter(key for key in keys if not key.startswith("operator:"))
        assert len(sent) == len(WITHHELD)
        assert sent.total() <= len(WITHHELD) + in_flight

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.join()
            process.close()


@pytest.fixture
async def works(servers, logins, variables, tmp_path):
    redis = Redis.from_url(servers.servers.redis_url)
    await redis.flushall()  # the rings of other tests
    await redis.aclose()
    async with (
        overseen(servers, logins) as fleet,
        running_register(tmp_path / "register", delay=0.02) as simulator,
    ):
        address = simulator.address
        environment = {
            **variables,
            "DATABASE_URL": logins.worker,
            "PLANNER_DATABASE_URL": logins.planner,
            "REGISTER": "upki",
            "REGISTER_RATE": str(PER_SECOND / 0.8),
            "REGISTER_DEADLINE": "5",
            "REGISTER_UPKI_URL": address.soap_url,
            "REGISTER_UPKI_P12": address.p12,
            "REGISTER_UPKI_P12_PASSWORD": address.p12_password,
            "REGISTER_UPKI_CA": address.ca,
            "REGISTER_UPKI_SERVER_NAME": address.server_name,
            "DAILY_CHECK_AT": "00:00",
        }
        works = Works(fleet, simulator, environment, tmp_path)
        await fleet.add(LICENCES, machine_now(), companies=7)
        try:
            yield works
        finally:
            works.end()


def test_a_ring_that_was_lost_comes_again_within_a_minute() -> None:
    assert [one.every for one in TIMETABLE if one.job is reconcile] == [timedelta(minutes=1)]


async def test_a_worker_that_is_killed_in_mid_run_costs_what_it_had_in_hand(works) -> None:
    works.hire(2)
    await works.until(VERIFIED, 20)
    first = works.processes[0]
    os.kill(first.pid, signal.SIGKILL)
    first.join()
    await works.quiet()
    in_hand = await works.fleet.value(LEASED)
    in_flight = await works.fleet.value(SENDING)

    await works.leases_run_out()
    await works.done()

    await works.is_as_if_nothing_had_happened(in_flight=in_flight)
    assert works.simulator.shelf.count <= DRIVERS + in_hand


async def test_redis_forgets_everything_in_mid_run_and_comes_back_empty(works, servers) -> None:
    works.hire(2)
    await works.until(VERIFIED, 20)
    redis = Redis.from_url(servers.servers.redis_url)
    await redis.flushall()
    await redis.aclose()
    await works.until(VERIFIED, 60)
    servers.restart_redis()

    await works.done()

    await works.is_as_if_nothing_had_happened()
    assert works.simulator.shelf.count == DRIVERS


async def test_postgresql_is_stopped_at_once_in_mid_run(works, servers, logins) -> None:
    works.hire(2)
    await works.until(VERIFIED, 20)
    servers.restart_postgres(immediate=True)
    async with overseen(servers, logins) as fleet:
        works.fleet = fleet
        in_hand, in_flight = await fleet.value(LEASED), await fleet.value(SENDING)
        await works.quiet()
        await works.leases_run_out()

        await works.done()

        await works.is_as_if_nothing_had_happened(in_flight=in_flight)
        assert works.simulator.shelf.count <= DRIVERS + in_hand


async def test_a_worker_that_is_asked_to_end_gives_back_what_it_has(works) -> None:
    works.simulator.control.delay = 2.0
    works.hire()
    await works.until(LEASED, 1)
    [process] = works.processes
    began = time.monotonic()
    os.kill(process.pid, signal.SIGTERM)

    await asyncio.to_thread(process.join, STOP_SECONDS)

    assert (process.exitcode, time.monotonic() - began < STOP_SECONDS) == (0, True)
    assert await works.fleet.value("SELECT count(*) FROM check_item WHERE state = 'due'") > 0
    assert await works.fleet.value(LEASED) == 0
