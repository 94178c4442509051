"""Worker processes with a register over TLS: killed workers, lost Redis, stopped PostgreSQL."""

import asyncio
import os
import signal
import time
from datetime import timedelta
from typing import Any

import pytest
from redis.asyncio import Redis

from faults.check_worker import KILLING_DIGITS
from faults.worker_processes import DRIVERS, LEASED, LICENCES, SENDING, VERIFIED
from prawko.apps.worker.schedule import SCHEDULE
from prawko.kit.settings import Settings
from prawko.verifications.jobs import reconcile_runs
from support.fleet import open_fleet

pytestmark = pytest.mark.anyio

STOP_SECONDS = 30.0
SHOWN_SECONDS = 5.0
TAKEN_OVER_SECONDS = 45.0  # the lease of 30 s, the rest of the run, a busy machine


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


async def test_what_a_killed_worker_held_is_checked_within_half_a_minute(worker_processes) -> None:
    worker_processes.start_workers()
    await worker_processes.wait_for_count(VERIFIED, 20)
    [process] = worker_processes.processes
    os.kill(process.pid, signal.SIGKILL)
    killed_at = time.monotonic()
    process.join()
    leased = await worker_processes.fleet.fetch_value(LEASED)
    worker_processes.start_workers()

    await worker_processes.wait_for_count(VERIFIED, DRIVERS)

    seconds = time.monotonic() - killed_at
    asked_twice = worker_processes.simulator.document_store.call_count - DRIVERS
    figures = f"{leased} leased, {asked_twice} asked twice, done after {seconds:.1f} s"
    assert (asked_twice <= leased, seconds < TAKEN_OVER_SECONDS) == (True, True), figures


async def test_documents_that_kill_their_worker_delay_the_others_by_one_lease(
    worker_processes,
) -> None:
    killing = {number for number in LICENCES if number.endswith(KILLING_DIGITS)}
    supervising = asyncio.create_task(worker_processes.supervise("fake"))
    await worker_processes.wait_for_count(VERIFIED, 1)

    await worker_processes.wait_for_count(VERIFIED, DRIVERS - len(killing), TAKEN_OVER_SECONDS)

    put_aside = "check_item WHERE error_kind = 'worker_ended' AND next_try_at > now()"
    await worker_processes.wait_for_count(f"SELECT count(*) FROM {put_aside}", len(killing))
    supervising.cancel()
    items = await worker_processes.fleet.latest_items()
    assert {number for number, item in items.items() if item["state"] == "due"} == killing
    # Each killed a batch at most, and then, alone, a second worker.
    assert len(worker_processes.processes) <= 1 + 2 * len(killing)


@pytest.mark.usefixtures("console")  # opened before the settings change
async def test_a_killed_worker_shows_in_the_console_within_five_seconds(
    worker_processes, olga, monkeypatch
) -> None:
    # The console is configured as the workers are, whose register is another than the tests'.
    monkeypatch.setattr(Settings, "register_names", ("upki",))

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
