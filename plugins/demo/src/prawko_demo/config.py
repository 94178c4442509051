"""The configuration of the demo's processes, in one file.

It has all of the product's variables, so that none of the caller's environment (a real mail
server, for example) takes effect in a demo, unless the caller chooses a plugin of others.
"""

import os
import time
from pathlib import Path
from typing import Any

import msgspec

from prawko_demo import mailbox, payments
from prawko_demo.clock import FileClock
from prawko_embedded.secret_file import write_secret_file

FOLDER_VARIABLE = "PRAWKO_DEMO"  # the demo's folder
CONFIG_FILE = "config.json"
CLOCK_FILE = "clock"
MAILBOX_FILE = "mailbox.sqlite"
SANDBOX_FILE = "sandbox.sqlite"
WORKER_READY_FILE = "worker.ready"
POLL_SECONDS = 0.02

PLUGINS: dict[str, Any] = {"demo-mailbox": mailbox, "demo-payments": payments}

WIDE_LIMIT = 100_000  # everybody who uses a demo, and every test, has the same IP address
LIMIT_PER_EMAIL = 20  # the demo's accounts are used more often than a forgotten password
# In place of the product's, by the names of `prawko.limits`.
MAX_TRIES = {
    **dict.fromkeys(
        (
            "login_address", "register", "reset_address", "mailbox_day", "phone_code_number",
            "phone_code_address", "check_driver", "check_company", "order", "trial_address",
        ),
        WIDE_LIMIT,
    ),
    "register_email": LIMIT_PER_EMAIL,
    "reset_email": LIMIT_PER_EMAIL,
}  # fmt: skip


class DemoConfig(msgspec.Struct, frozen=True, kw_only=True):
    """The demo's folder, its simulator's control API, and the product's variables by process."""

    folder: str
    control_url: str
    panel_variables: dict[str, str]
    console_variables: dict[str, str]
    worker_variables: dict[str, str]

    @classmethod
    def load(cls) -> "DemoConfig":
        """Wait for the configuration of the demo that this process belongs to, and return it."""
        path = Path(os.environ[FOLDER_VARIABLE], CONFIG_FILE)
        while not path.exists():
            time.sleep(POLL_SECONDS)
        return msgspec.json.decode(path.read_bytes(), type=cls)

    def save(self) -> None:
        """Write the file that waiting processes load."""
        write_secret_file(Path(self.folder, CONFIG_FILE), msgspec.json.encode(self))

    def open_clock(self) -> FileClock:
        """Return the clock that the developer tools move."""
        return FileClock(Path(self.folder, CLOCK_FILE))

    def open_mailbox(self) -> mailbox.Mailbox:
        """Return the mailbox with every e-mail and SMS of the demo."""
        return mailbox.Mailbox(Path(self.folder, MAILBOX_FILE))
