"""The base of the contracts; fails if errors or the log of a plugin quote a person or secret."""

# ruff: noqa: S101 (tests are made of assertions)

import logging
from collections.abc import Iterable

import pytest


class Contract:
    """The base of all contracts: asynchronous tests, which read the plugin's log."""

    pytestmark = pytest.mark.anyio

    @pytest.fixture(autouse=True)
    def log_of_operators(self, caplog: pytest.LogCaptureFixture) -> None:
        """Capture what operators read in production."""
        caplog.set_level(logging.INFO)


def assert_not_quoted(
    values: Iterable[str | None], caplog: pytest.LogCaptureFixture, error: Exception | None = None
) -> None:
    """Fail if an error (its text or its `repr`) or the log contains one of the values.

    Servers often quote a call that they refuse. None and "" are in every text, and skipped.
    """
    for value in filter(None, values):
        assert value not in str(error), f"the error's text contains {value!r}"
        assert value not in repr(error), f"the error's repr contains {value!r}"
        assert value not in caplog.text, f"the log contains {value!r}"
