"""Bodies of many requests and responses at once take so much memory, and leave room to others."""

import asyncio

import pytest
from litestar import Response, get
from litestar.response import Stream

from prawko.accounts.guards import requires_login
from prawko.apps.web.app import create_app
from prawko.kit.http.body_limits import (
    COMPANIES_BYTES,
    PART_BYTES,
    VISITORS_BYTES,
    CompanyMemory,
    VisitorMemory,
)
from support.people import PASSWORD, Person

pytestmark = pytest.mark.anyio

LARGE = b"x" * (3 * PART_BYTES + 1)
LARGE_PATH = "/api/test/large"


@get(LARGE_PATH, guards=[requires_login])
async def large() -> Response[bytes]:
    return Response(LARGE, media_type="application/pdf")


def full_but_for(memory, limit: int, left: int) -> None:
    """Reserve memory for so many others that so much is left."""
    others = 0
    while limit > left:
        others += 1
        part = min(limit - left, limit // 2)
        assert memory.reserve(f"other {others}", part)
        limit -= part


async def sign_in(browser, email: str):
    return await browser.post("/api/login", json={"email": email, "password": PASSWORD})


async def test_a_visitors_body_beyond_its_share_is_refused_and_a_small_one_is_not(
    context, anna, new_browser
) -> None:
    full_but_for(context.components.get(VisitorMemory), VISITORS_BYTES, 64 * 1024)

    answer = await sign_in(new_browser(), "a" * 40_000)
    assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")
    assert answer.headers["Retry-After"] == "5"

    assert (await sign_in(new_browser(), anna.email)).status_code == 200
    # Who is signed in has memory of another kind.
    table = {"text": "x" * 150_000}
    assert (await anna.post("/api/drivers/import/preview", table)).status_code != 503


async def test_a_companys_body_beyond_its_share_is_refused_and_another_ones_is_not(
    context, worker, anna, celina
) -> None:
    memory = context.components.get(CompanyMemory)
    assert memory.reserve(await anna.tenant_id(worker), COMPANIES_BYTES // 2 - 64 * 1024)
    table = {"text": "x" * 150_000}

    assert (await anna.post("/api/drivers/import/preview", table)).status_code == 503
    assert (await celina.post("/api/drivers/import/preview", table)).status_code != 503


async def test_parts_of_a_few_bytes_count_with_what_their_objects_take(
    context, new_browser
) -> None:
    full_but_for(context.components.get(VisitorMemory), VISITORS_BYTES, 64 * 1024)

    async def parts():
        for _ in range(2000):
            yield b"  "

    answer = await new_browser().post(
        "/api/login", content=parts(), headers={"Content-Type": "application/json"}
    )

    assert answer.status_code == 503


async def test_memory_is_free_again_after_each_request(context, worker, anna) -> None:
    memory = context.components.get(CompanyMemory)
    for _ in range(3):
        await anna.post("/api/drivers/import/preview", {"text": "x" * 150_000})

    assert memory.reserve(await anna.tenant_id(worker), COMPANIES_BYTES // 2)


async def test_a_large_response_beyond_the_share_is_refused(
    context, worker, anna, browser_for_app
) -> None:
    browser = browser_for_app(create_app(context, extra_handlers=[large]))
    browser.cookies = anna.browser.cookies
    person = Person(anna.email, browser)
    assert (await person.get(LARGE_PATH)).content == LARGE
    memory = context.components.get(CompanyMemory)
    assert memory.reserve(await anna.tenant_id(worker), COMPANIES_BYTES // 2 - PART_BYTES)

    answer = await person.get(LARGE_PATH)

    assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")


class UnreadStream:
    """A file of many parts, which is closed at the end."""

    def __init__(self) -> None:
        self.is_closed = False

    async def parts(self):
        try:
            for _ in range(10):
                yield b"x" * PART_BYTES
        finally:
            self.is_closed = True


@pytest.mark.parametrize("is_stream", [False, True], ids=["whole", "stream"])
async def test_a_client_that_does_not_read_is_cut_off(
    context, anna, monkeypatch, is_stream
) -> None:
    monkeypatch.setattr("prawko.kit.http.body_limits.PART_SECONDS", 0.2)
    unread = UnreadStream()

    @get("/api/test/stream", guards=[requires_login])
    async def stream() -> Stream:
        return Stream(unread.parts())

    app = create_app(context, extra_handlers=[large, stream])
    path = "/api/test/stream" if is_stream else LARGE_PATH
    sent = []
    requests = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive():
        if not requests:  # its connection stays open
            await asyncio.Event().wait()
        return requests.pop()

    async def send(message) -> None:
        sent.append(message)
        if len(sent) > 2:  # the client has read the first part
            await asyncio.Event().wait()

    cookie = f"prawko={anna.browser.cookies['prawko']}"
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET",
        "scheme": "http", "path": path, "raw_path": path.encode(),
        "query_string": b"", "root_path": "", "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8000),
        "headers": [(b"host", b"127.0.0.1:8000"), (b"cookie", cookie.encode())],
    }  # fmt: skip
    async with asyncio.timeout(5):
        await app(scope, receive, send)

    assert [len(message.get("body", b"")) for message in sent] == [0, PART_BYTES, PART_BYTES]
    assert sent[-1]["more_body"]
    assert unread.is_closed or not is_stream
