"""Workers and monitoring leave heartbeats; a dead-man switch hears of them while all is well."""

import asyncio
import dataclasses

import msgspec
import pytest
from aiohttp import web
from sqlalchemy import text

from prawko.apps.worker.main import beat_until_shutdown
from prawko.kit.clock import utc_now
from prawko.kit.context import ShutdownFlag
from prawko.kit.incidents.heartbeats import HeartbeatKind, load_watch, record_heartbeat
from prawko.kit.incidents.jobs import ping_dead_man_switch
from prawko.kit.incidents.service import open_incident
from prawko.verifications.monitoring import check_health
from support.database import execute_as_owner, fetch_rows
from support.processes import free_port
from support.waiting import wait_until

pytestmark = pytest.mark.anyio


class Switch:
    """A dead-man switch that counts its pings."""

    def __init__(self) -> None:
        self.pings = 0
        self.status = 200

    async def answer(self, _: web.Request) -> web.Response:
        self.pings += 1
        return web.Response(status=self.status, text="OK")


@pytest.fixture
async def switch():
    switch = Switch()
    app = web.Application()
    app.router.add_get("/ping/secret-token", switch.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    switch.url = f"http://127.0.0.1:{port}/ping/secret-token"
    yield switch
    await runner.cleanup()


@pytest.fixture
def pinging(worker, switch):
    """The worker with the address of the switch."""
    settings = msgspec.structs.replace(worker.settings, heartbeat_url=switch.url)
    return dataclasses.replace(worker, settings=settings)


async def read_watch(worker):
    async with worker.database.system() as session:
        return await load_watch(session)


async def open_incidents(logins) -> list[str]:
    rows = await fetch_rows(logins, "SELECT kind FROM incident WHERE closed_at IS NULL")
    return sorted(row["kind"] for row in rows)


async def test_a_worker_beats_until_it_stops_in_order(worker) -> None:
    beating = asyncio.create_task(beat_until_shutdown(worker))

    async def is_seen() -> bool:
        return (await read_watch(worker)).has_workers

    await wait_until(is_seen)
    watch = await read_watch(worker)
    assert watch.workers == 1
    assert watch.ages[HeartbeatKind.WORKER] < 15

    worker.shutdown.set()
    await asyncio.wait_for(beating, 5)

    assert (await read_watch(worker)).workers == 0


async def test_the_file_of_the_health_check_is_as_old_as_the_last_stored_heartbeat(
    worker, logins, tmp_path
) -> None:
    file = tmp_path / "heartbeat"
    settings = msgspec.structs.replace(worker.settings, heartbeat_file=str(file))
    worker = dataclasses.replace(worker, settings=settings)
    beating = asyncio.create_task(beat_until_shutdown(worker))
    await wait_until(file.exists)
    worker.shutdown.set()
    await asyncio.wait_for(beating, 5)
    file.unlink()
    worker = dataclasses.replace(worker, shutdown=ShutdownFlag())
    await execute_as_owner(logins, "ALTER TABLE heartbeat RENAME TO heartbeat_away")

    beating = asyncio.create_task(beat_until_shutdown(worker))
    await asyncio.sleep(0.3)

    assert not file.exists()
    await execute_as_owner(logins, "ALTER TABLE heartbeat_away RENAME TO heartbeat")
    worker.shutdown.set()
    await asyncio.wait_for(beating, 5)


async def test_a_worker_without_a_database_goes_on(worker, logins) -> None:
    await execute_as_owner(logins, "ALTER TABLE heartbeat RENAME TO heartbeat_away")
    beating = asyncio.create_task(beat_until_shutdown(worker))
    await asyncio.sleep(0.3)
    try:
        assert not beating.done()
    finally:
        await execute_as_owner(logins, "ALTER TABLE heartbeat_away RENAME TO heartbeat")
        worker.shutdown.set()
        await asyncio.wait_for(beating, 5)


async def test_a_killed_worker_is_silent_after_two_minutes(worker, logins) -> None:
    async with worker.database.system() as session:
        await record_heartbeat(session, HeartbeatKind.WORKER, "killed")
        await record_heartbeat(session, HeartbeatKind.WORKER, "alive")
    await execute_as_owner(
        logins, "UPDATE heartbeat SET seen_at = now() - interval '3 min' WHERE id = 'worker:killed'"
    )

    watch = await read_watch(worker)

    assert (watch.workers, watch.silent_workers) == (1, 1)


async def test_a_silent_worker_among_others_is_an_incident_for_a_day(
    worker, logins, enqueued_jobs
) -> None:
    async def age_killed(interval: str) -> None:
        await execute_as_owner(
            logins,
            f"UPDATE heartbeat SET seen_at = now() - interval '{interval}'"
            " WHERE id = 'worker:killed'",
        )
        await check_health(worker)

    async with worker.database.system() as session:
        await record_heartbeat(session, HeartbeatKind.WORKER, "killed")
        await record_heartbeat(session, HeartbeatKind.WORKER, "alive")
    await age_killed("1 min")
    assert "worker_silent" not in await open_incidents(logins)

    await age_killed("3 min")
    assert "worker_silent" in await open_incidents(logins)
    [row] = await fetch_rows(logins, "SELECT detail FROM incident WHERE kind = 'worker_silent'")
    assert row["detail"] == "1/2"

    await age_killed("25 hours")
    assert "worker_silent" not in await open_incidents(logins)
    assert (await read_watch(worker)).silent_workers == 0


async def test_the_switch_is_pinged_while_monitoring_works(
    pinging, switch, logins, enqueued_jobs
) -> None:
    await ping_dead_man_switch(pinging)
    assert switch.pings == 0  # monitoring has not run

    await check_health(pinging)
    await ping_dead_man_switch(pinging)
    assert switch.pings == 1
    assert (await read_watch(pinging)).ages[HeartbeatKind.PING] < 60

    await execute_as_owner(logins, "UPDATE heartbeat SET seen_at = now() - interval '6 min'")
    await ping_dead_man_switch(pinging)
    assert switch.pings == 1


async def test_the_switch_is_not_pinged_while_an_incident_is_unsent(
    pinging, switch, logins, enqueued_jobs
) -> None:
    await check_health(pinging)
    async with pinging.database.system() as session:
        await open_incident(session, kind="run_late", key="x", detail="", now=utc_now())
    await ping_dead_man_switch(pinging)
    assert switch.pings == 1  # its mail may still be on its way

    async with pinging.database.system() as session:
        await session.execute(text("UPDATE delivery SET created_at = now() - interval '1 hour'"))
    await ping_dead_man_switch(pinging)
    assert switch.pings == 1


async def test_a_switch_that_does_not_answer_is_an_incident_and_its_address_a_secret(
    pinging, switch, logins, enqueued_jobs
) -> None:
    await check_health(pinging)
    await ping_dead_man_switch(pinging)
    switch.status = 503
    await ping_dead_man_switch(pinging)
    assert "ping_failed" not in await open_incidents(logins)  # once is nothing

    await execute_as_owner(
        logins, "UPDATE heartbeat SET seen_at = now() - interval '6 min' WHERE kind = 'ping'"
    )
    await ping_dead_man_switch(pinging)
    assert "ping_failed" in await open_incidents(logins)
    rows = await fetch_rows(logins, "SELECT detail FROM incident WHERE kind = 'ping_failed'")
    assert rows == [{"detail": "the server answered 503"}]

    switch.status = 200
    await ping_dead_man_switch(pinging)
    assert "ping_failed" not in await open_incidents(logins)


async def test_no_switch_is_pinged_without_an_address(worker, logins, enqueued_jobs) -> None:
    await check_health(worker)

    await ping_dead_man_switch(worker)

    assert HeartbeatKind.PING not in (await read_watch(worker)).ages
