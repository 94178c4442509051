"""Names, after a run of all tests, each right of a login that no statement of the product used."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import pytest

from prawko_embedded import start_servers
from prawko_migrations import upgrade_database
from prawko_tenants.logins import provision_database
from support.used_rights import (
    SentStatement,
    StatementRecorder,
    derive_rights,
    fetch_granted,
    find_unused,
)


class RightsCheck:
    """A plugin of pytest, for the option `--unused-rights`; with `fails`, one is a failure.

    Each worker records what it has seen; the process that started them asks PostgreSQL.
    """

    def __init__(self, *, fails: bool) -> None:
        self._fails = fails
        self._recorder = StatementRecorder()
        self._recorder.install()
        self.unused: list[str] = []

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        sent = getattr(node, "workeroutput", {}).get("sent_statements", [])
        self._recorder.sent |= {(login, statement) for login, statement in sent}

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["sent_statements"] = sorted(self._recorder.sent)
        elif exitstatus == 0:
            self.unused = list_unused_rights(self._recorder.sent)
            session.exitstatus = 1 if self.unused and self._fails else 0

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        for sentence in self.unused:
            terminalreporter.write_line(sentence, red=True)


def list_unused_rights(sent: set[SentStatement]) -> list[str]:
    """Return a sentence for each right that the statements do not need, by a server of its own."""
    with (
        tempfile.TemporaryDirectory(prefix="prawko-rights-") as home,
        start_servers(Path(home), durable=False) as servers,
    ):
        logins = provision_database(servers.urls.admin_url, database="rights")
        upgrade_database(logins.owner)
        database = servers.urls.admin_url.replace("/postgres?", "/rights?")
        return asyncio.run(_compare(database, sent))


async def _compare(admin_url: str, sent: set[SentStatement]) -> list[str]:
    return find_unused(await fetch_granted(admin_url), await derive_rights(admin_url, sent))
