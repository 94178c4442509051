"""The official service over SOAP and mutual TLS."""

import pytest

from prawko.testing.register_contract import RegisterContract

pytestmark = pytest.mark.anyio


class TestContract(RegisterContract):
    """The official service's adapter keeps every promise of a register."""

    @pytest.fixture
    def register(self, upki):
        return upki
