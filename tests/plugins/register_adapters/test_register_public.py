"""The public service over JSON."""

import pytest

from prawko.testing.register_contract import RegisterContract

pytestmark = pytest.mark.anyio


class TestContract(RegisterContract):
    """The public service's adapter keeps every promise of a register."""

    @pytest.fixture
    def register(self, public):
        return public
