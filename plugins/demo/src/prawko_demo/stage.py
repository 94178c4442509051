"""What the demo tells its processes: everything they may know, in one variable.

The product's own variables travel inside it, so that nothing a person has exported for
something else (a real mail server, say) reaches a demo.
"""

import os
from pathlib import Path
from typing import Any

import msgspec

from prawko_demo import mailbox
from prawko_demo.clock import FileClock

VARIABLE = "PRAWKO_DEMO"
CLOCK_FILE = "clock"
MAILBOX_FILE = "mailbox.sqlite"
WORKER_MARK = "worker.ready"

PLUGINS: dict[str, Any] = {"demo-mailbox": mailbox}


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """One demo as its processes see it; `panel` and `worker` are the product's variables."""

    folder: str
    control_url: str
    panel: dict[str, str]
    worker: dict[str, str]

    @classmethod
    def here(cls) -> "Stage":
        """The demo that this process belongs to."""
        return msgspec.json.decode(os.environ[VARIABLE], type=cls)

    def told(self) -> dict[str, str]:
        """The environment that hands it on."""
        return {VARIABLE: msgspec.json.encode(self).decode()}

    def clock(self) -> FileClock:
        """The clock that the doors move and all processes follow."""
        return FileClock(Path(self.folder, CLOCK_FILE))

    def mailbox(self) -> mailbox.Mailbox:
        """Where every mail and SMS of the demo ends up."""
        return mailbox.Mailbox(Path(self.folder, MAILBOX_FILE))

    @property
    def worker_mark(self) -> Path:
        """The file that says that the worker works; it holds the process id."""
        return Path(self.folder, WORKER_MARK)
