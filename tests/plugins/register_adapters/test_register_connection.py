"""Calls over HTTP: what the contract of a register cannot order from a simulator."""

import asyncio
import gzip
import ssl
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest
from aiohttp import ClientOSError
from yarl import URL

from prawko.hooks.client_session import retry_after
from prawko.hooks.failures import AccountError
from prawko.hooks.licence_register import RegisterError, RegisterTrouble
from prawko.hooks.register_connection import RegisterConnection, _refuse_connection

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 11, 21, 5, 0, tzinfo=UTC)


@asynccontextmanager
async def saying(*answers):
    """A connection to a server that sends these bytes, one connection after the other."""
    said = iter(answers)

    async def talk(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(next(said))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    connection = RegisterConnection(deadline=2, connections=2, largest=1024)
    try:
        url = URL(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
        yield lambda: connection.ask("GET", url, readable=(200,))
    finally:
        await connection.close()
        server.close()


def http(body, *headers):
    lines = ["HTTP/1.1 200 OK", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


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
    ],
)
async def test_a_wait_is_read_as_seconds_or_as_a_moment(header, seconds):
    assert retry_after(header, now=NOW) == seconds


async def test_an_answer_that_was_compressed_unasked_is_read():
    async with saying(http(gzip.compress(b"{}", mtime=0), "Content-Encoding: gzip")) as ask:
        assert (await ask()).body == b"{}"


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        (http(b"x" * 1025), RegisterTrouble.GARBAGE),
        (
            http(gzip.compress(b" " * 5_000_000, mtime=0), "Content-Encoding: gzip"),
            RegisterTrouble.GARBAGE,
        ),
        (
            http(gzip.compress(b"{}", mtime=0) + b"more", "Content-Encoding: gzip"),
            RegisterTrouble.GARBAGE,
        ),
        (
            http(gzip.compress(b"{}", mtime=0)[:-4], "Content-Encoding: gzip"),
            RegisterTrouble.GARBAGE,
        ),
        (http(b"{}", "Content-Encoding: gzip"), RegisterTrouble.GARBAGE),
        (http(b"{}", "Content-Encoding: br"), RegisterTrouble.GARBAGE),
        (http(b"{}", "Content-Encoding: gzip, gzip"), RegisterTrouble.GARBAGE),
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", RegisterTrouble.GARBAGE),
        (b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", RegisterTrouble.GARBAGE),
        (b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 100_000 + b"\r\n\r\n", RegisterTrouble.GARBAGE),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}", RegisterTrouble.UNAVAILABLE),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
            RegisterTrouble.UNAVAILABLE,
        ),
        (b"", RegisterTrouble.UNAVAILABLE),
        (b"HTTP/1.1 204 No Content\r\n\r\n", RegisterTrouble.GARBAGE),
        (b"HTTP/1.1 301 Moved\r\nLocation: /\r\n\r\n", RegisterTrouble.GARBAGE),
        (b"HTTP/1.1 418 Teapot\r\n\r\n", RegisterTrouble.UNAVAILABLE),
        (b"HTTP/1.1 502 Bad Gateway\r\n\r\n", RegisterTrouble.UNAVAILABLE),
    ],
)
async def test_what_is_no_whole_answer_is_named(answer, trouble):
    async with saying(answer) as ask:
        with pytest.raises(RegisterError) as failure:
            await ask()

    assert failure.value.trouble is trouble


@pytest.mark.parametrize(
    ("alert", "ours"),
    [
        ("TLSV13_ALERT_CERTIFICATE_REQUIRED", True),
        ("SSLV3_ALERT_BAD_CERTIFICATE", True),
        ("SSLV3_ALERT_CERTIFICATE_EXPIRED", True),
        ("SSLV3_ALERT_CERTIFICATE_REVOKED", True),
        ("SSLV3_ALERT_UNSUPPORTED_CERTIFICATE", True),
        ("TLSV1_ALERT_UNKNOWN_CA", True),
        ("TLSV1_ALERT_ACCESS_DENIED", True),
        ("SSLV3_ALERT_HANDSHAKE_FAILURE", True),
        ("TLSV1_ALERT_INTERNAL_ERROR", False),
        ("SSLV3_ALERT_BAD_RECORD_MAC", False),
        ("TLSV1_ALERT_PROTOCOL_VERSION", False),
        ("CERTIFICATE_VERIFY_FAILED", False),
        ("WRONG_VERSION_NUMBER", False),
        (None, False),
    ],
)
async def test_an_alert_about_our_certificate_is_our_accounts_trouble(alert, ours):
    told = ssl.SSLError(1, "from the handshake")
    told.reason = alert
    failure = ClientOSError(1, "from the handshake")
    failure.__cause__ = told

    with pytest.raises(AccountError if ours else RegisterError):
        _refuse_connection(failure)


async def test_the_reason_of_a_failure_does_not_tell_what_was_asked():
    connection = RegisterConnection(deadline=2, connections=1)
    with pytest.raises(RegisterError) as failure:
        await connection.ask("GET", URL("http://127.0.0.1:1/?key=SECRET"), readable=(200,))
    await connection.close()

    assert "SECRET" not in str(failure.value)
    assert failure.value.trouble is RegisterTrouble.UNAVAILABLE


async def test_no_more_connections_are_open_than_was_configured():
    open_now, most = 0, 0

    async def talk(reader, writer):
        nonlocal open_now, most
        open_now += 1
        most = max(most, open_now)
        for _ in range(2):
            await reader.readuntil(b"\r\n\r\n")
            await asyncio.sleep(0.01)
            writer.write(http(b"{}"))
        open_now -= 1
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    connection = RegisterConnection(deadline=5, connections=3)
    url = URL(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
    await asyncio.gather(*[connection.ask("GET", url, readable=(200,)) for _ in range(12)])
    await connection.close()
    server.close()

    assert most == 3
