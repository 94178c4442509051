"""A payment scenario with the fake provider."""

import pytest

from support.fake_payments import providers, variables  # noqa: F401 (fixtures)
from support.payments import PaymentScenario


@pytest.fixture
async def scenario(context, worker, logins, new_browser) -> PaymentScenario:
    created = PaymentScenario(context, worker, logins, new_browser())
    await created.create_company()
    return created
