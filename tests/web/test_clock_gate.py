"""Panel and console while the clock of their machine differs from PostgreSQL's."""

import asyncio
import dataclasses
from datetime import datetime, timedelta

import pytest

from prawko.kit import clock
from prawko.kit.clock import ClockGuard, GuardedClock
from prawko.kit.incidents import clock_monitoring
from prawko.kit.incidents.clock_monitoring import check_clock, watch_clock
from support.database import fetch_rows
from support.people import PASSWORD
from support.waiting import wait_until

pytestmark = pytest.mark.anyio

SHIFTS = [timedelta(days=400), timedelta(hours=2), -timedelta(hours=2), timedelta(seconds=11)]
IDS = ["400-days-ahead", "2-hours-ahead", "2-hours-behind", "11-seconds-ahead"]
WRITTEN = """
    SELECT (SELECT count(*) FROM login_session) AS sessions,
           (SELECT max(last_seen_at) FROM login_session) AS seen_at,
           (SELECT count(*) FROM throttle) AS hits, (SELECT count(*) FROM driver) AS drivers
"""


@pytest.fixture
def move_clock(monkeypatch):
    """Moves this machine's clock."""
    true_time, moved = datetime.now, [timedelta(0)]

    class ShiftedDatetime(datetime):
        @classmethod
        def now(cls, tz=None):
            return true_time(tz) + moved[0]

    monkeypatch.setattr(clock, "datetime", ShiftedDatetime)

    def move(shift: timedelta) -> None:
        moved[0] = shift

    return move


@pytest.mark.parametrize("shift", SHIFTS, ids=IDS)
async def test_a_panel_refuses_everything_while_its_clock_is_wrong(
    anna, context, logins, move_clock, shift
) -> None:
    await check_clock(context, opens_incidents=False)
    before = await fetch_rows(logins, WRITTEN)
    move_clock(shift)

    answers = [
        await anna.get("/api/drivers"),
        await anna.post("/api/login", {"email": anna.email, "password": PASSWORD}),
        await anna.post("/api/drivers", {"firstName": "Jan", "lastName": "Kos"}),
        await anna.get("/"),
        await anna.get("/health/ready"),
    ]

    for answer in answers:
        assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")
        assert answer.headers["retry-after"] == "5"
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert (await anna.get("/health/live")).status_code == 200
    assert await fetch_rows(logins, WRITTEN) == before

    move_clock(timedelta(0))
    assert (await anna.get("/api/drivers")).status_code == 200
    assert (await anna.get("/health/ready")).status_code == 200


async def test_the_console_refuses_everything_while_its_clock_is_wrong(
    olga, console, move_clock
) -> None:
    assert (await olga.get("/api/admin/session")).status_code == 200
    await check_clock(console, opens_incidents=False)
    move_clock(timedelta(days=-2))

    for path in ("/api/admin/session", "/api/admin/users", "/admin"):
        answer = await olga.get(path)
        assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")


async def test_a_request_that_reads_the_time_of_a_wrong_clock_fails(
    context, move_clock, browser_for_app
) -> None:
    """The clock jumped after the gate had let the request through."""
    await check_clock(context, opens_incidents=False)
    guarded = dataclasses.replace(
        context, clock=GuardedClock(context.clock, context.clock_guard), clock_guard=ClockGuard()
    )
    move_clock(timedelta(hours=2))

    answer = await browser_for_app(guarded).post(
        "/api/register",
        json={"email": "late@acme.test", "password": PASSWORD},
    )

    assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")


async def test_a_jump_of_the_clock_is_logged_and_seen_at_once(context, move_clock, caplog) -> None:
    name = clock_monitoring.__name__

    def count(event: str, level: str) -> int:
        records = [one for one in caplog.records if one.name == name and one.levelname == level]
        return sum(event in str(one.msg) for one in records)

    with caplog.at_level("INFO", logger=name):
        watching = asyncio.create_task(watch_clock(context, opens_incidents=False))
        await asyncio.sleep(0.5)
        move_clock(timedelta(hours=2))
        await wait_until(lambda: count("clock_differs", "CRITICAL"), 4)
        move_clock(timedelta(0))
        await wait_until(lambda: count("clock_agrees", "INFO"), 4)
        watching.cancel()

    assert (count("clock_differs", "CRITICAL"), count("clock_agrees", "INFO")) == (1, 1)
