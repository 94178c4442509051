"""Processes that are stopped while PostgreSQL has fallen silent."""

import asyncio
import time
from urllib.parse import urlsplit, urlunsplit

import pytest

from ops.server_process import prawko
from support.waiting import wait_until

pytestmark = pytest.mark.anyio

STOP_SECONDS = 30.0  # as operations.md promises; supervisors wait longer


async def test_a_worker_ends_in_time_although_postgresql_is_silent(
    database_proxy, product_variables, logins, tmp_path
) -> None:
    def lead_through_proxy(url: str) -> str:
        parts, port = urlsplit(url), urlsplit(database_proxy.url).port
        address = f"{parts.netloc.rpartition('@')[0]}@127.0.0.1:{port}"
        return urlunsplit(("postgresql", address, parts.path, "", ""))

    variables = {
        **product_variables, "DATABASE_URL": lead_through_proxy(logins.worker),
        "PLANNER_DATABASE_URL": lead_through_proxy(logins.planner), "LOG_LEVEL": "INFO",
    }  # fmt: skip
    worker = prawko("worker", variables, tmp_path).start()
    await wait_until(lambda: "worker_started" in worker.log.read_text())
    await asyncio.sleep(2)  # its jobs have begun
    database_proxy.fall_silent()
    began = time.monotonic()

    code = await asyncio.to_thread(worker.stop)

    assert code == 0
    assert time.monotonic() - began < STOP_SECONDS
    assert "worker_stopped" in worker.log.read_text()
    database_proxy.talk()
