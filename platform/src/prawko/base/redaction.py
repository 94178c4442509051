"""Redaction of personal data in texts of providers and carriers."""

import re

from prawko.base.plain_text import to_single_line

MAX_LENGTH = 300
# From the beginning of a word on: otherwise a long word is read once from each of its letters.
_ADDRESS = re.compile(r"(?<!\S)\S+@\S+")
_LONG_NUMBER = re.compile(r"\+?[0-9][0-9 -]{6,}[0-9]")


def redact(text: str) -> str:
    """Return the text on one line, without e-mail addresses and long numbers, and truncated."""
    return _LONG_NUMBER.sub("…", _ADDRESS.sub("…", to_single_line(text)))[:MAX_LENGTH]
