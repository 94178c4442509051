"""The faults of the daily check and of the site, on separate processes behind the proxy."""

import asyncio
import dataclasses
import time
from datetime import timedelta
from email.utils import format_datetime

import pytest
from redis.asyncio import Redis

from ops.load import under_load
from ops.pooler import requires_pgbouncer
from ops.proxy import requires_haproxy
from ops.topology import DRIVERS, LEASED, LICENCES, SENDING, VERIFIED, open_topology
from prawko.kit.clock import utc_now
from prawko_demo.register.documents import DictionaryEntry, RegisterDocument
from prawko_demo.register.faults import FaultKind, FaultPlan
from support.fleet import open_fleet
from support.waiting import wait_until

pytestmark = [pytest.mark.anyio, requires_haproxy]

IDLE_SECONDS = 2.0
RETRY_SECONDS = 600
# What stops all queries of both workers, and how the limiter that they share says so. A register
# that asks for a pause names its seconds or its end.
PAUSES = (
    (FaultKind.HTTP_401, "seconds", "account_error IS NOT NULL"),
    (FaultKind.HTTP_403, "seconds", "account_error IS NOT NULL"),
    (FaultKind.HTTP_429, "seconds", "paused_until > now() + interval '5 minutes'"),
    (FaultKind.HTTP_429, "date", "paused_until > now() + interval '5 minutes'"),
    (FaultKind.HTTP_503, "seconds", "breaker = 'open'"),
)
# One after the other for a few calls each.
FAULTS = [kind for kind in FaultKind if kind not in {kind for kind, _, _ in PAUSES}]
# What a worker is writing is left out: with it, either could be the victim of a deadlock.
DUE_NOW = """
    UPDATE check_item i SET next_try_at = now() - interval '1 s'
      FROM (SELECT day, driver_id FROM check_item WHERE state = 'due'
               FOR UPDATE SKIP LOCKED) AS due
     WHERE i.day = due.day AND i.driver_id = due.driver_id;
    UPDATE delivery SET next_try_at = now() - interval '1 s'
     WHERE id IN (SELECT id FROM delivery WHERE state = 'pending' FOR UPDATE SKIP LOCKED);
    DELETE FROM register_limiter; DELETE FROM provider_pause
"""
UNTRUE = """
    SELECT count(*) FROM driver WHERE status <> 'unknown'
       AND status <> CASE WHEN license_number LIKE '%9' THEN 'invalid' ELSE 'valid' END
"""
# Answered with the withheld licence of somebody else.
MIXED_UP = LICENCES[-2]
OTHER_DOCUMENT = RegisterDocument(
    "Jan", "Kowalski", state=DictionaryEntry("Zatrzymany", "DICT003_ZAT"), printed_serial="ZZ999999"
)
ANSWER_SECONDS = 15.0  # a statement waits for 35


async def test_a_killed_worker_and_servers_lost_in_one_run_lose_nothing(topology) -> None:
    for worker in topology.workers:
        worker.start()
    await topology.wait_for_count(VERIFIED, 20)
    topology.workers[0].kill()
    leased = await topology.fleet.fetch_value(LEASED)
    in_flight = await topology.fleet.fetch_value(SENDING)
    topology.workers[0].start()
    await topology.wait_for_count(VERIFIED, 50)
    redis = Redis.from_url(topology.servers.urls.redis_url)
    await redis.flushall()
    await redis.aclose()
    await topology.wait_for_count(VERIFIED, 80)
    await asyncio.to_thread(topology.servers.restart_redis)
    await topology.wait_for_count(VERIFIED, 110)
    await asyncio.to_thread(topology.servers.restart_postgres, immediate=True)
    async with open_fleet(topology.servers, topology.logins) as fleet:
        topology.fleet = fleet
        leased += await fleet.fetch_value(LEASED)
        in_flight += await fleet.fetch_value(SENDING)
        await asyncio.sleep(IDLE_SECONDS)
        await topology.expire_leases()

        await topology.wait_until_done()

        await topology.assert_complete(in_flight=in_flight)
        assert topology.simulator.document_store.call_count <= DRIVERS + leased


async def test_a_killed_panel_costs_no_page_and_a_killed_proxy_no_data(topology) -> None:
    for worker in topology.workers:
        worker.start()
    async with under_load(topology) as load:
        await asyncio.sleep(1)
        topology.panels[0].kill()
        await asyncio.sleep(2)
    failed = {key: count for key, count in load.failures.items() if key[0] != "/api/login"}
    assert not failed, load.results
    # What changes something is not sent twice, so a call that was in flight may fail.
    assert sum(load.failures.values()) <= 1

    topology.panels[0].start()
    topology.proxy.kill()
    topology.proxy.start()
    await topology.wait_until_proxied()
    async with under_load(topology) as load:
        await asyncio.sleep(1)
    assert not load.failures
    await topology.wait_until_done()
    await topology.assert_complete()


async def test_a_killed_console_leaves_the_panels_alone_and_comes_back(topology) -> None:
    topology.console.kill()
    async with under_load(topology) as load:
        await asyncio.sleep(2)
    assert {path for path, _ in load.failures} == {"/api/admin/session"}, load.results

    topology.console.start()
    await topology.wait_until_proxied()
    async with under_load(topology) as load:
        await asyncio.sleep(1)
    assert not load.failures, load.results


