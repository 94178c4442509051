"""Serving of the built browser application."""

from pathlib import Path

import httpx
import msgspec
import pytest

from prawko.web.app import create_app
from prawko.web.static_site import fill_placeholders

pytestmark = pytest.mark.anyio

ADDRESSES = (
    '<link rel="canonical" href="__SITE_URL__/en"/>'
    '<script type="application/ld+json">{"url":"__SITE_URL__/en"}</script>'
)


@pytest.fixture
def build_folder(tmp_path: Path) -> Path:
    files = {
        "index.html": "<h1>Strona główna</h1>",
        "terms/index.html": "<h1>Regulamin</h1>",
        "en/index.html": ADDRESSES,
        "sitemap.xml": "<loc>__SITE_URL__/</loc>",
        "robots.txt": "Sitemap: __SITE_URL__/sitemap.xml",
        "__spa-fallback.html": "<h1>Panel</h1>",
        "assets/app-1234.js": "console.log('ż')",
        "assets/token-1234.js": "'__SITE_URL__'",
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


@pytest.mark.parametrize("path", ["/", "/terms", "/en"])
async def test_a_browser_with_a_session_gets_the_application_instead_of_a_visitors_page(
    browser, path
) -> None:
    browser.cookies.set("prawko", "a-token", domain="127.0.0.1")
    signed_in = await browser.get(path)
    browser.cookies.clear()
    visitor = await browser.get(path)

    assert "<h1>Panel</h1>" in signed_in.text
    assert "<h1>Panel</h1>" not in visitor.text
    assert signed_in.headers["vary"] == visitor.headers["vary"] == "Accept-Encoding, Cookie"


async def test_a_browser_with_a_session_still_gets_the_files(browser) -> None:
    browser.cookies.set("prawko", "a-token", domain="127.0.0.1")

    assert (await browser.get("/favicon.svg")).text == "<svg/>"


async def test_pages_sitemap_and_robots_name_the_public_address(browser) -> None:
    page = (await browser.get("/en")).text

    assert page == ADDRESSES.replace("__SITE_URL__", "http://127.0.0.1:8000")
    assert (await browser.get("/sitemap.xml")).text == "<loc>http://127.0.0.1:8000/</loc>"
    assert (await browser.get("/robots.txt")).text.endswith("http://127.0.0.1:8000/sitemap.xml")
    assert (await browser.get("/assets/token-1234.js")).text == "'__SITE_URL__'"


def test_placeholders_are_escaped_for_markup_and_for_json() -> None:
    value = 'A & "B" </script>'
    page = '<p title="__NAME__">__OTHER__</p><script type="application/ld+json">"__NAME__"</script>'

    assert fill_placeholders(page, {"NAME": value}) == (
        '<p title="A &amp; &quot;B&quot; &lt;/script&gt;">__OTHER__</p>'
        '<script type="application/ld+json">"A & \\"B\\" \\u003c/script>"</script>'
    )


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
