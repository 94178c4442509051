"""Serving of the built browser application."""

import dataclasses
import re
from pathlib import Path

import httpx
import msgspec
import pytest

from prawko.base.i18n import Language
from prawko.legal.operator_details import build_operator_details
from prawko.web.app import create_app
from prawko.web.static_site import fill_placeholders, replace_placeholders

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


@pytest.fixture
def operator_page(context, build_folder, browser_for_app):
    """Returns the prerendered terms as a panel with these settings serves them."""

    async def get_page(**changes: object) -> str:
        (build_folder / "terms/index.html").write_text(
            "<p>Usługodawcą jest <span>__OPERATOR_NAME__</span>, <span>__OPERATOR_KRS__</span></p>"
            '<script type="application/json" id="operator">__OPERATOR__</script>',
            encoding="utf-8",
        )
        settings = msgspec.structs.replace(context.settings, **changes)
        changed = dataclasses.replace(context, settings=settings)
        visitor = browser_for_app(create_app(changed, frontend_dir=build_folder))
        return (await visitor.get("/terms")).text

    return get_page


def operator_data(page: str) -> dict:
    [content] = re.findall(r'<script type="application/json" id="operator">(.*?)</script>', page)
    return msgspec.json.decode(content)


async def test_the_operators_details_are_filled_in(operator_page) -> None:
    page = await operator_page(seller_name="Prawko Sp. z o.o.", operator_krs="0000123456")

    assert "<span>Prawko Sp. z o.o.</span>, <span>0000123456</span>" in page
    assert "__OPERATOR" not in page
    operator = operator_data(page)
    assert operator["pl"]["krs"] == operator["en"]["krs"] == "0000123456"
    assert "krs" not in operator["missing"]


async def test_a_missing_detail_is_marked(operator_page) -> None:
    page = await operator_page(operator_krs="")

    assert "<span><mark>[uzupełnij: numer KRS]</mark></span>" in page
    operator = operator_data(page)
    assert "krs" in operator["missing"]
    assert operator["pl"]["krs"] == "[uzupełnij: numer KRS]"
    assert operator["en"]["krs"] == "[to be added: KRS number]"


async def test_the_operators_details_are_escaped(operator_page) -> None:
    name = '</script><script>alert("1")</script> & Synowie __OPERATOR_KRS__'

    page = await operator_page(seller_name=name, operator_krs="0000123456")

    assert page.count("<script") == page.count("</script>") == 1
    assert "&lt;/script&gt;&lt;script&gt;alert(&quot;1&quot;)" in page
    assert "&amp; Synowie __OPERATOR_KRS__</span>" in page, "a replacement is not replaced again"
    assert operator_data(page)["pl"]["name"] == name


async def test_each_detail_of_the_texts_is_known(context) -> None:
    folder = Path(__file__).parents[2] / "frontend/src/legal-documents"
    names = {
        name
        for path in folder.glob("*/*.json")
        for name in re.findall(r"{{(\w+)}}", path.read_text())
    }

    assert names - {"brand"} == set(build_operator_details(context.settings, Language.PL))


@pytest.mark.parametrize("officer", ["", "iod@prawko.test"])
async def test_the_contact_for_personal_data_is_the_officer_or_the_operator(
    context, officer
) -> None:
    settings = msgspec.structs.replace(
        context.settings, operator_contact_email="kontakt@prawko.test", operator_dpo_email=officer
    )
    for language, sentence in (
        (Language.PL, "Wyznaczyliśmy inspektora"), (Language.EN, "We have appointed a data"),
    ):  # fmt: skip
        detail = build_operator_details(settings, language)["dataProtection"]
        assert (sentence in detail.text) == bool(officer)
        assert (officer or "kontakt@prawko.test") in detail.text
        assert not detail.is_missing


def test_without_placeholders_a_page_is_unchanged() -> None:
    assert replace_placeholders("100__OPERATOR__", {}) == "100__OPERATOR__"
    assert replace_placeholders("%a% %b% %a%", {"%a%": "%b%", "%b%": "2"}) == "%b% 2 %b%"


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
