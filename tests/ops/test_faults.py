"""The faults of the daily check and of the site, on separate processes behind the proxy."""

import asyncio
import dataclasses
import time

import pytest
from redis.asyncio import Redis

from ops.load import under_load
from ops.pooler import requires_pgbouncer
from ops.proxy import requires_haproxy
from ops.topology import DRIVERS, LEASED, LICENCES, SENDING, VERIFIED, open_topology
from prawko_demo.register.faults import FaultKind, FaultPlan
from support.fleet import open_fleet
from support.payments import post_webhook
from support.servers.stripe import SECRET_KEY, WEBHOOK_SECRET, event_webhook, signed_webhook
from support.servers.stripe_account import SESSION

pytestmark = [pytest.mark.anyio, requires_haproxy]

IDLE_SECONDS = 2.0
# What stops all queries of both workers, and how the limiter that they share says so.
PAUSES = {
    FaultKind.HTTP_401: "account_error IS NOT NULL",
    FaultKind.HTTP_403: "account_error IS NOT NULL",
    FaultKind.HTTP_429: "paused_until > now()",
    FaultKind.HTTP_503: "breaker = 'open'",
}
# One after the other for a few calls each.
FAULTS = [
    FaultKind.HTTP_500, FaultKind.RESET, FaultKind.HTML, FaultKind.NULL, FaultKind.CUT,
    FaultKind.WRONG_TYPES, FaultKind.REDIRECT, FaultKind.BAD_GZIP, FaultKind.XML_BOMB,
]  # fmt: skip
DUE_NOW = """
    UPDATE check_item SET next_try_at = now() - interval '1 s' WHERE state = 'due';
    UPDATE delivery SET next_try_at = now() - interval '1 s' WHERE state = 'pending';
    DELETE FROM register_limiter; DELETE FROM provider_pause
"""
UNTRUE = """
    SELECT count(*) FROM driver WHERE status <> 'unknown'
       AND status <> CASE WHEN license_number LIKE '%9' THEN 'invalid' ELSE 'valid' END
"""
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


async def test_a_killed_panel_costs_nobody_a_page_and_a_killed_proxy_no_data(topology) -> None:
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
    """Nothing untrue is stored, nobody is told twice, and a person's check goes beside the run."""
    topology.mail.data_reply = "451 4.3.0 try again later"
    for worker in topology.workers:
        worker.start()
    browser = await topology.sign_in()
    drivers = (await browser.get("/api/drivers")).json()
    edited, checked = [one for one in drivers if not one["licenseNumber"].endswith("9")][:2]
    for number, kind in enumerate(FAULTS):
        topology.simulator.faults.plan = FaultPlan(kind=kind, times=4)
        await topology.wait_for_count(VERIFIED, 10 + 10 * number)
        assert await topology.fleet.fetch_value(UNTRUE) == 0, kind
    topology.simulator.faults.plan = FaultPlan(kind=None)
    names = {key: edited[key] for key in ("firstName", "lastName", "licenseNumber")}
    answer = await browser.put(f"/api/drivers/{edited['id']}", json={**names, "lastName": "Nowak"})
    assert answer.status_code == 200, answer.text
    answer = await browser.post(f"/api/drivers/{checked['id']}/verify")
    assert answer.status_code in {200, 503}, answer.text
    await browser.aclose()

    # No verification waits for the carrier.
    deadline = time.monotonic() + 60
    rows = await topology.fleet.driver_rows()
    while any(row["status"] == "unknown" for row in rows.values()):
        assert time.monotonic() < deadline
        await topology.fleet.admin.execute(DUE_NOW)
        await asyncio.sleep(1)
        rows = await topology.fleet.driver_rows()
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
    for number, (kind, is_paused) in enumerate(PAUSES.items(), start=1):
        await topology.wait_for_count(VERIFIED, 20 * number)
        topology.simulator.faults.plan = FaultPlan(kind=kind, retry_after=600)
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


async def test_a_webhook_sent_to_both_panels_at_once_and_again_is_one_event(
    servers, logins, topology_variables, tmp_path
) -> None:
    variables = {
        **topology_variables,
        "PAYMENT_PROVIDERS": "stripe", "PAYMENTS_STRIPE_SECRET_KEY": SECRET_KEY,
        "PAYMENTS_STRIPE_WEBHOOK_SECRET": WEBHOOK_SECRET,
        "PAYMENTS_STRIPE_URL": "http://127.0.0.1:9",
    }  # fmt: skip
    webhook = event_webhook("checkout.session.completed", SESSION)
    forged = signed_webhook(webhook.body, secret="whsec_of_a_stranger")
    async with open_topology(servers, logins, variables, tmp_path) as topology:
        async with topology.proxy.open_client() as site:
            sent = [post_webhook(site, "stripe", webhook) for _ in range(10)]
            assert await asyncio.gather(*sent) == [200] * 10
            assert await post_webhook(site, "stripe", forged) in {400, 401}
        assert await topology.fleet.fetch_value("SELECT count(*) FROM webhook_event") == 1


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
