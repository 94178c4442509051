"""Companies that order and pay with the fake provider."""

from datetime import datetime

import pytest

from prawko.kit.clock import WARSAW
from support.fake_payments import providers, variables  # noqa: F401 (fixtures)
from support.orders import OrderScenario


@pytest.fixture(autouse=True)
def fixed_date(clock) -> None:
    """Far from clock changes: 30 days are 30 times 24 hours."""
    clock.set(datetime(2026, 11, 21, 12, 0, tzinfo=WARSAW))


@pytest.fixture
def scenario(worker, logins, fake) -> OrderScenario:
    return OrderScenario(worker, logins, fake)
