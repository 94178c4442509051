"""Compression of JSON responses."""

import gzip
import zlib

import httpx
import msgspec
import pytest
from litestar import Response, get
from litestar.params import FromPath

from prawko.kit.http import compression
from support.applications import get_app

pytestmark = pytest.mark.anyio

LARGE = msgspec.json.encode([{"number": number} for number in range(500)])
BODIES = {
    "large": Response(LARGE, media_type="application/json"),
    "small": Response(b'{"ok":true}', media_type="application/json"),
    "page": Response("<p>" * 1000, media_type="text/html"),
    "zip": Response(b"\0" * 5000, media_type="application/zip"),
    "encoded": Response(
        gzip.compress(LARGE), media_type="application/json", headers={"Content-Encoding": "gzip"}
    ),
    "refused": Response(LARGE, media_type="application/json", status_code=409),
}


@get("/dev/bodies/{kind:str}", sync_to_thread=False)
def answer(kind: FromPath[str]) -> Response:
    return BODIES[kind]


@pytest.fixture
def browser(context, browser_for_app) -> httpx.AsyncClient:
    return browser_for_app(get_app(context, extra_handlers=(answer,)))


async def get_raw(browser, kind, **headers) -> tuple[httpx.Headers, bytes]:
    """The headers and the body as it was sent."""
    request = browser.build_request(
        "GET", f"/dev/bodies/{kind}", headers={"Accept-Encoding": "gzip", **headers}
    )
    response = await browser.send(request, stream=True)
    return response.headers, b"".join([chunk async for chunk in response.aiter_raw()])


@pytest.mark.parametrize("kind", ["large", "refused"])
async def test_json_is_compressed_for_clients_that_accept_gzip(browser, kind) -> None:
    headers, body = await get_raw(browser, kind)

    assert headers["content-encoding"] == "gzip"
    assert headers["vary"] == "accept-encoding"
    assert headers.get_list("content-length") == [str(len(body))]
    assert len(body) < len(LARGE) / 3
    assert gzip.decompress(body) == LARGE


async def test_a_large_response_is_compressed_outside_the_event_loop(browser, monkeypatch) -> None:
    monkeypatch.setattr(compression, "MIN_BYTES_IN_THREAD", len(LARGE))
    _, body = await get_raw(browser, "large")

    assert zlib.decompress(body, 31) == LARGE


@pytest.mark.parametrize(
    "headers",
    [
        {"Accept-Encoding": "identity"},
        {"Accept-Encoding": "br, deflate"},
        {"Accept-Encoding": "gzip;q=0"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
    ],
)
async def test_others_get_it_as_it_is(browser, headers) -> None:
    received, body = await get_raw(browser, "large", **headers)

    assert "content-encoding" not in received
    assert received["content-length"] == str(len(LARGE))
    assert body == LARGE


async def test_the_panel_itself_gets_it_compressed(browser) -> None:
    headers, _ = await get_raw(browser, "large", **{"Sec-Fetch-Site": "same-origin"})

    assert headers["content-encoding"] == "gzip"


@pytest.mark.parametrize("kind", ["small", "page", "zip"])
async def test_small_responses_and_other_types_are_not_compressed(browser, kind) -> None:
    headers, _ = await get_raw(browser, kind)

    assert "content-encoding" not in headers


async def test_nothing_is_compressed_twice(browser) -> None:
    _, body = await get_raw(browser, "encoded")

    assert gzip.decompress(body) == LARGE
