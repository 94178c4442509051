"""Which language a browser is answered in."""

import pytest

from prawko.base.texts import accepted_language


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
def test_the_browsers_wish_is_read(header, language) -> None:
    assert accepted_language(header) == language
