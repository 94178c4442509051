"""Redaction of personal data in texts of providers and carriers."""

import re
from collections.abc import Iterable

from prawko.kit.text.plain_text import to_single_line

MAX_LENGTH = 300
MIN_MASKED_LENGTH = 4  # a shorter value is part of words and of numbers, and no secret
# From the beginning of a word on; otherwise a long word would be searched from each letter.
_ADDRESS = re.compile(r"(?<!\S)\S+@\S+")
_LONG_NUMBER = re.compile(r"\+?[0-9][0-9 -]{6,}[0-9]")


def mask_values(text: str, values: Iterable[str]) -> str:
    """Return the text without these values; one of fewer than 4 characters stays."""
    for value in sorted(values, key=len, reverse=True):
        if len(value) >= MIN_MASKED_LENGTH:
            text = text.replace(value, "…")
    return text


def redact(text: str) -> str:
    """Return the text on one line, without e-mail addresses and long numbers, and truncated."""
    return _LONG_NUMBER.sub("…", _ADDRESS.sub("…", to_single_line(text)))[:MAX_LENGTH]
