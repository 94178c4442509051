"""The HTTP client: one call, bounded in time and size, without redirects and retries."""

import asyncio
import gzip
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest
from aiohttp import ClientOSError, web
from yarl import URL

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.http_client import (
    HttpClient,
    HttpError,
    HttpResponse,
    InvalidResponseError,
    UntrustedServerError,
    _translate_error,
    error_for_status,
    parse_retry_after,
)
from prawko.hooks.urls import parse_secure_url
from prawko_demo.register.certificates import write_certificates
from support.servers.carriers import FakeServer
from support.servers.raw import serve_bytes

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 11, 21, 5, 0, tzinfo=UTC)


class RecordingServer(FakeServer):
    """Accepts every request and records it."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[tuple[str, str, bytes]] = []

    async def handle_request(self, request: web.Request) -> web.Response:
        self.requests.append((request.method, request.path, await request.read()))
        return web.Response(text="taken", headers={"X-Id": "7", "Set-Cookie": "a=b"})


@pytest.fixture
async def server() -> AsyncIterator[RecordingServer]:
    recording = RecordingServer()
    async with recording.serve():
        yield recording


@pytest.fixture
async def client() -> AsyncIterator[HttpClient]:
    http_client = HttpClient(deadline=10, headers={"Authorization": "Bearer key"})
    yield http_client
    await http_client.close()


async def post_body(client: HttpClient, url: str) -> HttpResponse:
    return await client.request("POST", URL(url), b"body", media_type="text/x-test")


async def test_a_response_is_returned_complete(server, client) -> None:
    response = await post_body(client, f"{server.url}/path")

    assert server.requests == [("POST", "/path", b"body")]
    assert (response.status, response.body, response.headers["x-id"]) == (200, b"taken", "7")
    assert response.media_type == "text/plain"
    assert error_for_status(response) is None


async def test_the_body_of_an_unaccepted_status_is_not_read(server, client) -> None:
    response = await client.request("GET", URL(server.url), accepted_statuses=(404,))

    assert (response.status, response.body) == (200, b"")


async def test_a_redirect_is_not_followed(server, client) -> None:
    server.respond_with(307, "", Location=f"{server.url}/elsewhere")

    response = await post_body(client, f"{server.url}/path")

    assert server.calls == 1
    assert isinstance(error_for_status(response), HttpError)


async def test_a_post_whose_connection_broke_is_not_repeated(server, client) -> None:
    await post_body(client, f"{server.url}/path")  # the next request reuses a pooled connection
    server.drops_responses = True

    with pytest.raises(HttpError, match="connection failed"):
        await post_body(client, f"{server.url}/path")
    assert server.calls == 2


@pytest.mark.parametrize("method", ["GET", "PUT"])
async def test_an_idempotent_request_whose_connection_broke_is_not_repeated_either(
    server, client, method
) -> None:
    url = URL(f"{server.url}/path")
    await client.request(method, url)
    server.drops_responses = True

    with pytest.raises(HttpError, match="connection failed"):
        await client.request(method, url)
    assert [request[0] for request in server.requests] == [method, method]


async def test_a_call_ends_at_its_deadline(server) -> None:
    server.hangs = True
    client = HttpClient(deadline=0.7)

    async with asyncio.timeout(6):
        with pytest.raises(HttpError, match=r"no response within 0\.7 s"):
            await post_body(client, f"{server.url}/path")
    await client.close()


async def test_our_key_is_not_sent_to_an_untrusted_server(tmp_path, client) -> None:
    impostor = RecordingServer()
    async with impostor.serve(write_certificates(tmp_path).server_context):
        with pytest.raises(UntrustedServerError, match="certificate"):
            await post_body(client, impostor.url.replace("http:", "https:"))
    assert impostor.requests == []
    assert issubclass(UntrustedServerError, ProviderAccountError), "operators are notified"


async def test_a_server_without_tls_is_a_temporary_error(server, client) -> None:
    with pytest.raises(HttpError):
        await post_body(client, server.url.replace("http:", "https:"))
    assert server.requests == []


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (200, None),
        (202, None),
        (302, HttpError),
        (400, None),
        (401, ProviderAccountError),
        (402, ProviderAccountError),
        (403, ProviderAccountError),
        (404, None),
        (407, ProviderAccountError),
        (429, HttpError),
        (500, HttpError),
        (503, HttpError),
    ],
)
def test_a_status_means_the_same_at_every_provider(status, expected) -> None:
    error = error_for_status(HttpResponse(status, {"retry-after": "7"}, b"words"))

    if expected is None:
        assert error is None
    else:
        assert type(error) is expected
        assert str(error) == f"the server answered {status} words"
    if isinstance(error, HttpError):
        assert error.retry_after == 7.0


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://api.sendgrid.com", True), ("http://127.0.0.1:1", True),
        ("http://localhost:1", True), ("http://api.sendgrid.com", False),
        ("http://127.0.0.1.example.com", False), ("ftp://127.0.0.1", False),
        ("https:///path", False), ("", False), ("/v3", False),
    ],
)  # fmt: skip
def test_secrets_are_sent_by_https_or_within_this_machine(url, safe) -> None:
    assert (parse_secure_url(url) is not None) is safe


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("30", 30.0),
        (" 0 ", 0.0),
        ("Sat, 21 Nov 2026 05:01:30 GMT", 90.0),
        ("Sat, 21 Nov 2026 06:01:30 +0100", 90.0),
        ("Sat, 21 Nov 2026 05:01:30 -0000", 90.0),
        ("Sat, 21 Nov 2026 04:00:00 GMT", 0.0),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("٣٠", None),
        ("9" * 400, None),
        (f"Sat, 21 Nov {'9' * 20} 05:01:30 GMT", None),
    ],
)
def test_a_retry_after_header_is_seconds_or_a_date(header, seconds) -> None:
    assert parse_retry_after(header, now=NOW) == seconds


@asynccontextmanager
async def client_receiving(response: bytes) -> AsyncIterator[tuple[HttpClient, URL]]:
    """A client, and the URL of a server that sends these bytes to each connection."""
    http_client = HttpClient(deadline=10, max_response_bytes=1024)
    async with serve_bytes(response) as url:
        yield http_client, URL(url)
    await http_client.close()


def http_response(body: bytes, *headers: str) -> bytes:
    lines = ["HTTP/1.1 200 OK", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


GZIP = "Content-Encoding: gzip"


async def test_a_response_that_was_compressed_without_request_is_decompressed() -> None:
    async with client_receiving(http_response(gzip.compress(b"{}", mtime=0), GZIP)) as (
        client,
        url,
    ):
        assert (await client.request("GET", url)).body == b"{}"


@pytest.mark.parametrize(
    "response",
    [
        http_response(b"x" * 1025),
        http_response(gzip.compress(b" " * 5_000_000, mtime=0), GZIP),
        http_response(gzip.compress(b"{}", mtime=0) + b"more", GZIP),
        http_response(gzip.compress(b"{}", mtime=0)[:-4], GZIP),
        http_response(b"{}", GZIP),
        http_response(b"{}", "Content-Encoding: br"),
        http_response(b"{}", "Content-Encoding: gzip, gzip"),
        b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 100_000 + b"\r\n\r\n",
    ],
)
async def test_an_unreadable_response_is_invalid(response) -> None:
    async with client_receiving(response) as (client, url):
        with pytest.raises(InvalidResponseError):
            await client.request("GET", url)


@pytest.mark.parametrize(
    "response",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
        b"",
    ],
)
async def test_a_response_that_breaks_off_is_a_failed_connection(response) -> None:
    async with client_receiving(response) as (client, url):
        with pytest.raises(HttpError, match="connection failed") as failure:
            await client.request("GET", url)
    assert not isinstance(failure.value, InvalidResponseError)


@pytest.mark.parametrize(
    ("alert", "expected"),
    [
        ("TLSV13_ALERT_CERTIFICATE_REQUIRED", ProviderAccountError),
        ("SSLV3_ALERT_BAD_CERTIFICATE", ProviderAccountError),
        ("SSLV3_ALERT_CERTIFICATE_EXPIRED", ProviderAccountError),
        ("SSLV3_ALERT_CERTIFICATE_REVOKED", ProviderAccountError),
        ("SSLV3_ALERT_UNSUPPORTED_CERTIFICATE", ProviderAccountError),
        ("TLSV1_ALERT_UNKNOWN_CA", ProviderAccountError),
        ("TLSV1_ALERT_ACCESS_DENIED", ProviderAccountError),
        ("SSLV3_ALERT_HANDSHAKE_FAILURE", ProviderAccountError),
        ("TLSV1_ALERT_INTERNAL_ERROR", HttpError),
        ("SSLV3_ALERT_BAD_RECORD_MAC", HttpError),
        ("TLSV1_ALERT_PROTOCOL_VERSION", HttpError),
        ("CERTIFICATE_VERIFY_FAILED", HttpError),
        ("WRONG_VERSION_NUMBER", HttpError),
        (None, HttpError),
    ],
)
def test_a_tls_alert_about_our_certificate_is_about_our_account(alert, expected) -> None:
    tls_error = ssl.SSLError(1, "from the handshake")
    tls_error.reason = alert
    failure = ClientOSError(1, "from the handshake")
    failure.__cause__ = tls_error

    assert type(_translate_error(failure)) is expected


async def test_an_error_does_not_quote_the_url(client) -> None:
    with pytest.raises(HttpError) as failure:
        await client.request("GET", URL("http://127.0.0.1:1/?key=SECRET"))

    assert "SECRET" not in str(failure.value)


async def test_no_more_connections_are_open_than_configured() -> None:
    open_count, peak = 0, 0

    async def serve_two(reader, writer) -> None:
        nonlocal open_count, peak
        open_count += 1
        peak = max(peak, open_count)
        for _ in range(2):
            await reader.readuntil(b"\r\n\r\n")
            await asyncio.sleep(0.01)
            writer.write(http_response(b"{}"))
        open_count -= 1
        writer.close()

    server = await asyncio.start_server(serve_two, "127.0.0.1", 0)
    http_client = HttpClient(deadline=5, max_connections=3)
    url = URL(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
    await asyncio.gather(*[http_client.request("GET", url) for _ in range(12)])
    await http_client.close()
    server.close()

    assert peak == 3


ECHO = "Invalid value for Łucja Żak: code 482913, sent by key-Abc123 to +48600100200"


@pytest.mark.parametrize(
    ("body", "query"),
    [
        ('{"text":"Łucja Żak 482913","to":"+48600100200"}'.encode(), ""),
        (b"text=%C5%81ucja+%C5%BBak+482913&to=%2B48600100200", ""),
        (None, "text=Łucja Żak 482913&to=+48600100200"),
    ],
    ids=["json", "form", "query"],
)
async def test_an_error_repeats_no_name_or_number_of_the_call(body, query) -> None:
    client = HttpClient(deadline=10, headers={"Authorization": "Bearer key-Abc123"})
    head = f"HTTP/1.1 422 No\r\nContent-Length: {len(ECHO.encode())}\r\n\r\n"
    async with serve_bytes(f"{head}{ECHO}".encode()) as url:
        response = await client.request("POST", URL(url).with_query(query), body)
    await client.close()

    assert response.summary == (
        "the server answered 422 Invalid value for … …: code …, sent by key-… to +…"
    )
    assert response.body.decode() == ECHO
