"""Redaction of personal data in texts of providers and carriers."""

import re

from prawko.base.plain_text import to_single_line

MAX_LENGTH = 300
_PERSONAL_PATTERN = re.compile(r"\S+@\S+|\+?[0-9][0-9 -]{6,}[0-9]")


def redact(text: str) -> str:
    """Return the text on one line, without e-mail addresses and long numbers, and truncated."""
    return _PERSONAL_PATTERN.sub("…", to_single_line(text))[:MAX_LENGTH]
