"""HTTP calls to registers: statuses and errors that no fault of the simulator causes."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from yarl import URL

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.http_client import HttpClient, HttpResponse, UntrustedServerError
from prawko.hooks.licence_register import RegisterError, RegisterErrorKind
from prawko.hooks.register_client import query_register
from support.servers.raw import serve_bytes

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def register_sending(response: bytes) -> AsyncIterator[Callable[[], Awaitable[HttpResponse]]]:
    """Query a server that sends these bytes; only the status 200 is accepted."""
    client = HttpClient(deadline=10, max_response_bytes=1024)
    async with serve_bytes(response) as url:
        yield lambda: query_register(client, "GET", URL(url), accepted_statuses=(200,))
    await client.close()


async def test_an_accepted_response_is_returned() -> None:
    response = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/xml; a=b\r\n\r\n{}"
    async with register_sending(response) as query:
        accepted = await query()

    assert (accepted.body, accepted.media_type) == (b"{}", "text/xml")


@pytest.mark.parametrize(
    ("response", "kind"),
    [
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", RegisterErrorKind.INVALID_RESPONSE),
        (b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", RegisterErrorKind.INVALID_RESPONSE),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}", RegisterErrorKind.UNAVAILABLE),
        (b"", RegisterErrorKind.UNAVAILABLE),
        (b"HTTP/1.1 204 No Content\r\n\r\n", RegisterErrorKind.INVALID_RESPONSE),
        (b"HTTP/1.1 301 Moved\r\nLocation: /\r\n\r\n", RegisterErrorKind.INVALID_RESPONSE),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", RegisterErrorKind.INVALID_QUERY),
        (b"HTTP/1.1 418 Teapot\r\n\r\n", RegisterErrorKind.UNAVAILABLE),
        (b"HTTP/1.1 502 Bad Gateway\r\n\r\n", RegisterErrorKind.UNAVAILABLE),
    ],
)
async def test_any_other_response_is_an_error_of_a_kind(response, kind) -> None:
    async with register_sending(response) as query:
        with pytest.raises(RegisterError) as failure:
            await query()

    assert failure.value.kind is kind


@pytest.mark.parametrize(("status", "delay"), [(429, 7.0), (503, 7.0), (400, None)])
async def test_a_delay_is_kept_where_waiting_helps(status, delay) -> None:
    response = f"HTTP/1.1 {status} No\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n".encode()
    async with register_sending(response) as query:
        with pytest.raises(RegisterError) as failure:
            await query()

    assert failure.value.retry_after == delay


@pytest.mark.parametrize("status", [401, 403, 407])
async def test_a_refused_account_is_no_error_of_the_register(status) -> None:
    async with register_sending(f"HTTP/1.1 {status} No\r\n\r\n".encode()) as query:
        with pytest.raises(ProviderAccountError):
            await query()


async def test_an_untrusted_server_is_an_unavailable_register() -> None:
    class Client(HttpClient):
        async def request(self, *_: object, **__: object) -> HttpResponse:
            raise UntrustedServerError("the server's certificate cannot be trusted")

    with pytest.raises(RegisterError) as failure:
        await query_register(
            Client(deadline=1), "GET", URL("https://register.test"), accepted_statuses=(200,)
        )
    assert failure.value.kind is RegisterErrorKind.UNAVAILABLE


async def test_an_error_does_not_quote_the_url() -> None:
    client = HttpClient(deadline=2)
    with pytest.raises(RegisterError) as failure:
        await query_register(
            client, "GET", URL("http://127.0.0.1:1/?key=SECRET"), accepted_statuses=(200,)
        )
    await client.close()

    assert "SECRET" not in str(failure.value)
    assert failure.value.kind is RegisterErrorKind.UNAVAILABLE
