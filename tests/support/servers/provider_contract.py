"""The contract of a payment provider that calls one of these servers."""

from collections.abc import AsyncIterator, Callable

import pytest

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.payments import PaymentProvider
from prawko_testing.status_query_contract import RemotePaymentProviderContract


class ServerProviderContract(RemotePaymentProviderContract):
    """A subclass names what creates a provider, its module, its keys, and a refused setting."""

    create_provider: Callable[..., PaymentProvider]
    module: str
    keys: tuple[str, ...]
    bad_setting: tuple[str, str]

    @pytest.fixture
    async def open_provider(self, server) -> AsyncIterator[Callable[..., PaymentProvider]]:
        """Create providers that are closed at the end of the test."""
        open_providers: list[PaymentProvider] = []

        def create(**settings: str) -> PaymentProvider:
            open_providers.append(type(self).create_provider(server, **settings))
            return open_providers[-1]

        yield create
        for provider in open_providers:
            await provider.close()

    @pytest.fixture
    def provider(self, open_provider) -> PaymentProvider:
        return open_provider()

    @pytest.fixture
    def counterparty(self, server):
        return server

    async def test_a_check_says_what_is_accepted(self, provider, unauthorized_provider) -> None:
        assert (await provider.check()).startswith("accepts ")
        with pytest.raises(ProviderAccountError):
            await unauthorized_provider.check()

    @pytest.fixture
    def unreachable_provider(self, server, open_provider) -> PaymentProvider:
        # Stripe's own client would retry without the header.
        server.respond_with(503, "<html>", Stripe_Should_Retry="false")
        return open_provider()

    @pytest.fixture
    def unauthorized_provider(self, open_provider) -> PaymentProvider:
        return open_provider(**dict([self.bad_setting]))

    @pytest.fixture
    def secrets(self) -> tuple[str, ...]:
        return (*self.keys, self.bad_setting[1])

    @pytest.fixture
    def unresponsive_provider(self, server, open_provider, monkeypatch) -> PaymentProvider:
        server.hangs = True
        monkeypatch.setattr(f"{self.module}.DEADLINE_SECONDS", 0.2)
        return open_provider()
