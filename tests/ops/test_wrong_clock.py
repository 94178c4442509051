"""Processes on a machine whose clock is wrong: they do not start, or serve and check nobody."""

import asyncio
from datetime import timedelta

import httpx
import pytest

from faults.check_worker import write_shift
from ops.load import under_load
from ops.proxy import requires_haproxy
from ops.server_process import SHIFTED_PROGRAM, ServerProcess
from ops.topology import DRIVERS, VERIFIED, open_topology
from support.processes import free_port
from support.waiting import poll
from support.wrong_clock import DAMAGE, INCIDENT, expose_to_wrong_clock

SHIFTS = {
    "400-days-ahead": timedelta(days=400),
    "2-hours-behind": -timedelta(hours=2),
    "15-seconds-ahead": timedelta(seconds=15),
}
SEEN_SECONDS = 15.0
IN_FLIGHT_SECONDS = 3.0  # of a batch


@pytest.fixture(params=["serve", "console"])
def server(request, logins, product_variables, tmp_path):
    port, login = free_port(), {"serve": logins.app, "console": logins.operator}[request.param]
    variables = {
        **product_variables, "DATABASE_URL": login, "PORT": str(port), "LOG_LEVEL": "INFO",
        "CLOCK_SHIFT": str(tmp_path / "shift"),
    }  # fmt: skip
    process = ServerProcess(
        [*SHIFTED_PROGRAM, request.param],
        variables, tmp_path / "log", f"http://127.0.0.1:{port}",
    )  # fmt: skip
    yield process
    process.kill()


def status(server: ServerProcess, path: str) -> int:
    return httpx.get(f"{server.url}{path}", trust_env=False, timeout=5).status_code


@pytest.mark.parametrize("shift", SHIFTS.values(), ids=SHIFTS)
def test_a_server_does_not_start_with_a_wrong_clock(server, tmp_path, shift) -> None:
    (tmp_path / "shift").write_text(str(shift.total_seconds()))

    assert server.start().wait() == 2

    output = server.log.read_text()
    side = "ahead of" if shift > timedelta(0) else "behind"
    assert f"prawko: this machine's clock is {abs(shift)} {side} PostgreSQL's" in output
    assert "Traceback" not in output


def test_a_server_whose_clock_jumps_refuses_requests_until_the_clock_is_right(
    server, tmp_path
) -> None:
    server.start().wait_until_ready()
    (tmp_path / "shift").write_text("7200")

    assert status(server, "/health/ready") == 503
    assert status(server, "/health/live") == 200
    poll(lambda: "2:00:00 ahead of PostgreSQL's" in server.log.read_text(), SEEN_SECONDS)

    (tmp_path / "shift").unlink()
    server.wait_until_ready()
    poll(lambda: "clock_agrees" in server.log.read_text(), SEEN_SECONDS)
    assert server.stop() == 0


@requires_haproxy
@pytest.mark.anyio
async def test_machines_whose_clocks_jump_cost_no_company_anything(
    servers, logins, topology_variables, tmp_path
) -> None:
    """The first goes 400 days ahead, the second two hours behind, and both come back."""
    async with open_topology(
        servers, logins, topology_variables, tmp_path, register_rate=10, has_movable_clocks=True
    ) as topology:
        await expose_to_wrong_clock(topology.fleet)
        for worker in topology.workers:
            worker.start()
        await topology.wait_for_count(VERIFIED, 20)
        write_shift(topology.clock_shifts[0], SHIFTS["400-days-ahead"])
        await topology.wait_for_count(INCIDENT, 1, SEEN_SECONDS)
        await topology.wait_until_unready_are_left_out()
        async with under_load(topology) as load:
            await asyncio.sleep(1)
        assert not load.failures, load.results
        both = await topology.fleet.fetch_value(VERIFIED)
        await topology.wait_for_count(VERIFIED, both + 1)

        write_shift(topology.clock_shifts[1], SHIFTS["2-hours-behind"])
        await topology.wait_for_count(INCIDENT, 2, SEEN_SECONDS)
        async with topology.proxy.open_client() as visitor:
            assert (await visitor.get("/api/drivers")).status_code == 503
        await asyncio.sleep(IN_FLIGHT_SECONDS)
        stopped_at = await topology.fleet.fetch_value(VERIFIED)
        await asyncio.sleep(IN_FLIGHT_SECONDS)
        assert await topology.fleet.fetch_value(VERIFIED) == stopped_at < DRIVERS
        assert await topology.fleet.fetch_value(DAMAGE) == 0

        for shift in topology.clock_shifts:
            write_shift(shift, timedelta(0))
        await topology.wait_for_count(VERIFIED, stopped_at + 1, SEEN_SECONDS)
        await topology.wait_for_count(f"{INCIDENT} AND closed_at > opened_at", 2, SEEN_SECONDS)
        await topology.wait_until_unready_are_left_out()
        async with under_load(topology) as load:
            await asyncio.sleep(1)
        assert not load.failures, load.results
        await topology.wait_until_done()
        await topology.assert_complete()
        assert await topology.fleet.fetch_value(DAMAGE) == 0
