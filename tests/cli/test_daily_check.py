"""`prawko daily-check` in a terminal: progress bar, interruption by Ctrl-C and resumption."""

import asyncio
import json
import os
import re
import signal
from collections import Counter
from contextlib import suppress

import pytest

from prawko.kit.clock import utc_now
from prawko.verifications.daily.worker import MAX_WORKERS
from prawko_demo.register import run_register_simulator
from support.fleet import licence_numbers, open_fleet
from support.processes import CLOCK_VARIABLES, PRAWKO

pytestmark = pytest.mark.anyio

LICENCES = licence_numbers(320)
REGISTER_RATE = 40  # slow, because reserved queries are still sent after Ctrl-C
CONCURRENCY = 2
# At most eight queries are in flight, so the interrupted run could not be over within a minute.
ANSWER_SECONDS = 1.5
SECONDS = 120


class Terminal:
    """A pseudo-terminal running the command; the progress bar is on its standard error."""

    def __init__(self, variables: dict[str, str]) -> None:
        self._variables = {**CLOCK_VARIABLES, **variables, "TERM": "xterm", "COLUMNS": "100"}
        self.output = ""

    async def start_check(self) -> None:
        self._screen, terminal = os.openpty()
        self.process = await asyncio.create_subprocess_exec(
            PRAWKO, "daily-check",
            env=self._variables, stdout=asyncio.subprocess.PIPE, stderr=terminal,
        )  # fmt: skip
        os.close(terminal)

    async def wait_for_progress(self) -> None:
        """Wait until some drivers are done and some are not."""
        async with asyncio.timeout(SECONDS):
            while not any(0 < count < len(LICENCES) for count in self.progress_values()):
                assert await self._read_screen(), self.output

    async def wait_for_exit(self) -> tuple[int, dict]:
        """The exit code and the report."""
        async with asyncio.timeout(SECONDS):
            while await self._read_screen():
                pass
            output, _ = await self.process.communicate()
        os.close(self._screen)
        return self.process.returncode, json.loads(output)

    def progress_values(self) -> list[int]:
        """Numbers of done drivers that the progress bar has shown so far."""
        return [int(count) for count in re.findall(rf"(\d+)/{len(LICENCES)}", self.output)]

    async def _read_screen(self) -> bool:
        with suppress(OSError):  # the command has exited
            text = await asyncio.to_thread(os.read, self._screen, 65_536)
            self.output += text.decode()
            return bool(text)
        return False


async def test_it_shows_its_progress_and_resumes_after_an_interruption(
    servers, logins, variables, tmp_path
) -> None:
    """Only drivers whose query was in flight are queried a second time (docs/rules.md R33)."""
    async with (
        open_fleet(servers, logins) as fleet,
        run_register_simulator(tmp_path / "register", delay=ANSWER_SECONDS) as simulator,
    ):
        await fleet.add_companies(LICENCES, utc_now(), companies=3)
        address = simulator.address
        process_variables = {
            **variables, "DATABASE_URL": logins.worker, "PLANNER_DATABASE_URL": logins.planner,
            "MAIL_CHANNEL": "smtp", "CHANNEL_SMTP_HOST": "127.0.0.1", "CHANNEL_SMTP_TLS": "none",
            "CHANNEL_SMTP_SENDER": "prawko@prawko.test", "REGISTER": "upki",
            "REGISTER_RATE": str(REGISTER_RATE), "REGISTER_MAX_CONCURRENCY": str(CONCURRENCY),
            "REGISTER_DEADLINE": str(SECONDS), "REGISTER_UPKI_URL": address.soap_url,
            "REGISTER_UPKI_P12": address.p12, "REGISTER_UPKI_P12_PASSWORD": address.p12_password,
            "REGISTER_UPKI_CA": address.ca, "REGISTER_UPKI_SERVER_NAME": address.server_name,
        }  # fmt: skip
        first, second = Terminal(process_variables), Terminal(process_variables)

        await first.start_check()
        await first.wait_for_progress()
        first.process.send_signal(signal.SIGINT)
        code, report = await first.wait_for_exit()
        assert code == 130
        assert "interrupted; call again to resume" in first.output
        assert report["planned"] == len(LICENCES)
        assert 0 < report["done"] < len(LICENCES)
        assert report["unresolved"] == len(LICENCES) - report["done"]
        rows = await fleet.driver_rows()
        done = {number for number, row in rows.items() if row["verifications"]}
        assert len(done) == report["done"]
        calls = simulator.document_store.calls.copy()
        assert set(calls.values()) == {1}
        assert done <= calls.keys()
        assert len(calls) - len(done) <= MAX_WORKERS * CONCURRENCY

        simulator.control.delay = 0.0
        await second.start_check()
        code, rest = await second.wait_for_exit()
        assert code == 0
        assert (rest["planned"], rest["unresolved"]) == (0, 0)
        assert rest["done"] == len(LICENCES) - report["done"]
        # The second bar starts where the first one stopped, and neither goes back.
        bars = first.progress_values() + second.progress_values()
        assert bars == sorted(bars)
        assert second.progress_values()[-1] == len(LICENCES)

        rows = await fleet.driver_rows()
        assert {row["status"] for row in rows.values()} == {"valid"}
        assert {row["verifications"] for row in rows.values()} == {1}
        assert simulator.document_store.calls == calls + Counter(set(LICENCES) - done)
