"""Fixtures with which companies pay by the fake provider, for the folders that import them."""

from typing import Any

import msgspec
import pytest

from prawko.hooks.payments import PaymentProvider
from prawko.kit.context import AppContext
from prawko_testing.fake_payments import FakePaymentProvider
from support.orders import PAYMENT_VARIABLES


def change_abilities(*processes: AppContext, provider: str = "fake", **changes: Any) -> None:
    """Let the provider have other abilities than when the processes loaded it."""
    for process in processes:
        loaded: Any = process.plugins.payments[provider]
        loaded.capabilities = msgspec.structs.replace(loaded.capabilities, **changes)


@pytest.fixture
def providers(fake: FakePaymentProvider) -> list[PaymentProvider]:
    """One provider for the panel and the worker, as they would call one server."""
    return [fake]


@pytest.fixture
def variables(variables: dict[str, str]) -> dict[str, str]:
    """The variables of a seller with that provider."""
    return {**variables, **PAYMENT_VARIABLES}
