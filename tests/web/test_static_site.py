"""Serving of the built browser application."""

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
    script = await browser.get("/assets/app-1234.js")
    page = await browser.get("/")

    assert "immutable" in script.headers["cache-control"]
    assert page.headers["cache-control"] == "no-cache"
    assert script.headers["content-encoding"] == "gzip"
    assert script.text == "console.log('ż')"


async def test_a_file_of_another_release_is_missing(browser) -> None:
    assert (await browser.get("/assets/app-0000.js")).status_code == 404


@pytest.mark.parametrize("path", ["/assets", "/assets/"])
async def test_a_folder_is_not_listed(browser, path) -> None:
    answer = await browser.get(path)

    assert "app-1234" not in answer.text
    assert answer.status_code == 404 or "<h1>Panel</h1>" in answer.text


async def test_the_list_of_script_hashes_is_not_served(browser) -> None:
    assert "<h1>Panel</h1>" in (await browser.get("/csp.json")).text


async def test_a_page_allows_no_other_method(browser) -> None:
    answer = await browser.post("/panel", json={})

    assert answer.status_code in {404, 405}
    assert answer.json()["error"] == "not_found"
