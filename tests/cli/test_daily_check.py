"""`prawko daily-check` at a terminal: its bar moves, Ctrl-C stops it, calling it again resumes."""

import asyncio
import json
import os
import re
import signal
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from fleet import numbers, overseen
from prawko.base.clock import machine_now
from prawko_demo.register import running_register

pytestmark = pytest.mark.anyio

PRAWKO = Path(sys.executable).parent / "prawko"
LICENCES = numbers(320)
PER_SECOND = 40  # slow enough: what is reserved ahead is asked after Ctrl-C, too
SECONDS = 60


class Terminal:
    """Somebody's terminal with the command in it; the bar is drawn on its standard error."""

    def __init__(self, variables: dict[str, str]) -> None:
        self._variables = {**variables, "TERM": "xterm", "COLUMNS": "100"}
        self.shown = ""

    async def check(self) -> None:
        self._screen, drawn_on = os.openpty()
        self.process = await asyncio.create_subprocess_exec(
            PRAWKO, "daily-check",
            env=self._variables, stdout=asyncio.subprocess.PIPE, stderr=drawn_on,
        )  # fmt: skip
        os.close(drawn_on)

    async def bar_moves(self) -> None:
        """Wait until some are done and some are not."""
        async with asyncio.timeout(SECONDS):
            while not any(0 < done < len(LICENCES) for done in self.figures()):
                assert await self._look(), self.shown

    async def ends(self) -> tuple[int, dict]:
        """The exit code and the report."""
        async with asyncio.timeout(SECONDS):
            while await self._look():
                pass
            said, _ = await self.process.communicate()
        os.close(self._screen)
        return self.process.returncode, json.loads(said)

    def figures(self) -> list[int]:
        """What the bar has said so far: how many are done."""
        return [int(done) for done in re.findall(rf"(\d+)/{len(LICENCES)}", self.shown)]

    async def _look(self) -> bool:
        with suppress(OSError):  # nobody draws any more
            drawn = await asyncio.to_thread(os.read, self._screen, 65_536)
            self.shown += drawn.decode()
            return bool(drawn)
        return False


async def test_it_shows_how_far_it_is_and_goes_on_where_it_was_interrupted(
    servers, logins, variables, tmp_path
) -> None:
    async with (
        overseen(servers, logins) as fleet,
        running_register(tmp_path / "register", delay=0.02) as simulator,
    ):
        await fleet.add(LICENCES, machine_now(), companies=3)
        own = {
            **variables,
            "DATABASE_URL": logins.worker,
            "PLANNER_DATABASE_URL": logins.planner,
            "MAIL_CHANNEL": "smtp",
            "CHANNEL_SMTP_HOST": "127.0.0.1",
            "CHANNEL_SMTP_TLS": "none",
            "CHANNEL_SMTP_SENDER": "prawko@prawko.test",
            "REGISTER": "upki",
            "REGISTER_RATE": str(PER_SECOND),
            "REGISTER_UPKI_URL": simulator.address.soap_url,
            "REGISTER_UPKI_P12": simulator.address.p12,
            "REGISTER_UPKI_P12_PASSWORD": simulator.address.p12_password,
            "REGISTER_UPKI_CA": simulator.address.ca,
            "REGISTER_UPKI_SERVER_NAME": simulator.address.server_name,
        }
        first, second = Terminal(own), Terminal(own)

        await first.check()
        await first.bar_moves()
        first.process.send_signal(signal.SIGINT)
        code, report = await first.ends()
        assert code == 130
        assert "interrupted; call again to resume" in first.shown
        assert report["planned"] == len(LICENCES)
        assert 0 < report["done"] < len(LICENCES)
        assert report["unresolved"] == len(LICENCES) - report["done"]

        await second.check()
        code, rest = await second.ends()
        assert code == 0
        assert (rest["planned"], rest["unresolved"]) == (0, 0)
        assert rest["done"] == len(LICENCES) - report["done"]
        # The second bar begins where the first one stopped, and neither goes back.
        bars = first.figures() + second.figures()
        assert bars == sorted(bars)
        assert second.figures()[-1] == len(LICENCES)

        fates = await fleet.fates()
        assert {fate["status"] for fate in fates.values()} == {"valid"}
        assert {fate["verifications"] for fate in fates.values()} == {1}
        assert set(simulator.shelf.calls.values()) == {1}
