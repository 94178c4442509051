"""Serving of the built browser application."""

import gzip
from pathlib import Path

import httpx
import msgspec
import pytest

from prawko.web.app import create_app

pytestmark = pytest.mark.anyio


@pytest.fixture
def build_folder(tmp_path: Path) -> Path:
    files = {
        "index.html": "<h1>Strona główna</h1>",
        "terms/index.html": "<h1>Regulamin</h1>",
        "__spa-fallback.html": "<h1>Panel</h1>",
        "assets/app-1234.js": "console.log('ż')",
        "favicon.svg": "<svg/>",
        "assets/app-1234.js.br": "prepared with brotli",
        "assets/app-1234.js.gz": "prepared with gzip",
        "assets/letters-1.woff2": "font",
        "manifest.webmanifest": "{}",
        ".vite/manifest.json": "{}",
        "csp.json": msgspec.json.encode({"index.html": ["sha256-abc="]}).decode(),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def browser(context, build_folder, browser_for_app) -> httpx.AsyncClient:
    return browser_for_app(create_app(context, frontend_dir=build_folder))


@pytest.mark.parametrize(
    ("path", "heading"),
    [
        ("/", "Strona główna"),
        ("/terms", "Regulamin"),
        ("/terms/", "Regulamin"),
        ("/panel", "Panel"),
        ("/panel/drivers", "Panel"),
        ("/auth/login", "Panel"),
        ("/no/such/page", "Panel"),
        ("/../../etc/passwd", "Panel"),
        ("/%2e%2e/%2e%2e/etc/passwd", "Panel"),
        ("/.git/config", "Panel"),
    ],
)
async def test_every_path_shows_its_page(browser, path, heading) -> None:
    answer = await browser.get(path)

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert f"<h1>{heading}</h1>" in answer.text


@pytest.mark.parametrize("path", ["/api", "/api/nothing", "/dev", "/dev/clock", "/health/deep"])
async def test_reserved_paths_never_get_a_page(browser, path) -> None:
    answer = await browser.get(path)

    assert answer.status_code == 404
    assert answer.json()["error"] == "not_found"


async def test_a_page_may_run_the_scripts_of_its_build_only(browser) -> None:
    policy = (await browser.get("/")).headers["content-security-policy"]

    assert "script-src 'self' 'sha256-abc=';" in policy
    assert "unsafe-inline" not in policy
    assert "frame-ancestors 'none'" in policy


async def test_assets_are_cached_for_ever_and_pages_are_revalidated(browser) -> None:
    script = await browser.get("/assets/app-1234.js", headers={"Accept-Encoding": "identity"})
    page = await browser.get("/")

    assert "immutable" in script.headers["cache-control"]
    assert page.headers["cache-control"] == "no-cache"
    assert script.text == "console.log('ż')"


async def get_raw(browser, path, **headers) -> tuple[httpx.Headers, bytes]:
    """The headers and the body as it was sent."""
    request = browser.build_request("GET", path, headers=headers)
    response = await browser.send(request, stream=True)
    return response.headers, b"".join([chunk async for chunk in response.aiter_raw()])


@pytest.mark.parametrize(
    ("accepted", "encoding", "body"),
    [
        ("gzip, deflate, br, zstd", "br", b"prepared with brotli"),
        ("gzip", "gzip", b"prepared with gzip"),
        ("br;q=0.1, gzip;q=0.2", "gzip", b"prepared with gzip"),
        ("gzip;q=0", None, "console.log('ż')".encode()),
    ],
)
async def test_a_file_is_sent_as_the_build_encoded_it(browser, accepted, encoding, body) -> None:
    headers, received = await get_raw(
        browser, "/assets/app-1234.js", **{"Accept-Encoding": accepted}
    )

    assert headers.get("content-encoding") == encoding
    assert headers["vary"] == "Accept-Encoding"
    assert headers["content-type"] == "text/javascript; charset=utf-8"
    assert received == body


async def test_what_the_build_did_not_encode_is_compressed_here(browser) -> None:
    headers, received = await get_raw(browser, "/terms", **{"Accept-Encoding": "gzip, br"})

    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(received).decode() == "<h1>Regulamin</h1>"


@pytest.mark.parametrize(
    ("path", "media_type"),
    [
        ("/assets/letters-1.woff2", "font/woff2"),
        ("/manifest.webmanifest", "application/manifest+json"),
        ("/favicon.svg", "image/svg+xml"),
    ],
)
async def test_a_file_has_its_media_type(browser, path, media_type) -> None:
    assert (await browser.get(path)).headers["content-type"] == media_type


@pytest.mark.parametrize("path", ["/", "/panel/drivers", "/assets/app-1234.js"])
@pytest.mark.parametrize("encoding", ["gzip", "br", "identity"])
async def test_an_unchanged_file_is_not_sent_again(browser, path, encoding) -> None:
    accepted = {"Accept-Encoding": encoding}
    first, _ = await get_raw(browser, path, **accepted)
    entity_tag = first["etag"]

    for known in (entity_tag, f"W/{entity_tag}", f'"another", {entity_tag}', "*"):
        again, body = await get_raw(browser, path, **accepted, **{"If-None-Match": known})
        assert body == b""
        assert again["etag"] == entity_tag
        for name in ("cache-control", "content-security-policy", "vary"):
            assert again[name] == first[name]
    for other in ('"another"', entity_tag.strip('"'), ""):
        _, body = await get_raw(browser, path, **accepted, **{"If-None-Match": other})
        assert body


async def test_the_encodings_of_a_file_have_different_tags(browser) -> None:
    tags = [
        (await get_raw(browser, "/assets/app-1234.js", **{"Accept-Encoding": encoding}))[0]["etag"]
        for encoding in ("br", "gzip", "identity")
    ]

    assert len(set(tags)) == 3


async def test_a_file_of_another_release_is_missing(browser) -> None:
    assert (await browser.get("/assets/app-0000.js")).status_code == 404


@pytest.mark.parametrize("path", ["/assets/app-1234.js.br", "/assets/app-1234.js.gz"])
async def test_encoded_files_have_no_path_of_their_own(browser, path) -> None:
    assert (await browser.get(path)).status_code == 404


@pytest.mark.parametrize("path", ["/assets", "/assets/"])
async def test_a_folder_is_not_listed(browser, path) -> None:
    answer = await browser.get(path)

    assert "app-1234" not in answer.text
    assert answer.status_code == 404 or "<h1>Panel</h1>" in answer.text


@pytest.mark.parametrize("path", ["/csp.json", "/.vite/manifest.json"])
async def test_what_the_build_says_of_itself_is_not_served(browser, path) -> None:
    assert "<h1>Panel</h1>" in (await browser.get(path)).text


async def test_a_page_allows_no_other_method(browser) -> None:
    for path in ("/", "/panel", "/panel/drivers"):
        answer = await browser.post(path, json={})

        assert (answer.status_code, answer.json()["error"]) == (405, "not_found")
        assert answer.headers["allow"] == "GET, HEAD"
