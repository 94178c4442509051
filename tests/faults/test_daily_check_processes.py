"""Worker processes with a register over TLS: killed workers, lost Redis, stopped PostgreSQL."""

import asyncio
import os
import signal
import time
from collections import Counter
from datetime import timedelta
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from faults.check_worker import run_worker
from prawko.base.clock import utc_now
from prawko.verifications.jobs import reconcile_runs
from prawko.worker.schedule import SCHEDULE
from prawko_demo.register import run_register_simulator
from support.fleet import licence_numbers, open_fleet
from support.processes import start_process

pytestmark = pytest.mark.anyio

DRIVERS = 160
LICENCES = licence_numbers(DRIVERS, last_digits="0123456709")  # ends with 9: withheld
WITHHELD = [number for number in LICENCES if number.endswith("9")]
REGISTER_RATE = 60
DONE_SECONDS = 90.0
STOP_SECONDS = 30.0
IDLE_SECONDS = 3.0
SHOWN_SECONDS = 5.0
LEASED = "SELECT count(*) FROM check_item WHERE state = 'due' AND lease_until > now()"
SENDING = "SELECT count(*) FROM delivery WHERE state = 'pending' AND lease_until > now()"
VERIFIED = "SELECT count(*) FROM verification"


class WorkerProcesses:
    """Worker processes with their database, register simulator and sent mails."""

    def __init__(self, fleet, simulator, environment, folder: Path) -> None:
        self.fleet, self.simulator = fleet, simulator
        self._environment, self._folder, self._mails = environment, folder, folder / "mails"
        self.processes: list[ForkServerProcess] = []

    def start_workers(self, count: int = 1) -> None:
        for _ in range(count):
            self.processes.append(
                start_process(
                    run_worker, self._mails, variables=self._environment, output_folder=self._folder
                )
            )

    def set_register_rate(self, rate: int) -> None:
        """Set the queries per second of the workers that are started from now on."""
        self._environment["REGISTER_RATE"] = str(rate / 0.8)

    async def wait_for_count(self, sql: str, expected: int, seconds: float = DONE_SECONDS) -> None:
        """Wait until the count is reached."""
        end = time.monotonic() + seconds
        while (count := await self._count(sql)) < expected:
            assert time.monotonic() < end, f"{count} of {expected}\n{self._output()}"
            await asyncio.sleep(0.05)

    def _output(self) -> str:
        return "\n".join((self._folder / name).read_text()[-3000:] for name in ("out", "err"))

    async def _count(self, sql: str) -> int:
        return await self.fleet.fetch_value(sql)

    async def wait_until_idle(self) -> None:
        """Wait until no verification is written any more."""
        count, since = await self._count(VERIFIED), time.monotonic()
        while time.monotonic() - since < IDLE_SECONDS:
            await asyncio.sleep(0.2)
            if (current := await self._count(VERIFIED)) != count:
                count, since = current, time.monotonic()

    async def expire_leases(self) -> None:
        for table in ("check_item", "delivery"):
            await self.fleet.admin.execute(
                f"UPDATE {table} SET lease_until = now() WHERE lease_until IS NOT NULL"
            )

    async def wait_until_done(self) -> None:
        """Wait until every driver is verified and every mail is sent."""
        await self.wait_for_count(f"{VERIFIED} WHERE verified_at IS NOT NULL", DRIVERS)
        await self.wait_for_count(
            "SELECT count(*) FROM delivery WHERE state = 'sent'", len(WITHHELD)
        )

    async def assert_complete(self, *, in_flight: int = 0) -> None:
        """Assert one verification per driver, one notice per change and one mail per notice.

        `in_flight` messages may have been sent twice, by a worker that crashed.
        """
        rows = await self.fleet.driver_rows()
        assert {row["verifications"] for row in rows.values()} == {1}
        expected = {n: "invalid" if n in WITHHELD else "valid" for n in LICENCES}
        assert {number: row["status"] for number, row in rows.items()} == expected
        notices = {number: row["notices"] for number, row in rows.items() if row["notices"]}
        assert notices == {number: ["withheld"] for number in WITHHELD}
        # Operator mails about the outage are allowed.
        keys = self._mails.read_text().split()
        sent = Counter(key for key in keys if not key.startswith("operator:"))
        assert len(sent) == len(WITHHELD)
        assert sent.total() <= len(WITHHELD) + in_flight

    def kill_all(self) -> None:
        for process in self.processes:
            process.kill()
            process.join()
            process.close()


@pytest.fixture
async def worker_processes(servers, logins, variables, tmp_path):
    redis = Redis.from_url(servers.urls.redis_url)
    await redis.flushall()  # jobs of other tests
    await redis.aclose()
    async with (
        open_fleet(servers, logins) as fleet,
        run_register_simulator(tmp_path / "register", delay=0.02) as simulator,
    ):
        address = simulator.address
        environment = {
            **variables,
            "DATABASE_URL": logins.worker,
            "PLANNER_DATABASE_URL": logins.planner,
            "REGISTER": "upki",
            "REGISTER_RATE": str(REGISTER_RATE / 0.8),
            "REGISTER_DEADLINE": "5",
            "REGISTER_UPKI_URL": address.soap_url,
            "REGISTER_UPKI_P12": address.p12,
            "REGISTER_UPKI_P12_PASSWORD": address.p12_password,
            "REGISTER_UPKI_CA": address.ca,
            "REGISTER_UPKI_SERVER_NAME": address.server_name,
            "DAILY_CHECK_AT": "00:00",
        }
        processes = WorkerProcesses(fleet, simulator, environment, tmp_path)
        await fleet.add_companies(LICENCES, utc_now(), companies=7)
        try:
            yield processes
        finally:
            processes.kill_all()