async def test_a_register_with_faults_a_carrier_that_is_away_and_edits_meanwhile(topology) -> None:
    """No wrong status is stored, no notice is sent twice, and manual checks work beside the run."""
    documents = topology.simulator.document_store
    documents.put(MIXED_UP, OTHER_DOCUMENT)
    topology.mail.data_reply = "451 4.3.0 try again later"
    for worker in topology.workers:
        worker.start()
    browser = await topology.sign_in()
    drivers = (await browser.get("/api/drivers")).json()
    edited, checked = [one for one in drivers if not one["licenseNumber"].endswith("9")][:2]
    for kind in FAULTS:
        topology.simulator.faults.plan = FaultPlan(kind=kind, times=3)
        await wait_until(lambda: topology.simulator.faults.plan.kind is None)
        assert await topology.fleet.fetch_value(UNTRUE) == 0, kind
        await topology.fleet.clear_rate_limiter()  # nothing waits for the probe of its breaker
    await topology.wait_for_count(VERIFIED, len(FAULTS))
    await wait_until(lambda: documents.calls[MIXED_UP])
    assert await topology.fleet.fetch_value(UNTRUE) == 0
    documents.delete(MIXED_UP)  # from now on it has the serial that is asked for
    names = {key: edited[key] for key in ("firstName", "lastName", "licenseNumber")}
    answer = await browser.put(f"/api/drivers/{edited['id']}", json={**names, "lastName": "Nowak"})
    assert answer.status_code == 200, answer.text
    answer = await browser.post(f"/api/drivers/{checked['id']}/verify")
    assert answer.status_code in {200, 503}, answer.text
    await browser.aclose()

    # No verification waits for the carrier; the reconciler of each minute starts what is due.
    async def are_verified() -> bool:
        await topology.fleet.admin.execute(DUE_NOW)
        await asyncio.sleep(1)
        rows = await topology.fleet.driver_rows()
        return all(row["status"] != "unknown" for row in rows.values())

    await wait_until(are_verified)
    assert not topology.count_sent_mails()
    topology.mail.data_reply = "250 2.0.0 Ok"
    topology.mail.envelopes.clear()  # refused, and therefore not delivered
    await topology.fleet.admin.execute(DUE_NOW)

    await topology.wait_until_done()

    await topology.assert_complete(twice={edited["licenseNumber"], checked["licenseNumber"]})


async def test_a_register_that_refuses_us_or_is_away_is_left_alone_by_both_workers(
    topology,
) -> None:
    for worker in topology.workers:
        worker.start()
    for number, (kind, named, is_paused) in enumerate(PAUSES, start=1):
        await topology.wait_for_count(VERIFIED, 20 * number)
        until = format_datetime(utc_now() + timedelta(seconds=RETRY_SECONDS), usegmt=True)
        retry_after = until if named == "date" else RETRY_SECONDS
        topology.simulator.faults.plan = FaultPlan(kind=kind, retry_after=retry_after)
        await topology.wait_for_count(
            f"SELECT count(*) FROM register_limiter WHERE lane = 'run' AND {is_paused}", 1
        )
        await asyncio.sleep(IDLE_SECONDS)  # for the queries that were on their way
        calls = topology.simulator.document_store.call_count
        await asyncio.sleep(IDLE_SECONDS)
        assert topology.simulator.document_store.call_count <= calls + 1, f"{kind}: a probe"
        assert await topology.fleet.fetch_value(UNTRUE) == 0, kind
        topology.simulator.faults.plan = FaultPlan(kind=None)
        await topology.fleet.admin.execute(DUE_NOW)

    await topology.wait_until_done()
    await topology.assert_complete()


@requires_pgbouncer
async def test_a_silent_postgresql_and_a_lost_pooler_cost_answers_and_no_data(
    servers, logins, topology_variables, tmp_path, start_pooler, database_proxy
) -> None:
    pooler = await start_pooler(
        pool_mode="session", default_pool_size=60, max_client_conn=400, server_lifetime=3600
    )
    through = dataclasses.replace(
        logins,
        **{
            name: pooler.through(getattr(logins, name))
            for name in ("app", "worker", "planner", "operator")
        },
    )
    variables = {**topology_variables, "DATABASE_URL": through.app}
    async with open_topology(servers, through, variables, tmp_path) as topology:
        for worker in topology.workers:
            worker.start()
        await topology.wait_for_count(VERIFIED, 20)
        browser = await topology.sign_in()

        database_proxy.fall_silent()
        started = time.monotonic()
        async with topology.proxy.open_client() as visitor:
            assert (await visitor.get("/health/ready")).status_code == 503
        assert time.monotonic() - started < ANSWER_SECONDS
        await asyncio.sleep(IDLE_SECONDS)
        database_proxy.talk()
        await topology.wait_until_proxied()
        await topology.wait_for_count(VERIFIED, 60)

        pooler.kill()
        started = time.monotonic()
        assert (await browser.get("/api/drivers")).status_code == 503
        assert time.monotonic() - started < ANSWER_SECONDS
        pooler.start()
        await topology.wait_until_proxied()
        async with under_load(topology) as load:
            await asyncio.sleep(1)
        assert not load.failures, load.results
        await browser.aclose()
        await topology.expire_leases()
        await topology.wait_until_done()
        await topology.assert_complete(in_flight=len(LICENCES))
