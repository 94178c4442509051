"""A fake Stripe, and a provider that is paid there."""

from collections.abc import AsyncIterator

import pytest

from prawko_payments_stripe.provider import StripeProvider
from stripe_account import provider_to
from stripe_stub import FakeStripe


@pytest.fixture
async def server() -> AsyncIterator[FakeStripe]:
    fake = FakeStripe()
    async with fake.listening():
        yield fake


@pytest.fixture
async def provider(server) -> AsyncIterator[StripeProvider]:
    made = provider_to(server)
    yield made
    await made.close()
