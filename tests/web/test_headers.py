"""Headers of every kind of response, rejection of cross-site writes, and the access log."""

import dataclasses
import re
import uuid
from pathlib import Path

import msgspec
import pytest

from prawko_tenants.policies import CONTROL_TABLES, GLOBAL_TABLES, TENANT_TABLES
from support.applications import get_app
from support.database import fetch_rows
from support.openapi import read_paths
from support.people import PASSWORD

pytestmark = pytest.mark.anyio

COMMON_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "x-frame-options": "DENY",
}
DENY_ALL_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    for name, text in {"index.html": "<h1>Start</h1>", "__spa-fallback.html": "<h1>Panel</h1>",
                       "assets/app-1.js": "1", "favicon.svg": "<svg/>"}.items():  # fmt: skip
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def browser(context, site, browser_for_app):
    return browser_for_app(get_app(context, frontend_dir=site))


@pytest.fixture
def secure_browser(context, site, browser_for_app):
    """A browser of a panel that is served by https."""
    settings = msgspec.structs.replace(context.settings, base_url="https://prawko.test")
    browser = browser_for_app(
        get_app(dataclasses.replace(context, settings=settings), frontend_dir=site)
    )
    browser.base_url = "https://prawko.test"
    return browser


async def collect_responses(browser):
    """One response of every kind: page, file, data, errors."""
    wrong_login = {"email": "nikt@acme.test", "password": "Zle0haslo"}
    return {
        "page": await browser.get("/"),
        "fallback": await browser.get("/panel/drivers"),
        "script": await browser.get("/assets/app-1.js"),
        "image": await browser.get("/favicon.svg"),
        "missing file": await browser.get("/assets/none.js"),
        "health": await browser.get("/health/live"),
        "visitor": await browser.get("/api/user"),
        "not found": await browser.get("/api/nothing"),
        "bare": await browser.get("/api"),
        "wrong verb": await browser.put("/api/login", json={}),
        "refused": await browser.post("/api/login", json=wrong_login),
        "foreign": await browser.post(
            "/api/login", json=wrong_login, headers={"Origin": "https://e.test"}
        ),
        "no json": await browser.post("/api/login", content=b"{", headers={
            "Content-Type": "application/json"}),
        "form": await browser.post("/api/login", data=wrong_login),
        "too large": await browser.post("/api/login", json={"email": "x" * 300_000,
                                                            "password": ""}),
        "document": await browser.get("/api/openapi/openapi.json"),
    }  # fmt: skip


async def test_every_response_has_each_header_once(browser) -> None:
    for kind, answer in (await collect_responses(browser)).items():
        names = [name for name, _ in answer.headers.multi_items()]
        for name, value in COMMON_HEADERS.items():
            assert answer.headers[name] == value, kind
            assert names.count(name) == 1, kind
        assert names.count("content-security-policy") == 1, kind
        assert "unsafe-inline" not in answer.headers["content-security-policy"], kind
        assert "unsafe-eval" not in answer.headers["content-security-policy"], kind
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"], kind
        assert "strict-transport-security" not in names, kind
        assert names.count("cache-control") <= 1, kind
        assert "server" not in names, kind
        assert "x-powered-by" not in names, kind


async def test_data_is_not_cached_and_may_load_nothing(browser) -> None:
    for kind, answer in (await collect_responses(browser)).items():
        if kind in {"page", "fallback", "script", "image", "missing file"}:
            continue
        assert answer.headers["cache-control"] == "no-store", kind
        assert answer.headers["content-security-policy"] == DENY_ALL_POLICY, kind
        assert answer.headers["content-type"].startswith(("application/json",
                                                          "application/vnd.oai")), kind  # fmt: skip


async def test_a_page_may_load_from_its_own_site_only(browser) -> None:
    policy = (await browser.get("/")).headers["content-security-policy"]
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))

    assert directives["default-src"] == "'self'"
    assert directives["script-src"] == "'self'"
    assert directives["style-src"] == "'self'"
    assert directives["object-src"] == "'none'"
    assert directives["base-uri"] == "'none'"
    assert directives["form-action"] == "'self'"
    assert directives["connect-src"] == "'self'"


