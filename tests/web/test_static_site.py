"""Serving of the built browser application."""

import dataclasses
import gzip
import re
from pathlib import Path

import httpx
import msgspec
import pytest

from prawko.apps.web.app import create_app
from prawko.kit.http.static_site import fill_placeholders, replace_placeholders
from prawko.kit.text.i18n import Language
from prawko.legal.operator_details import build_operator_details
from support.applications import get_app

pytestmark = pytest.mark.anyio

ADDRESSES = (
    '<link rel="canonical" href="__SITE_URL__/en"/>'
    '<script type="application/ld+json">{"url":"__SITE_URL__/en"}</script>'
)
ROUTES = [
    "/",
    "/en",
    "/terms",
    "/demo",
    "/auth/login",
    "/panel/drivers",
    "/panel/drivers/:driverId",
]


def write_build(folder: Path) -> Path:
    files = {
        "index.html": "<h1>Strona główna</h1>",
        "terms/index.html": "<h1>Regulamin</h1>",
        "en/index.html": ADDRESSES,
        "demo/index.html": "<h1>Podgląd</h1>",
        "sitemap.xml": "<loc>__SITE_URL__/</loc>",
        "robots.txt": "Sitemap: __SITE_URL__/sitemap.xml",
        "__spa-fallback.html": "<h1>Panel</h1>",
        "assets/app-1234.js": "console.log('ż')",
        "assets/token-1234.js": "'__SITE_URL__'",
        "favicon.svg": "<svg/>",
        "assets/app-1234.js.br": "prepared with brotli",
        "assets/app-1234.js.gz": "prepared with gzip",
        "assets/letters-1.woff2": "font",
        "manifest.webmanifest": "{}",
        ".vite/manifest.json": "{}",
        "csp.json": msgspec.json.encode({"index.html": ["sha256-abc="]}).decode(),
        "routes.json": msgspec.json.encode(ROUTES).decode(),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def build_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_build(tmp_path_factory.mktemp("build"))


@pytest.fixture
def browser(context, build_folder, browser_for_app) -> httpx.AsyncClient:
    return browser_for_app(get_app(context, frontend_dir=build_folder))


@pytest.fixture
def operator_page(context, tmp_path, browser_for_app):
    """Returns the prerendered terms as a panel with these settings serves them."""

    async def get_page(**changes: object) -> str:
        build_folder = write_build(tmp_path)
        (build_folder / "terms/index.html").write_text(
            '<meta name="contact" content="__CONTACT_EMAIL__"/>'
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


async def test_a_postal_code_stays_on_one_line_as_in_the_application(operator_page) -> None:
    page = await operator_page(seller_name="Trans-Łódź & 90-423 Synowie-Wspólnicy")

    assert (
        '<span><span class="whitespace-nowrap">Trans-Łódź</span> <span>&amp;</span> '
        '<span class="whitespace-nowrap">90-423</span> <span>Synowie-Wspólnicy</span></span>'
    ) in page
    assert operator_data(page)["pl"]["name"] == "Trans-Łódź & 90-423 Synowie-Wspólnicy"


async def test_the_contact_address_is_filled_in(operator_page) -> None:
    page = await operator_page(operator_contact_email="biuro@acme.test")

    assert '<meta name="contact" content="biuro@acme.test"/>' in page


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
    ("status", "path", "heading"),
    [
        (200, "/", "Strona główna"),
        (200, "/terms", "Regulamin"),
        (200, "/terms/", "Regulamin"),
        (200, "/demo", "Podgląd"),
        (404, "/demonstration", "Strona główna"),
        (200, "/panel/drivers", "Strona główna"),
        (200, "/panel/drivers/", "Strona główna"),
        (200, "/panel/drivers/17", "Strona główna"),
        (404, "/panel/drivers/17/18", "Strona główna"),
        (404, "/panels", "Strona główna"),
        (404, "/authority", "Strona główna"),
        (200, "/auth/login", "Panel"),
        (404, "/auth/logins", "Panel"),
        (200, "/admin/users", "Panel"),
        (404, "/administration", "Strona główna"),
        (404, "/no/such/page", "Strona główna"),
        (404, "/../../etc/passwd", "Strona główna"),
        (404, "/%2e%2e/%2e%2e/etc/passwd", "Strona główna"),
        (404, "/.git/config", "Strona główna"),
    ],
)
async def test_every_path_shows_a_visitor_its_page(browser, status, path, heading) -> None:
    answer = await browser.get(path, headers={"If-None-Match": "*"} if status == 404 else {})

    assert answer.status_code == status
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


@pytest.mark.parametrize("path", ["/ack", "/auth/alerts", "/auth/reset-password/"])
async def test_a_page_of_links_with_tokens_is_kept_and_named_nowhere(browser, path) -> None:
    for method in ("GET", "HEAD"):
        headers = (await browser.request(method, path)).headers
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-robots-tag"] == "noindex, nofollow"
        assert "default-src 'self'" in headers["content-security-policy"]


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


async def test_a_browser_with_a_session_gets_the_preview_as_a_visitor_does(browser) -> None:
    browser.cookies.set("prawko", "a-token", domain="127.0.0.1")

    assert "<h1>Podgląd</h1>" in (await browser.get("/demo")).text


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


@pytest.mark.parametrize(
    "path",
    ["/", "/panel/drivers", "/assets/app-1234.js", "/favicon.svg", "/assets/letters-1.woff2"],
)
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
            assert again.get(name) == first.get(name)
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
    assert answer.status_code == 404 or "<h1>Strona główna</h1>" in answer.text


@pytest.mark.parametrize("path", ["/csp.json", "/.vite/manifest.json"])
async def test_what_the_build_says_of_itself_is_not_served(browser, path) -> None:
    assert "<h1>Strona główna</h1>" in (await browser.get(path)).text


async def test_a_page_allows_no_other_method(browser) -> None:
    for path in ("/", "/panel", "/panel/drivers"):
        answer = await browser.post(path, json={})

        assert (answer.status_code, answer.json()["error"]) == (405, "not_found")
        assert answer.headers["allow"] == "GET, HEAD"
