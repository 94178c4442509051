"""A worker of the product whose messages go into the file it is given, a line each.

Its timetable's minute passes in two seconds: what was lost is found again as it is, only sooner.
"""

import asyncio
import os
from datetime import timedelta
from pathlib import Path

import msgspec

from prawko.base.start import open_tools
from prawko.hooks.channels import Medium, Notice, Recipient
from prawko.testing.fakes import FakeRegister, RecordingChannel, fake_plugin
from prawko.verifications.jobs import reconcile
from prawko.worker import ticker
from prawko.worker.main import work

MINUTE = timedelta(seconds=2)


class _FileChannel(RecordingChannel):
    def __init__(self, file: Path) -> None:
        super().__init__(Medium.EMAIL)
        self._file = file

    async def deliver(self, notice: Notice, recipient: Recipient, *, key: str) -> None:
        with self._file.open("a") as lines:
            lines.write(f"{key}\n")


def check(file: Path) -> None:
    """Work until the process is told to end."""
    ticker.TICK = MINUTE
    ticker.TIMETABLE = [
        msgspec.structs.replace(one, every=MINUTE) if one.job is reconcile else one
        for one in ticker.TIMETABLE
    ]
    plugin = fake_plugin(FakeRegister(), _FileChannel(file))
    asyncio.run(work(open_tools(os.environ, extra_plugins={"fakes": plugin})))
