"""Companies that order and pay, with the fake provider."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime
from urllib.parse import urlsplit

import asyncpg
import pytest

from buying import TAKES_MONEY, Till
from persons import Person
from prawko.base.clock import WARSAW
from prawko.hooks.payments import PaymentProvider
from prawko.testing.fake_payments import FakeProvider


@pytest.fixture(autouse=True)
def winter(clock) -> None:
    """Far from the days on which the clocks change: 30 days are 30 times 24 hours."""
    clock.set(datetime(2026, 11, 21, 12, 0, tzinfo=WARSAW))


@pytest.fixture
def fake() -> FakeProvider:
    return FakeProvider()


@pytest.fixture
def providers(fake) -> list[PaymentProvider]:
    """The panel and the worker have the same one, as they would have the same server."""
    return [fake]


@pytest.fixture
def variables(variables) -> dict[str, str]:
    return {**variables, **TAKES_MONEY}


@pytest.fixture
def till(worker, logins, fake) -> Till:
    return Till(worker, logins, fake)


@pytest.fixture
async def newcomer(visitor, worker, mailbox) -> Person:
    """Somebody verified whose company has no subscription."""
    person = Person("dorota@nowa.test", visitor())
    await person.signs_up()
    await person.verifies(worker, mailbox)
    return person


@pytest.fixture
async def open_transactions(servers, logins) -> AsyncIterator[Callable[[], Awaitable[int]]]:
    """Counts the transactions that wait for their process, as only a superuser sees them."""
    connection = await asyncpg.connect(servers.servers.admin_url)
    database = urlsplit(logins.app).path.removeprefix("/")

    async def count() -> int:
        return await connection.fetchval(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = $1"
            " AND state LIKE 'idle in transaction%'",
            database,
        )

    yield count
    await connection.close()
