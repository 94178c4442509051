"""Worker processes for the tests of this folder."""

import pytest
from redis.asyncio import Redis

from faults.worker_processes import LICENCES, REGISTER_RATE, WorkerProcesses
from prawko.kit.clock import utc_now
from prawko_demo.register import run_register_simulator
from support.fleet import open_fleet


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
