"""Fails if the errors or the log of a plugin, which operators read, quote a person or secret."""

# ruff: noqa: S101 (tests are made of assertions)

from collections.abc import Iterable

import pytest


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
