"""What the demo tells its processes: everything they may know, in one file.

The product's own variables stand in it, so that nothing a person has exported for something
else (a real mail server, say) reaches a demo.
"""

import os
import time
from pathlib import Path
from typing import Any

import msgspec

from prawko_demo import mailbox, payments
from prawko_demo.clock import FileClock
from prawko_demo.keys import write_secret

VARIABLE = "PRAWKO_DEMO"  # the demo's folder
STAGE_FILE = "stage.json"
CLOCK_FILE = "clock"
MAILBOX_FILE = "mailbox.sqlite"
SANDBOX_FILE = "sandbox.sqlite"
WORKER_MARK = "worker.ready"
SECONDS_TO_LOOK_AGAIN = 0.02

PLUGINS: dict[str, Any] = {"demo-mailbox": mailbox, "demo-payments": payments}


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """One demo as its processes see it; `panel` and `worker` are the product's variables."""

    folder: str
    control_url: str
    panel: dict[str, str]
    worker: dict[str, str]

    @classmethod
    def here(cls) -> "Stage":
        """The demo that this process belongs to, as soon as it is ready to be told."""
        path = Path(os.environ[VARIABLE], STAGE_FILE)
        while not path.exists():
            time.sleep(SECONDS_TO_LOOK_AGAIN)
        return msgspec.json.decode(path.read_bytes(), type=cls)

    def publish(self) -> None:
        """Tell the processes that wait."""
        write_secret(Path(self.folder, STAGE_FILE), msgspec.json.encode(self))

    def clock(self) -> FileClock:
        """The clock that the doors move and all processes follow."""
        return FileClock(Path(self.folder, CLOCK_FILE))

    def mailbox(self) -> mailbox.Mailbox:
        """Where every mail and SMS of the demo ends up."""
        return mailbox.Mailbox(Path(self.folder, MAILBOX_FILE))