async def test_with_https_the_cookie_is_bound_to_the_host_and_hsts_is_set(
    secure_browser, anna
) -> None:
    for kind, answer in (await collect_responses(secure_browser)).items():
        assert (
            answer.headers["strict-transport-security"] == "max-age=31536000; includeSubDomains"
        ), kind
    login = await secure_browser.post(
        "/api/login", json={"email": anna.email, "password": PASSWORD}
    )
    cookie = login.headers.get_list("set-cookie")[0]

    assert cookie.startswith("__Host-prawko=")
    attributes = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert {"httponly", "secure", "path=/", "samesite=lax"} <= attributes
    assert not any(attribute.startswith("domain") for attribute in attributes)
    assert (await secure_browser.get("/api/user")).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "https://prawko.test"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "x"}, 403),
        ({"Origin": "http://prawko.test"}, 403),
        ({"Origin": "https://prawko.test.evil.test"}, 403),
        ({"Origin": "https://prawko.test:8443"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        # The host that a request names makes no difference.
        ({"Origin": "https://evil.test", "Host": "evil.test"}, 403),
        ({"Origin": "https://evil.test", "X-Forwarded-Host": "evil.test"}, 403),
        ({"Origin": "https://prawko.test", "Host": "evil.test"}, 200),
    ],
)
async def test_only_pages_of_the_site_may_start_a_write(secure_browser, headers, status) -> None:
    answer = await secure_browser.post("/api/logout", headers=headers)

    assert answer.status_code == status
    if status == 403:
        assert answer.json()["error"] == "foreign_site"
        assert answer.json()["message"] == (
            "To żądanie pochodzi z innej strony i zostało odrzucone."
        )


async def test_no_unsafe_operation_can_be_started_by_a_page_of_another_site(browser) -> None:
    unknown_id = "00000000-0000-0000-0000-000000000000"
    unsafe = [
        (verb, re.sub(r"{\w+}", unknown_id, path))
        for path, verbs in read_paths().items()
        for verb in verbs
        if verb not in {"get", "head", "options"}
    ]
    assert len(unsafe) > 15
    for verb, path in unsafe:
        foreign_answer = await browser.request(
            verb.upper(), path, json={}, headers={"Sec-Fetch-Site": "cross-site"}
        )
        simple_request = await browser.request(
            verb.upper(), path, content=b"{}", headers={"Content-Type": "text/plain"}
        )
        assert foreign_answer.status_code == 403, (verb, path)
        assert foreign_answer.json()["error"] == "foreign_site"
        assert simple_request.status_code == 400, (verb, path)


async def test_no_response_allows_cross_origin_reads(browser) -> None:
    answer = await browser.options(
        "/api/user",
        headers={"Origin": "https://evil.test", "Access-Control-Request-Method": "GET"},
    )
    read = await browser.get("/api/user", headers={"Origin": "https://evil.test"})

    for response in (answer, read):
        assert not [name for name in response.headers if name.startswith("access-control-")]


async def test_a_rejected_request_is_logged_with_ids_only(browser, anna, caplog) -> None:
    secret = "Zle0haslo"
    with caplog.at_level("INFO", logger="prawko.kit.http.request_observer"):
        await browser.get("/api/user")
        await browser.post("/api/login", json={"email": anna.email, "password": secret})
        await anna.post("/api/logout", headers={"Origin": "https://evil.test"})
        await browser.get("/api/sessions")

    events = [
        record.msg for record in caplog.records if record.name == "prawko.kit.http.request_observer"
    ]
    assert [(event["status"], event["path"]) for event in events] == [
        (401, "/api/login"),
        (403, "/api/logout"),
        (401, "/api/sessions"),
    ]
    assert {event["event"] for event in events} == {"request_rejected"}
    assert anna.email not in str(events)
    assert secret not in str(events)


async def test_an_exhausted_rate_limit_is_logged(browser, anna, caplog) -> None:
    change = {"currentPassword": "Zle0haslo", "newPassword": "Nowe0haslo"}
    with caplog.at_level("INFO", logger="prawko.kit.http.request_observer"):
        for _ in range(11):
            await anna.post(
                "/api/user/change-password", {**change, "confirmPassword": "Nowe0haslo"}
            )

    [event] = [
        record.msg for record in caplog.records if record.name == "prawko.kit.http.request_observer"
    ]
    assert (event["status"], event["path"]) == (429, "/api/user/change-password")
    assert event["user_id"] is not None


async def test_get_requests_change_no_data(anna, logins) -> None:
    driver = await anna.add_driver("AA123456")
    before = await table_digests(logins)
    succeeded = 0
    for path, verbs in read_paths().items():
        if "get" in verbs:
            answer = await anna.get(
                re.sub(r"{\w+}", str(uuid.uuid4()), path.replace("{driver_id}", driver))
            )
            succeeded += answer.status_code == 200

    assert succeeded > 10
    assert await table_digests(logins) == before


async def table_digests(logins) -> dict[str, str | None]:
    """A digest of each table, except those that record requests."""
    tables = {*TENANT_TABLES, *CONTROL_TABLES, *GLOBAL_TABLES} - {
        "throttle", "user_activity", "login_session",
    }  # fmt: skip
    rows = "SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) AS digest FROM {} AS t"
    return {
        table: (await fetch_rows(logins, rows.format(table)))[0]["digest"]
        for table in sorted(tables)
    }


@pytest.mark.parametrize("path", ["/", "/api/user", "/health/live"])
async def test_trace_echoes_nothing(browser, path) -> None:
    answer = await browser.request("TRACE", path, headers={"X-Secret": "zebra"})

    assert answer.status_code in {404, 405}
    assert "zebra" not in answer.text
