"""A second PostgreSQL server, on which backups are restored."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from prawko_embedded import EmbeddedServers, start_servers
from support.postgres_tools import POSTGRES_PROGRAMS
from support.processes import run_prawko


@pytest.fixture(scope="session")
def other_servers() -> Iterator[EmbeddedServers]:
    """A server that has none of our roles or databases yet."""
    with (
        tempfile.TemporaryDirectory(prefix="prawko-restored-") as home,
        start_servers(Path(home), durable=False) as running,
    ):
        yield running


@pytest.fixture
def run_db():
    """Runs `prawko db …` and returns its output; fails with what it printed on standard error."""

    def run(*arguments: str, **variables: str) -> str:
        result = run_prawko("db", *arguments, **variables, POSTGRES_PROGRAMS=str(POSTGRES_PROGRAMS))
        assert result.returncode == 0, result.stderr
        return result.stdout

    return run
