"""A body that does not arrive in time is refused, for every client."""

import asyncio

import pytest

pytestmark = pytest.mark.anyio

SECONDS = 0.2


@pytest.fixture
def short_limit(monkeypatch):
    monkeypatch.setattr("prawko.kit.http.body_limits.BODY_SECONDS", SECONDS)


async def send_slowly(browser, path, pause, **options):
    async def chunks():
        yield b'{"email": "anna@acme.test", '
        await asyncio.sleep(pause)
        yield b'"password": "wrong"}'

    headers = {"Content-Type": "application/json"}
    return await browser.post(path, content=chunks(), headers=headers, **options)


@pytest.mark.parametrize("path", ["/api/login", "/api/webhooks/sendgrid"])
async def test_a_late_body_is_refused(new_browser, short_limit, path) -> None:
    answer = await send_slowly(new_browser(), path, SECONDS * 5)

    assert answer.status_code == 408
    assert answer.json()["error"] == "request_timeout"
    assert answer.json()["message"].startswith("Żądanie nie dotarło")


async def test_a_late_body_to_the_console_is_refused(olga, short_limit) -> None:
    path = "/api/admin/check-runs/pause"

    answer = await send_slowly(olga.browser, path, SECONDS * 5)

    assert (answer.status_code, answer.json()["error"]) == (408, "request_timeout")


async def test_a_slow_body_within_the_limit_is_accepted(new_browser, short_limit) -> None:
    answer = await send_slowly(new_browser(), "/api/login", SECONDS / 4)

    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/login"),
        ("POST", "/api/webhooks/recording"),
        ("GET", "/api/webhooks/recording"),
        ("POST", "/api/admin/check-runs/pause"),
    ],
)
async def test_a_body_that_its_client_cuts_off_is_no_failure_of_ours(
    olga, method, path, capsys
) -> None:
    site = olga.browser._transport.app
    messages = [{"type": "http.request", "body": b'{"email": ', "more_body": True}]
    sent = []

    async def receive():
        return messages.pop() if messages else {"type": "http.disconnect"}

    async def send(message) -> None:
        sent.append(message)

    cookie = f"prawko={olga.browser.cookies['prawko']}"
    headers = {
        "host": "127.0.0.1:8000", "content-type": "application/json", "content-length": "100",
        "cookie": cookie,
    }  # fmt: skip
    await site(
        {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
            "scheme": "http", "path": path, "raw_path": path.encode(), "query_string": b"",
            "root_path": "", "client": ("127.0.0.1", 50_000), "server": ("127.0.0.1", 8000),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        },
        receive,
        send,
    )  # fmt: skip

    assert sent[0]["status"] == 400
    assert "request_failed" not in capsys.readouterr().out