def test_a_lost_job_is_enqueued_again_within_a_minute() -> None:
    intervals = [entry.interval for entry in SCHEDULE if entry.job is reconcile_runs]
    assert intervals == [timedelta(minutes=1)]


async def test_a_killed_worker_costs_at_most_its_leased_queries(
    worker_processes,
) -> None:
    worker_processes.start_workers(2)
    await worker_processes.wait_for_count(VERIFIED, 20)
    first = worker_processes.processes[0]
    os.kill(first.pid, signal.SIGKILL)
    first.join()
    await worker_processes.wait_until_idle()
    leased = await worker_processes.fleet.fetch_value(LEASED)
    in_flight = await worker_processes.fleet.fetch_value(SENDING)

    await worker_processes.expire_leases()
    await worker_processes.wait_until_done()

    await worker_processes.assert_complete(in_flight=in_flight)
    assert worker_processes.simulator.document_store.call_count <= DRIVERS + leased


async def test_a_killed_worker_shows_in_the_console_within_five_seconds(
    worker_processes, olga
) -> None:
    async def get_run() -> dict[str, Any]:
        return (await olga.get("/api/admin/check-runs/today")).json()

    worker_processes.set_register_rate(16)
    worker_processes.start_workers()
    await worker_processes.wait_for_count(VERIFIED, 20)
    run = await get_run()
    assert (run["stalled"], run["activeWorkers"] > 0, run["expectedEndAt"] is None) == (
        False, True, False,
    )  # fmt: skip
    [process] = worker_processes.processes
    os.kill(process.pid, signal.SIGKILL)
    killed_at = time.monotonic()
    process.join()
    while not (run := await get_run())["stalled"]:
        assert time.monotonic() - killed_at < SHOWN_SECONDS, run
        await asyncio.sleep(0.1)
    assert time.monotonic() - killed_at < SHOWN_SECONDS
    assert (run["state"], run["activeWorkers"], run["leased"] > 0) == ("running", 0, True)
    assert run["done"] < DRIVERS

    await worker_processes.expire_leases()
    worker_processes.start_workers()
    await worker_processes.wait_until_done()

    run = await get_run()
    assert (run["stalled"], run["done"], run["unresolved"]) == (False, DRIVERS, 0)


async def test_a_pause_in_the_console_stops_running_workers_within_seconds(
    worker_processes, olga
) -> None:
    worker_processes.set_register_rate(16)
    worker_processes.start_workers(2)
    await worker_processes.wait_for_count(VERIFIED, 20)
    reason = {"reason": "prośba rejestru"}
    assert (await olga.post("/api/admin/check-runs/pause", reason)).status_code == 200
    await asyncio.sleep(SHOWN_SECONDS)
    count = await worker_processes.fleet.fetch_value(VERIFIED)
    await worker_processes.wait_until_idle()
    assert await worker_processes.fleet.fetch_value(VERIFIED) == count < DRIVERS

    assert (await olga.post("/api/admin/check-runs/resume", reason)).status_code == 200
    await worker_processes.wait_until_done()


async def test_the_run_completes_when_redis_loses_all_data(worker_processes, servers) -> None:
    worker_processes.start_workers(2)
    await worker_processes.wait_for_count(VERIFIED, 20)
    redis = Redis.from_url(servers.urls.redis_url)
    await redis.flushall()
    await redis.aclose()
    await worker_processes.wait_for_count(VERIFIED, 60)
    servers.restart_redis()

    await worker_processes.wait_until_done()

    await worker_processes.assert_complete()
    assert worker_processes.simulator.document_store.call_count == DRIVERS


async def test_the_run_completes_after_an_immediate_postgresql_stop(
    worker_processes, servers, logins
) -> None:
    worker_processes.start_workers(2)
    await worker_processes.wait_for_count(VERIFIED, 20)
    servers.restart_postgres(immediate=True)
    async with open_fleet(servers, logins) as fleet:
        worker_processes.fleet = fleet
        leased, in_flight = await fleet.fetch_value(LEASED), await fleet.fetch_value(SENDING)
        await worker_processes.wait_until_idle()
        await worker_processes.expire_leases()

        await worker_processes.wait_until_done()

        await worker_processes.assert_complete(in_flight=in_flight)
        assert worker_processes.simulator.document_store.call_count <= DRIVERS + leased


async def test_a_terminated_worker_releases_its_leases(worker_processes) -> None:
    worker_processes.simulator.control.delay = 2.0
    worker_processes.start_workers()
    await worker_processes.wait_for_count(LEASED, 1)
    [process] = worker_processes.processes
    os.kill(process.pid, signal.SIGTERM)

    await asyncio.to_thread(process.join, STOP_SECONDS)

    assert process.exitcode == 0
    assert (
        await worker_processes.fleet.fetch_value(
            "SELECT count(*) FROM check_item WHERE state = 'due'"
        )
        > 0
    )
    assert await worker_processes.fleet.fetch_value(LEASED) == 0
