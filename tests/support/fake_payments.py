"""Fixtures with which companies pay by the fake provider, for the folders that import them."""

import pytest

from prawko.hooks.payments import PaymentProvider
from prawko_testing.fake_payments import FakePaymentProvider
from support.orders import PAYMENT_VARIABLES


@pytest.fixture
def providers(fake: FakePaymentProvider) -> list[PaymentProvider]:
    """One provider for the panel and the worker, as they would call one server."""
    return [fake]


@pytest.fixture
def variables(variables: dict[str, str]) -> dict[str, str]:
    """The variables of a seller with that provider."""
    return {**variables, **PAYMENT_VARIABLES}
