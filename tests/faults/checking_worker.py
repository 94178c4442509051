"""A worker of the product whose messages go into the file it is given, a line each."""

import asyncio
import os
import sys
from pathlib import Path

from prawko.base.start import open_tools
from prawko.hooks.channels import Medium, Notice, Recipient
from prawko.testing.fakes import FakeRegister, RecordingChannel, fake_plugin
from prawko.worker.main import work


class _FileChannel(RecordingChannel):
    def __init__(self, file: Path) -> None:
        super().__init__(Medium.EMAIL)
        self._file = file

    async def deliver(self, notice: Notice, recipient: Recipient, *, key: str) -> None:
        with self._file.open("a") as lines:
            lines.write(f"{key}\n")


def main(file: Path) -> None:
    plugin = fake_plugin(FakeRegister(), _FileChannel(file))
    asyncio.run(work(open_tools(os.environ, extra_plugins={"fakes": plugin})))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
