"""The console's pages: for operators alone, with a policy of their own."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from prawko.apps.web.asgi import find_console
from prawko.apps.web.console_app import create_console_app
from prawko.apps.web.console_site import SiteDispatcher
from prawko.hooks.environment import SettingsError
from prawko.kit.settings_validation import load_settings
from support.applications import get_app
from support.database import execute_as_owner
from support.people import Person, create_operator

pytestmark = pytest.mark.anyio

PAGE = (
    '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__">'
    '<script type="module" src="/admin/assets/index-1.js"></script>'
)
PATHS = ("/admin", "/admin/", "/admin/users", "/admin/assets/index-1.js", "/admin/favicon.svg",
         "/admin/no/such/file.js", "/admin/assets/none.js")  # fmt: skip


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    folder = tmp_path_factory.mktemp("build")
    (folder / "assets").mkdir()
    (folder / "index.html").write_text(PAGE)
    (folder / "assets/index-1.js").write_text("export {}" * 400)
    (folder / "favicon.svg").write_text("<svg/>")
    return folder


@pytest.fixture
def new_console_browser(console, build, browser_for_app):
    app = get_app(console, create_console_app, console_dir=build)
    return lambda: browser_for_app(app)


@pytest.fixture
async def operator(olga, new_console_browser) -> Person:
    """Olga, who signed in at the panel, in the browser of the console."""
    browser = new_console_browser()
    browser.cookies = olga.browser.cookies
    return Person(olga.email, browser)


async def test_an_operator_gets_the_page_at_every_path_of_the_application(operator) -> None:
    for path in ("/admin", "/admin/", "/admin/users", "/admin/users/1/show"):
        answer = await operator.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (
            200,
            "text/html; charset=utf-8",
        ), path
        assert answer.headers["cache-control"] == "no-store"


async def test_the_page_has_a_new_nonce_for_its_styles_every_time(operator) -> None:
    nonces = []
    for _ in range(2):
        answer = await operator.get("/admin/")
        [nonce] = re.findall('nonce="([^"]+)"', answer.text)
        policy = answer.headers["content-security-policy"]
        assert f"style-src 'self' 'nonce-{nonce}';" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        nonces.append(nonce)

    assert len(set(nonces)) == 2
    assert min(map(len, nonces)) >= 22


async def test_the_files_are_kept_by_the_operators_browser_alone(operator) -> None:
    script = await operator.get("/admin/assets/index-1.js")
    again = await operator.get(
        "/admin/assets/index-1.js", headers={"If-None-Match": script.headers["etag"]}
    )

    assert script.headers["content-type"].startswith("text/javascript")
    assert script.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert again.status_code == 304
    assert (await operator.get("/admin/assets/none.js")).status_code == 404


async def test_everybody_else_is_sent_to_the_login(
    anna, operator, new_console_browser, console
) -> None:
    signed_in = new_console_browser()
    signed_in.cookies = anna.browser.cookies
    for browser in (new_console_browser(), signed_in):
        answers = [await browser.get(path) for path in PATHS]
        assert {answer.status_code for answer in answers} == {303}
        assert {answer.headers["location"].partition("?")[0] for answer in answers} == {
            "/auth/login"
        }
        assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}
        assert len({answer.content for answer in answers}) == 1


async def test_the_login_leads_a_visitor_back_and_a_customer_nowhere(
    anna, new_console_browser
) -> None:
    answer = await new_console_browser().get("/admin/users", params={"page": "2", "q": "a&b=ł"})
    location = urlsplit(answer.headers["location"])
    assert parse_qs(location.query) == {"next": ["/admin/users?page=2&q=a%26b%3D%C5%82"]}

    signed_in = new_console_browser()
    signed_in.cookies = anna.browser.cookies
    answer = await signed_in.get("/admin/users?page=2")
    assert answer.headers["location"] == "/auth/login"  # else it would lead back and forth


async def test_the_site_hands_only_the_consoles_paths_to_the_console(
    context, console, browser_for_app, logins
) -> None:
    async def answer_as(name, scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": name})

    site = SiteDispatcher(
        lambda *args: answer_as(b"panel", *args), lambda *args: answer_as(b"console", *args)
    )
    browser = browser_for_app(site)
    by_path = {
        path: (await browser.get(path)).text
        for path in (
            "/", "/panel", "/administration", "/api/user", "/api/administration", "/health/live",
            "/admin", "/admin/", "/admin/users", "/api/admin", "/api/admin/users", "/%61dmin",
        )
    }  # fmt: skip

    assert {path for path, name in by_path.items() if name == "console"} == {
        "/admin", "/admin/", "/admin/users", "/api/admin", "/api/admin/users", "/%61dmin",
    }  # fmt: skip


@pytest.mark.parametrize(
    "path",
    ["//admin", "//admin/index.html", "/admin//users", "//api/admin/openapi/openapi.json",
     "/api//admin/openapi/openapi.json", "/", "/no/such/path"],
)  # fmt: skip
async def test_no_spelling_of_a_path_passes_a_visitor_or_a_customer(
    anna, new_console_browser, path
) -> None:
    customer = new_console_browser()
    customer.cookies = anna.browser.cookies
    visitors, customers = ({404}, {404}) if "//" in path else ({401, 303}, {403, 303})
    for browser, statuses in ((new_console_browser(), visitors), (customer, customers)):
        answer = await browser.get(f"http://127.0.0.1:8000{path}")
        assert answer.status_code in statuses, answer.text


async def test_a_page_of_another_site_starts_no_recorded_read(operator) -> None:
    answer = await operator.browser.get(
        "/api/admin/stats", headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    )

    assert answer.status_code == 403


async def test_the_console_alone_serves_its_health_and_nothing_of_the_panel(
    operator, new_console_browser
) -> None:
    assert (await new_console_browser().get("/health/live")).status_code == 200
    assert (await operator.get("/api/user")).status_code == 404
    assert (await operator.get("/")).status_code == 404


async def test_a_missing_build_stops_the_start_unless_there_is_to_be_none(
    variables, tmp_path, build
) -> None:
    def find(folder):
        return find_console(load_settings({**variables, "CONSOLE_DIR": str(folder)}))

    assert find("none") is None
    assert find(build) == build
    with pytest.raises(SettingsError, match="CONSOLE_DIR"):
        find(tmp_path / "nothing")


async def test_an_operator_who_is_demoted_is_turned_away_at_once(
    new_browser, logins, new_console_browser
) -> None:
    person = await create_operator("byly@prawko.test", new_browser(), logins.owner)
    browser = new_console_browser()
    browser.cookies = person.browser.cookies
    assert (await browser.get("/admin")).status_code == 200
    await execute_as_owner(logins, "UPDATE user_account SET is_admin = false")

    assert (await browser.get("/admin")).status_code == 303
