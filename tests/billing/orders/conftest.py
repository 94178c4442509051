"""Companies that order and pay with the fake provider."""

from datetime import datetime

import pytest

from prawko.hooks.payments import PaymentProvider
from prawko.kit.clock import WARSAW
from support.orders import PAYMENT_VARIABLES, OrderScenario
from support.people import Person


@pytest.fixture(autouse=True)
def fixed_date(clock) -> None:
    """Far from clock changes: 30 days are 30 times 24 hours."""
    clock.set(datetime(2026, 11, 21, 12, 0, tzinfo=WARSAW))


@pytest.fixture
def providers(fake) -> list[PaymentProvider]:
    """One provider for the panel and the worker, as they would call one server."""
    return [fake]


@pytest.fixture
def variables(variables) -> dict[str, str]:
    return {**variables, **PAYMENT_VARIABLES}


@pytest.fixture
def scenario(worker, logins, fake) -> OrderScenario:
    return OrderScenario(worker, logins, fake)


@pytest.fixture
async def newcomer(new_browser, worker, mailbox) -> Person:
    """A verified person whose company has no subscription."""
    person = Person("dorota@nowa.test", new_browser())
    await person.sign_up()
    await person.verify_email(worker, mailbox)
    return person
