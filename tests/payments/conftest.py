"""A payment scenario with the fake provider."""

import pytest

from prawko.hooks.payments import PaymentProvider
from prawko_testing.fake_payments import FakePaymentProvider
from support.payments import SELLER_VARIABLES, PaymentScenario


@pytest.fixture
def providers(fake) -> list[PaymentProvider]:
    """The web process and the worker share one provider, as they would share its server."""
    return [fake]


@pytest.fixture
def variables(variables) -> dict[str, str]:
    return {**variables, **SELLER_VARIABLES, "PAYMENT_PROVIDERS": FakePaymentProvider.name}


@pytest.fixture
async def scenario(context, worker, logins, new_browser) -> PaymentScenario:
    created = PaymentScenario(context, worker, logins, new_browser())
    await created.create_company()
    return created
