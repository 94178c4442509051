"""The requests that the proxy lets through, and those that it cuts."""

import asyncio
import socket
import ssl
import subprocess
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path

import httpx
import pytest
import yaml

from ops.name_server import NameServer
from ops.proxy import CONFIGURATION, Proxy, requires_haproxy
from ops.topology import PROXY_SECONDS
from support.database import fetch_rows
from support.processes import free_port
from support.waiting import wait_until

pytestmark = [pytest.mark.anyio, requires_haproxy]

CONNECTIONS = 20
READERS = 5
CUT_SECONDS = 20.0  # timeout http-request is 10, and the machine may be busy
FORGED = {
    "X-Forwarded-For": "203.0.113.7",
    "X-Real-IP": "203.0.113.7",
    "Forwarded": "for=203.0.113.7",
    "X-Forwarded-Host": "evil.test",
    "X-Request-Id": "forged",
}


def connect(
    proxy: Proxy, stack: ExitStack, data: bytes = b"", alpn: Sequence[str] = ("http/1.1",)
) -> ssl.SSLSocket:
    """Open a TLS connection and send some bytes."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(alpn)
    url = httpx.URL(proxy.url)
    plain = stack.enter_context(socket.create_connection((url.host, url.port), timeout=5))
    secure = stack.enter_context(context.wrap_socket(plain, server_hostname="prawko.test"))
    secure.sendall(data)
    return secure


def read_all(client: socket.socket, seconds: float) -> bytes:
    """Read until the other side closes. Fails after `seconds`."""
    deadline, received = time.monotonic() + seconds, b""
    while True:
        client.settimeout(max(0.01, deadline - time.monotonic()))
        try:
            data = client.recv(4096)
        except ConnectionError:
            return received
        if not data:
            return received
        received += data


async def test_the_facts_of_the_site(topology) -> None:
    """Several in one test: starting the processes takes most of its time."""
    proxy = topology.proxy
    async with proxy.open_client() as visitor:
        await assert_paths_go_to_their_process(visitor)
        await assert_forged_headers_change_nothing(topology, visitor)
        await assert_assets_are_kept(topology, visitor)
        await assert_plain_requests_are_redirected(proxy, visitor)
    with ExitStack() as stack:
        assert connect(proxy, stack, alpn=("h2", "http/1.1")).selected_alpn_protocol() == "h2"


async def assert_plain_requests_are_redirected(proxy: Proxy, visitor: httpx.AsyncClient) -> None:
    answer = await visitor.get(f"{proxy.plain_url}/polityka?a=1")
    assert answer.status_code == 308
    assert answer.headers["Location"].startswith("https://")


async def assert_paths_go_to_their_process(visitor: httpx.AsyncClient) -> None:
    # The console answers strangers with its own refusals, the panel with the way to the login.
    assert (await visitor.get("/api/admin/check-runs/today")).status_code == 401
    page = await visitor.get("/admin")
    assert page.status_code in {302, 303, 307}, page.text
    assert (await visitor.get("/")).text == "<title>index.html</title>"
    assert (await visitor.get("/health/live")).json() == {"ok": True}


async def assert_forged_headers_change_nothing(topology, visitor: httpx.AsyncClient) -> None:
    answer = await visitor.post(
        "/api/login",
        json={"email": topology.owner_email, "password": "Sezamie0twórz!"},
        headers=FORGED,
    )
    assert answer.status_code == 401
    assert answer.headers["X-Request-Id"] not in {"", "forged"}
    assert "evil.test" not in answer.text
    rows = await fetch_rows(
        topology.logins, "SELECT ip FROM user_activity WHERE activity_type = 'sign_in_failed'"
    )
    assert [str(row["ip"]) for row in rows] == ["127.0.0.1"]


async def assert_assets_are_kept(topology, visitor: httpx.AsyncClient) -> None:
    headers = {"Accept-Encoding": "br"}
    answer = await visitor.send(
        visitor.build_request("GET", "/assets/app.js", headers=headers), stream=True
    )
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["Content-Encoding"] == "br"
    assert b"".join([part async for part in answer.aiter_raw()]) == b"as the build compressed it"
    for panel in topology.panels:
        await asyncio.to_thread(panel.stop)
    kept = await visitor.send(
        visitor.build_request("GET", "/assets/app.js", headers=headers), stream=True
    )
    assert kept.status_code == 200
    await kept.aclose()


@pytest.fixture
def proxy(tmp_path):
    """The proxy alone, with nothing behind it."""
    proxy = Proxy(
        tmp_path, PROXY_DNS="127.0.0.1:9", PROXY_CONNECTIONS_PER_ADDRESS=str(CONNECTIONS),
        PROXY_REQUESTS_PER_ADDRESS="30", PROXY_CONSOLE_NETWORKS="10.0.0.0/8 192.0.2.0/24",
    ).start()  # fmt: skip
    proxy.wait_until_listening()
    yield proxy
    proxy.kill()


async def test_slow_headers_and_bodies_and_silence_are_cut(proxy) -> None:
    head = b"POST /api/login HTTP/1.1\r\nHost: prawko.test\r\n"
    with ExitStack() as stack:
        header = connect(proxy, stack, head)
        body = connect(proxy, stack, head + b"Content-Length: 100\r\n\r\n{")
        silent = connect(proxy, stack)
        answers = await asyncio.gather(*(
            asyncio.to_thread(read_all, client, CUT_SECONDS) for client in (header, body, silent)
        ))  # fmt: skip
    assert [answer.split(b"\r\n")[0][:12] for answer in answers[:2]] == [b"HTTP/1.1 408"] * 2
    assert answers[2] == b"" or answers[2].startswith(b"HTTP/1.1 408")


async def test_an_address_has_so_many_connections_and_requests(proxy) -> None:
    with ExitStack() as stack:
        url = httpx.URL(proxy.url)
        held, refused = [], 0
        for _ in range(CONNECTIONS + 5):
            try:
                held.append(
                    stack.enter_context(socket.create_connection((url.host, url.port), timeout=5))
                )
            except ConnectionResetError:  # cut before the call returned
                refused += 1
        await wait_until(lambda: refused + sum(map(is_cut, held)) >= 5)
        assert refused + sum(map(is_cut, held)) == 5
    async with proxy.open_client() as visitor:

        async def is_let_in() -> bool:  # once the proxy has noticed that the others ended
            try:
                return (await visitor.get("/")).is_server_error
            except httpx.TransportError:
                return False

        await wait_until(is_let_in)
        statuses = [(await visitor.get("/")).status_code for _ in range(60)]
        assert set(statuses) == {503, 429}
        assert (await visitor.get("/admin")).status_code == 429


async def test_a_name_that_resolves_before_its_process_listens_costs_no_request(tmp_path) -> None:
    """As a container engine has it: the addresses of new containers are known at once."""
    port, hosts = free_port(), [f"127.0.0.{number}" for number in range(2, 10)]
    path = "/api/login"
    async with (
        await asyncio.start_server(answer_ready, hosts[0], port),
        open_visitor(tmp_path, "panel", hosts[0], port, path) as (visitor, names),
    ):
        names.names = {"panel.test": set(hosts)}
        statuses = await asyncio.gather(*(
            count_statuses(visitor, verb, path) for verb in ("GET", "POST") * READERS
        ))  # fmt: skip
    total = sum(statuses, Counter())
    assert total.keys() == {200}, total
    assert total.total() > 20 * READERS


async def test_a_console_that_is_away_for_a_moment_costs_no_request(tmp_path) -> None:
    """There may be one console: a refused connection does not leave it out."""
    port, host, path = free_port(), "127.0.0.2", "/api/admin/users"
    console = await asyncio.start_server(answer_ready, host, port)
    async with open_visitor(tmp_path, "console", host, port, path) as (visitor, _):
        counts = asyncio.gather(*(count_statuses(visitor, "GET", path) for _ in range(READERS)))
        await asyncio.sleep(1)
        console.close()
        await console.wait_closed()
        await asyncio.sleep(0.2)
        async with await asyncio.start_server(answer_ready, host, port):
            total = sum(await counts, Counter())
    assert total.keys() == {200}, total


@asynccontextmanager
async def open_visitor(
    folder: Path, service: str, host: str, port: int, path: str
) -> AsyncIterator[tuple[httpx.AsyncClient, NameServer]]:
    """Open a browser before a proxy that has found the server of a service."""
    name = f"{service}.test"
    async with NameServer() as names:
        names.names = {name: {host}}
        proxy = Proxy(
            folder, PROXY_DNS=names.address, PROXY_REQUESTS_PER_ADDRESS="100000",
            **{f"PROXY_{service.upper()}": f"{name}:{port}"},
        ).start()  # fmt: skip
        try:
            proxy.wait_until_listening()
            async with proxy.open_client() as visitor:

                async def is_found() -> bool:
                    return (await visitor.get(path)).status_code == 200

                await wait_until(is_found)
                yield visitor, names
        finally:
            proxy.kill()


def test_the_health_check_of_the_container_asks_the_proxy(proxy) -> None:
    compose = yaml.safe_load((CONFIGURATION.parents[2] / "compose.yaml").read_text())
    command = compose["services"]["proxy"]["healthcheck"]["test"]
    assert command[:3] == ["CMD", "bash", "-c"]
    port = str(httpx.URL(proxy.plain_url).port)
    check = ["bash", "-c", command[3].replace("8080", port)]

    assert subprocess.run(check, check=False, timeout=5).returncode == 0
    proxy.kill()
    assert subprocess.run(check, check=False, timeout=5, stderr=subprocess.DEVNULL).returncode == 1


async def answer_ready(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
    writer.close()


async def count_statuses(visitor: httpx.AsyncClient, verb: str, path: str) -> Counter[int]:
    statuses: Counter[int] = Counter()
    deadline = time.monotonic() + PROXY_SECONDS + 1
    while time.monotonic() < deadline:
        statuses[(await visitor.request(verb, path)).status_code] += 1
    return statuses


async def test_the_console_is_open_to_its_networks_alone(proxy) -> None:
    async with proxy.open_client() as visitor:
        statuses = {
            path: (await visitor.get(path)).status_code
            for path in ("/admin", "/admin/", "/api/admin/users", "/administracja", "/")
        }
    assert statuses == {
        "/admin": 403, "/admin/": 403, "/api/admin/users": 403, "/administracja": 503, "/": 503,
    }  # fmt: skip


def is_cut(client: socket.socket) -> bool:
    client.settimeout(0.01)
    try:
        return client.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True
