"""Processes that start while Redis is away or refuses them, and children that lose their parent."""

import asyncio
import os
import signal
import socket

import httpx
import pytest

from ops.server_process import prawko
from support.processes import free_port
from support.waiting import poll

pytestmark = pytest.mark.anyio


@pytest.fixture
def variables(product_variables, logins, request) -> dict[str, str]:
    own = {"serve": logins.app, "console": logins.operator, "worker": logins.worker}
    return {
        **product_variables, "DATABASE_URL": own[request.param], "COMMAND": request.param,
        "PLANNER_DATABASE_URL": logins.planner if request.param == "worker" else "",
        "LOG_LEVEL": "INFO",
    }  # fmt: skip


@pytest.mark.parametrize("variables", ["serve", "console"], indirect=True)
def test_a_server_starts_and_stops_while_redis_is_away(variables, tmp_path) -> None:
    away = {**variables, "REDIS_URL": f"redis://127.0.0.1:{free_port()}"}
    server = prawko(variables["COMMAND"], away, tmp_path, port=free_port()).start()
    try:
        server.wait_until_ready()
    finally:
        assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


@pytest.mark.parametrize("variables", ["serve", "console"], indirect=True)
def test_the_servers_child_ends_with_its_parent_however_that_ends(variables, tmp_path) -> None:
    server = prawko(variables["COMMAND"], variables, tmp_path, port=free_port()).start()
    try:
        server.wait_until_ready()
        os.kill(server.pid, signal.SIGKILL)  # the parent alone

        def refuses() -> bool:
            with socket.socket() as client:
                address = httpx.URL(server.url)
                return client.connect_ex((address.host, address.port)) != 0

        poll(refuses, 15)
    finally:
        server.kill()


@pytest.mark.parametrize("variables", ["serve", "console", "worker"], indirect=True)
async def test_a_password_that_redis_refuses_is_a_sentence(variables, tmp_path) -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(4096):
            writer.write(b"-WRONGPASS invalid username-password pair\r\n")
        writer.close()

    redis = await asyncio.start_server(refuse, "127.0.0.1", 0)
    port = redis.sockets[0].getsockname()[1]
    refused = {**variables, "REDIS_URL": f"redis://:hunter2@127.0.0.1:{port}"}
    async with redis:
        process = prawko(variables["COMMAND"], refused, tmp_path).start()
        assert await asyncio.to_thread(process.wait) == 2
    await asyncio.sleep(0.1)  # until what is left of its connections is closed

    output = process.log.read_text()
    assert "prawko: REDIS_URL is refused by Redis: the password is wrong or missing\n" in output
    assert "Traceback" not in output
    assert "hunter2" not in output
