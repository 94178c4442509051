"""A request's id: from a safe header or new, in the response, its log lines and its jobs."""

import json
import logging

import pytest
import saq

from prawko.apps.worker.main import _create_handler
from prawko.kit.observability import logs
from prawko.kit.observability.request_ids import SAFE_ID, current_request_id, request_id_bound
from prawko.kit.work.jobs import job
from prawko.kit.work.queue import REQUEST_ID, SaqQueue

pytestmark = pytest.mark.anyio

GIVEN = "proxy-0123456789.abc"


@pytest.mark.parametrize(
    "unsafe",
    [
        "short",
        "x" * 65,
        "a b c d e f g h",
        '12345678","event":"forged',
        "zażółć-gęślą",
        "-12345678",
    ],
)
async def test_an_unsafe_id_is_replaced(new_browser, unsafe) -> None:
    answer = await new_browser().get("/api/user", headers={"X-Request-ID": unsafe.encode()})

    given = answer.headers["x-request-id"]
    assert SAFE_ID.fullmatch(given)
    assert given != unsafe


async def test_a_safe_id_is_kept_and_others_are_unique(new_browser) -> None:
    browser = new_browser()

    kept = await browser.get("/health/live", headers={"X-Request-ID": GIVEN})
    unmatched = await browser.get("/api/nothing", headers={"X-Request-ID": GIVEN})
    made = {(await browser.get("/health/live")).headers["x-request-id"] for _ in range(3)}

    assert kept.headers["x-request-id"] == unmatched.headers["x-request-id"] == GIVEN
    assert len(made) == 3
    assert current_request_id() == ""


async def test_the_lines_of_a_request_have_its_id(new_browser, capsys) -> None:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    logs.configure_logging("INFO")
    try:
        answer = await new_browser().post(
            "/api/login",
            json={"email": "nikt@acme.test", "password": "Zle0haslo"},
            headers={"X-Request-ID": GIVEN},
        )
    finally:
        root.handlers[:], level = before
        root.setLevel(level)

    assert answer.status_code == 401
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    [rejected] = [line for line in lines if line["event"] == "request_rejected"]
    assert rejected["request_id"] == GIVEN


async def test_a_job_has_the_id_of_the_request_that_enqueued_it(context, servers) -> None:
    seen = []

    @job(timeout=5)
    async def note(context) -> None:
        seen.append(current_request_id())

    queue = SaqQueue(servers.urls.redis_url)
    stored = []

    async def store(saq_job):
        stored.append(saq_job)

    queue.saq.enqueue = store
    with request_id_bound(GIVEN):
        await queue.enqueue(note)
    handle = _create_handler(context, note)
    await handle({"job": stored[0]}, payload={})
    await handle({"job": saq.Job(function="of a former release")}, payload={})
    await note(context)
    await queue.close()

    assert stored[0].meta == {REQUEST_ID: GIVEN}
    assert seen[0] == GIVEN
    assert all(SAFE_ID.fullmatch(one) for one in seen)
    assert len(set(seen)) == 3
