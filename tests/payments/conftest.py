"""A shop with the fake provider."""

import pytest

from payments_shop import SELLER, Shop
from prawko.hooks.payments import PaymentProvider
from prawko.testing.fake_payments import FakeProvider


@pytest.fixture
def fake() -> FakeProvider:
    return FakeProvider()


@pytest.fixture
def providers(fake) -> list[PaymentProvider]:
    """The panel and the worker have the same one, as they would have the same server."""
    return [fake]


@pytest.fixture
def variables(variables) -> dict[str, str]:
    return {**variables, **SELLER, "PAYMENT_PROVIDERS": FakeProvider.name}


@pytest.fixture
async def shop(tools, worker, logins, visitor) -> Shop:
    opened = Shop(tools, worker, logins, visitor())
    await opened.opens()
    return opened
