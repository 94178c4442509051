"""Processes that are stopped in the middle of a request, or while PostgreSQL is silent."""

import asyncio
import time
from urllib.parse import urlsplit, urlunsplit

import pytest

from ops.server_process import prawko
from support.processes import free_port
from support.waiting import wait_until

pytestmark = pytest.mark.anyio

STOP_SECONDS = 30.0  # as operations.md promises; supervisors wait longer
REQUEST_SECONDS = 15.0  # of a manual check, while the register is silent
LOGIN = b'{"email": "anna@acme.test", "password": "Wrong-guess-1"}'
LOGIN_HEAD = (
    b"POST /api/login HTTP/1.1\r\nHost: prawko.test\r\nConnection: close\r\n"
    b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(LOGIN)
)


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


async def test_a_panel_finishes_the_longest_request_that_it_has_begun(
    product_variables, tmp_path
) -> None:
    port = free_port()
    panel = prawko("serve", product_variables, tmp_path, port=port).start()
    await asyncio.to_thread(panel.wait_until_ready)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(LOGIN_HEAD + LOGIN[:10])
    await asyncio.sleep(1)

    stopping = asyncio.create_task(asyncio.to_thread(panel.stop))
    await asyncio.sleep(REQUEST_SECONDS)
    writer.write(LOGIN[10:])
    answer = await reader.read()

    assert answer.startswith(b"HTTP/1.1 401 "), answer
    assert await stopping == 0
    writer.close()
