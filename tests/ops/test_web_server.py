"""The web server alone, against clients that are silent, slow or many."""

import resource
import socket
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest

from ops.server_process import prawko
from prawko.kit.http.server import HEADER_SECONDS
from support.processes import free_port

pytestmark = pytest.mark.anyio

SILENT_CONNECTIONS = 1500  # of one client; 1,024 stopped the panel once
HELD_BODIES = 100
WRONG_LOGIN = {"email": "anna@acme.test", "password": "Wrong-guess-1"}
LARGE_BODIES, LARGE_BYTES = 600, 250_000  # 150 MB
MAX_GROWTH_MB = 110  # of which 16 are the bodies that the process keeps; the rest are buffers
ANSWER_SECONDS = 2.0  # or ten times what it takes without the others


@pytest.fixture
def panel(product_variables, tmp_path):
    port = free_port()
    process = prawko("serve", product_variables, tmp_path, port=port).start()
    try:
        yield process.wait_until_ready()
    finally:
        assert process.stop() == 0


@pytest.fixture
def many_files():
    """Room for as many sockets as the machine allows this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2 * SILENT_CONNECTIONS:
        pytest.skip(f"this machine allows a process {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def connect(url: str, stack: ExitStack, data: bytes = b"") -> socket.socket:
    parts = httpx.URL(url)
    client = stack.enter_context(socket.create_connection((parts.host, parts.port), timeout=5))
    client.sendall(data)
    return client


def get_seconds(url: str) -> float:
    started = time.monotonic()
    with httpx.Client(trust_env=False, timeout=60) as client:
        assert client.get(url).status_code == 200
    return time.monotonic() - started


def is_closed(client: socket.socket) -> bool:
    """Whether the server has closed the connection; it may have said why first."""
    client.settimeout(0.01)
    try:
        while client.recv(4096):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    return True


def test_silent_connections_of_one_client_leave_room_and_are_closed(panel, many_files) -> None:
    idle = get_seconds(f"{panel.url}/health/ready")
    with ExitStack() as stack:
        started = time.monotonic()
        silent = [connect(panel.url, stack) for _ in range(SILENT_CONNECTIONS - 200)]
        silent += [
            connect(panel.url, stack, b"GET / HTTP/1.1\r\nHost: prawko.test\r\nX-")
            for _ in range(200)
        ]

        assert get_seconds(f"{panel.url}/health/ready") < max(ANSWER_SECONDS, 10 * idle)

        time.sleep(max(0.0, started + HEADER_SECONDS - 2 - time.monotonic()))
        assert not is_closed(silent[0])
        deadline = time.monotonic() + 30
        while open_connections := [client for client in silent if not is_closed(client)]:
            assert time.monotonic() < deadline, len(open_connections)
            silent = open_connections


def test_held_bodies_keep_no_connection_to_the_database(panel) -> None:
    head = (
        b"POST /api/login HTTP/1.1\r\nHost: prawko.test\r\nContent-Type: application/json\r\n"
        b"Content-Length: 100\r\n\r\n{"
    )
    idle = get_seconds(f"{panel.url}/health/ready")
    with ExitStack() as stack:
        held = [connect(panel.url, stack, head) for _ in range(HELD_BODIES)]
        time.sleep(0.5)

        # The readiness probe needs a connection of each pool.
        assert get_seconds(f"{panel.url}/health/ready") < max(ANSWER_SECONDS, 10 * idle)
        assert not any(is_closed(client) for client in held)


def resident_mb(pid: int) -> int:
    """Return the memory of a process and its children."""
    pids = [pid]
    for task in Path(f"/proc/{pid}/task").iterdir():
        pids += [int(child) for child in (task / "children").read_text().split()]
    pages = sum(int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in pids)
    return pages * resource.getpagesize() // 1_000_000


def test_held_bodies_of_one_client_do_not_fill_the_memory(panel, many_files) -> None:
    head = (
        b"POST /api/login HTTP/1.1\r\nHost: prawko.test\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n" % (LARGE_BYTES + 1)
    )
    before = resident_mb(panel.pid)
    with ExitStack() as stack:
        for _ in range(LARGE_BODIES):
            # Those beyond the client's share are refused while they are sent.
            with suppress(ConnectionError):
                connect(panel.url, stack, head + b" " * LARGE_BYTES)
        time.sleep(1)

        assert resident_mb(panel.pid) - before < MAX_GROWTH_MB
        with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.9")) as other:
            answer = other.post(f"{panel.url}/api/login", json=WRONG_LOGIN, timeout=10)
        assert answer.status_code == 401


def exchange(url: str, request: bytes) -> bytes:
    """Send bytes and return what comes back until the server is silent."""
    with ExitStack() as stack:
        client = connect(url, stack, request)
        client.settimeout(1)
        received = b""
        try:
            while part := client.recv(4096):
                received += part
        except (TimeoutError, ConnectionError):
            pass
    return received


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00",
        (
            b"GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\n"
            b"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"
        ),
    ],
    ids=["preface", "upgrade"],
)
def test_http_2_in_clear_text_is_not_spoken(panel, request_bytes) -> None:
    answer = exchange(panel.url, request_bytes)

    assert b"101 Switching" not in answer
    assert not answer or answer.startswith(b"HTTP/1.1 ")


def test_two_hosts_and_merged_slashes_are_refused(panel) -> None:
    two_hosts = exchange(panel.url, b"GET /health/live HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
    merged = exchange(panel.url, b"GET //health/live HTTP/1.1\r\nHost: a\r\n\r\n")

    assert two_hosts.startswith(b"HTTP/1.1 400 ")
    assert merged.startswith(b"HTTP/1.1 404 ")


def test_bodies_that_clients_cut_off_leave_no_error_in_the_log(panel) -> None:
    head = (
        b"POST /api/login HTTP/1.1\r\nHost: prawko.test\r\nContent-Type: application/json\r\n"
        b"Content-Length: 100\r\n\r\n{"
    )
    idle = get_seconds(f"{panel.url}/health/ready")
    for _ in range(20):
        with ExitStack() as stack:
            connect(panel.url, stack, head)
    time.sleep(0.5)

    assert get_seconds(f"{panel.url}/health/ready") < max(ANSWER_SECONDS, 10 * idle)
    log = panel.log.read_text()
    assert "request_failed" not in log
    assert '"level": "error"' not in log.lower()
