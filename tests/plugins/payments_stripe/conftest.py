"""A fake of Stripe, and a provider that calls it."""

from collections.abc import AsyncIterator

import pytest

from prawko_payments_stripe.provider import StripeProvider
from support.servers.stripe import FakeStripe
from support.servers.stripe_account import create_provider


@pytest.fixture
async def server() -> AsyncIterator[FakeStripe]:
    fake = FakeStripe()
    async with fake.serve():
        yield fake


@pytest.fixture
async def provider(server) -> AsyncIterator[StripeProvider]:
    new_provider = create_provider(server)
    yield new_provider
    await new_provider.close()
