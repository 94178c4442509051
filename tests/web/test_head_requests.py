"""HEAD requests: the headers of GET without a body."""

import pytest

from support.applications import get_app
from support.openapi import read_paths
from web.test_headers import site  # noqa: F401 (a fixture)

pytestmark = pytest.mark.anyio

EXPORT = "/api/company/export"  # an archive, which differs each time

GET_PATHS = sorted(
    path
    for path, operations in read_paths().items()
    if "get" in operations and "{" not in path and path != EXPORT
)


@pytest.fixture
def app(context, site):  # noqa: F811 (a fixture)
    return get_app(context, frontend_dir=site)


async def send(app, method, path, *headers) -> tuple[int, dict[bytes, bytes], bytes]:
    """The status, the headers and the body; httpx would drop the body of a HEAD response."""
    path, _, query = path.partition("?")
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
        "path": path, "raw_path": path.encode(), "query_string": query.encode(),
        "root_path": "", "scheme": "http", "headers": list(headers), "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8000),
    }  # fmt: skip
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def keep(message) -> None:
        sent.append(message)

    await app(scope, receive, keep)
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return sent[0]["status"], dict(sent[0]["headers"]), body


def cookie_of(person) -> tuple[bytes, bytes]:
    cookies = "; ".join(f"{name}={value}" for name, value in person.browser.cookies.items())
    return b"cookie", cookies.encode()


async def test_head_answers_as_get_does_without_the_body(app, anna) -> None:
    headers = (cookie_of(anna), (b"accept-encoding", b"gzip"))
    for path in (*GET_PATHS, "/", "/panel", "/api/nothing", "/api/drivers?page=0"):
        get_status, get_headers, body = await send(app, "GET", path, *headers)
        status, head_headers, nothing = await send(app, "HEAD", path, *headers)

        assert (status, nothing) == (get_status, b""), path
        assert head_headers.keys() == get_headers.keys(), path
        assert head_headers[b"content-length"] == get_headers[b"content-length"], path
        assert body, path


async def test_a_path_without_get_has_no_head(app) -> None:
    status, headers, body = await send(app, "HEAD", "/api/login")

    assert (status, headers[b"allow"], body) == (405, b"POST", b"")
