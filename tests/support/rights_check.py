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

# What the last run of all tests sent: `--last-failed` completes it. `make test` and `make drills`
# are its two halves, and the rights are compared at the end of the second.
SENT_STATEMENTS = "prawko/sent_statements"
FIRST_HALF, SECOND_HALF = "not drill", "drill"
# The exit code of a run whose tests passed: none of its own could be repeated.
UNUSED_RIGHTS = 6


class RightsCheck:
    """A plugin of pytest, for the option `--unused-rights`; with `fails`, one is a failure.

    Each worker records what it has seen; the process that started them asks PostgreSQL, once each
    test has passed: in a run of all, or in the `--last-failed` after one.
    """

    def __init__(self, *, fails: bool) -> None:
        self._fails = fails
        self._recorder = StatementRecorder()
        self._recorder.install()
        self.sentences: list[str] = []

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        sent = getattr(node, "workeroutput", {}).get("sent_statements", [])
        self._recorder.sent |= {(login, statement) for login, statement in sent}

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["sent_statements"] = sorted(self._recorder.sent)
            return
        sent_by_all = None
        if exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
            sent_by_all = _merge_statements(session.config, self._recorder.sent)
        if sent_by_all is None:
            self.sentences = ["Rights are compared after all tests: make test, then make drills."]
        elif exitstatus != pytest.ExitCode.OK:
            self.sentences = ["Rights are compared once each test has passed (--last-failed)."]
        elif unused := list_unused_rights(sent_by_all):
            self.sentences = unused
            session.exitstatus = UNUSED_RIGHTS if self._fails else exitstatus
        else:
            self.sentences = [f"Each right is used by one of {len(sent_by_all)} statements."]

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.section("rights of the database logins")
        for sentence in self.sentences:
            terminalreporter.write_line(sentence)


def _merge_statements(config: pytest.Config, sent: set[SentStatement]) -> set[SentStatement] | None:
    """Return what all tests have sent; None when this was a run of some. Save it by its half."""
    half = config.getoption("markexpr")
    is_chosen = any(config.getoption(name) for name in ("keyword", "deselect", "ignore"))
    if config.args_source == pytest.Config.ArgsSource.ARGS or is_chosen:
        return None
    if half and half not in {FIRST_HALF, SECOND_HALF}:
        return None
    if config.getoption("lf"):
        saved = _load_statements(config, half)
        if saved is None:
            return None
        sent = sent | saved
    config.cache.set(f"{SENT_STATEMENTS}/{half}", sorted(sent))
    if half == FIRST_HALF:
        return None
    if half == SECOND_HALF:
        first = _load_statements(config, FIRST_HALF)
        return None if first is None else first | sent
    return sent


def _load_statements(config: pytest.Config, half: str) -> set[SentStatement] | None:
    saved = config.cache.get(f"{SENT_STATEMENTS}/{half}", None)
    return None if saved is None else {(login, statement) for login, statement in saved}


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
