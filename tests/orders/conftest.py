"""Companies that order and pay, with the fake provider."""

from datetime import datetime

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
