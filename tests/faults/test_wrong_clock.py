"""Worker processes whose clock is wrong: they stop, and nothing is lost, ended or held up."""

import asyncio
import time
from datetime import timedelta

import pytest

from faults.check_worker import run_shifted
from faults.worker_processes import DRIVERS, VERIFIED
from prawko.kit.clock import utc_now
from support.processes import start_process, wait_for_exit
from support.wrong_clock import DAMAGE, INCIDENT, expose_to_wrong_clock

pytestmark = pytest.mark.anyio

SHIFTS = [timedelta(days=400), timedelta(hours=2), -timedelta(hours=2), timedelta(seconds=40)]
IDS = ["400-days-ahead", "2-hours-ahead", "2-hours-behind", "40-seconds-ahead"]
SEEN_SECONDS = 15.0
WRONG_SECONDS = 8.0


@pytest.fixture
async def workers(worker_processes):
    await expose_to_wrong_clock(worker_processes.fleet)
    worker_processes.set_register_rate(16)
    return worker_processes


@pytest.mark.parametrize("shift", SHIFTS[:3], ids=IDS[:3])
async def test_a_clock_that_jumps_stops_the_worker_until_it_is_right(workers, shift) -> None:
    workers.start_workers()
    await workers.wait_for_count(VERIFIED, 20)
    workers.shift_clock(shift)
    await workers.wait_for_count(INCIDENT, 1, SEEN_SECONDS)
    await workers.wait_until_idle()
    checked = await workers.fleet.fetch_value(VERIFIED)
    await asyncio.sleep(WRONG_SECONDS)
    assert await workers.fleet.fetch_value(VERIFIED) == checked < DRIVERS
    assert await workers.fleet.fetch_value(DAMAGE) == 0, workers.output()

    workers.shift_clock(timedelta(0))
    righted_at = time.monotonic()
    await workers.wait_for_count(VERIFIED, checked + 1, SEEN_SECONDS)
    assert time.monotonic() - righted_at < SEEN_SECONDS
    await workers.wait_until_done()

    await workers.assert_complete()
    assert await workers.fleet.fetch_value(DAMAGE) == 0
    closed = f"{INCIDENT} AND closed_at BETWEEN opened_at AND now()"
    assert await workers.fleet.fetch_value(closed) == 1


async def test_beside_a_worker_with_a_wrong_clock_the_others_go_on(workers) -> None:
    workers.start_workers()
    await workers.wait_for_count(VERIFIED, 20)
    workers.shift_clock(timedelta(days=400))
    await workers.wait_for_count(INCIDENT, 1, SEEN_SECONDS)
    workers.clock_shift = workers.clock_shift.with_name("another-machine")
    workers.start_workers()

    await workers.wait_until_done()

    await workers.assert_complete()
    assert await workers.fleet.fetch_value(DAMAGE) == 0
    mailed = "SELECT count(*) FROM incident WHERE kind = 'clock_differs' AND mailed_at IS NOT NULL"
    await workers.wait_for_count(mailed, 1, SEEN_SECONDS)


@pytest.mark.parametrize("shift", SHIFTS, ids=IDS)
async def test_a_worker_does_not_start_with_a_wrong_clock(
    fleet, logins, variables, tmp_path, shift
) -> None:
    await fleet.add_companies(["AB000001"], utc_now())
    await expose_to_wrong_clock(fleet)
    (tmp_path / "shift").write_text(str(shift.total_seconds()))
    login = {"DATABASE_URL": logins.worker, "PLANNER_DATABASE_URL": logins.planner}
    settings = {**variables, **login, "REGISTER": "public", "MAIL_CHANNEL": "smtp"}
    settings |= {
        "REGISTER_PUBLIC_URL": "http://127.0.0.1:9",
        "CHANNEL_SMTP_HOST": "127.0.0.1",
        "CHANNEL_SMTP_PORT": "9",
        "CHANNEL_SMTP_TLS": "none",
        "CHANNEL_SMTP_SENDER": "Prawko <prawko@prawko.test>",
    }

    process = start_process(
        run_shifted, tmp_path / "shift", variables=settings, output_folder=tmp_path
    )
    code = await asyncio.to_thread(wait_for_exit, process)

    errors = (tmp_path / "err").read_text()
    assert code == 2, errors
    side = "ahead of" if shift > timedelta(0) else "behind"
    assert f"prawko: this machine's clock is {abs(shift)} {side} PostgreSQL's" in errors
    assert "Traceback" not in errors
    assert await fleet.fetch_value(INCIDENT) == 1
    assert await fleet.fetch_value(DAMAGE) == 0
