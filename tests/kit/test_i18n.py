"""Negotiation of the language."""

import pytest

from prawko.kit.text.i18n import negotiate_language


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "pl"),
        ("en", "en"),
        ("en-US,en;q=0.9,pl;q=0.8", "en"),
        ("pl,en;q=0.9", "pl"),
        ("de,fr", "pl"),
        ("en;q=0.1,pl;q=0.2", "pl"),
        ("en;q=0", "pl"),
        ("en;q=abc,;;,", "pl"),
    ],
)
def test_the_preference_of_the_browser_is_respected(header, language) -> None:
    assert negotiate_language(header) == language
