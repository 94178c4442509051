"""Panel and console on a machine whose clock is wrong: they do not start, or serve nobody."""

import sys
from datetime import timedelta

import httpx
import pytest

from ops.server_process import ServerProcess
from support.processes import free_port
from support.waiting import poll

SHIFTS = {
    "400-days-ahead": timedelta(days=400),
    "2-hours-behind": -timedelta(hours=2),
    "15-seconds-ahead": timedelta(seconds=15),
}
SEEN_SECONDS = 15.0


@pytest.fixture(params=["serve", "console"])
def server(request, logins, product_variables, tmp_path):
    port, login = free_port(), {"serve": logins.app, "console": logins.operator}[request.param]
    variables = {
        **product_variables, "DATABASE_URL": login, "PORT": str(port), "LOG_LEVEL": "INFO",
        "CLOCK_SHIFT": str(tmp_path / "shift"),
    }  # fmt: skip
    process = ServerProcess(
        [sys.executable, "-m", "ops.shifted_server", request.param],
        variables, tmp_path / "log", f"http://127.0.0.1:{port}",
    )  # fmt: skip
    yield process
    process.kill()


def status(server: ServerProcess, path: str) -> int:
    return httpx.get(f"{server.url}{path}", trust_env=False, timeout=5).status_code


@pytest.mark.parametrize("shift", SHIFTS.values(), ids=SHIFTS)
def test_a_server_does_not_start_with_a_wrong_clock(server, tmp_path, shift) -> None:
    (tmp_path / "shift").write_text(str(shift.total_seconds()))

    assert server.start().wait() == 2

    output = server.log.read_text()
    side = "ahead of" if shift > timedelta(0) else "behind"
    assert f"prawko: this machine's clock is {abs(shift)} {side} PostgreSQL's" in output
    assert "Traceback" not in output


def test_a_server_whose_clock_jumps_serves_nobody_until_it_is_right(server, tmp_path) -> None:
    server.start().wait_until_ready()
    (tmp_path / "shift").write_text("7200")

    assert status(server, "/health/ready") == 503
    assert status(server, "/health/live") == 200
    poll(lambda: "2:00:00 ahead of PostgreSQL's" in server.log.read_text(), SEEN_SECONDS)

    (tmp_path / "shift").unlink()
    server.wait_until_ready()
    poll(lambda: "clock_agrees" in server.log.read_text(), SEEN_SECONDS)
    assert server.stop() == 0
