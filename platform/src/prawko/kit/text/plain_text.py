"""Normalises text from forms, and text for mail headers, SMS and logs."""

import unicodedata

# As in the stream-safe text format of Unicode (UAX 15); no language puts as many on a letter.
MAX_MARKS = 30
# Blanks and marks that normalising drops do not make a text ten times as long as it may be.
_MAX_EXCESS = 10


def is_far_too_long(text: str, max_length: int) -> bool:
    """Return whether a text is refused without normalising, which cannot make it short enough.

    Normalising takes time for each character, and a body may have a quarter of a million.
    """
    return len(text) > _MAX_EXCESS * max_length


def compose_text(text: str) -> str:
    """Return the text in Unicode NFC, with at most 30 combining marks in a row.

    More of them are dropped, because NFC sorts them in quadratic time, so that one request full of
    marks would stop the process for seconds.
    """
    if text.isascii():
        return text
    kept, marks = [], 0
    for character in text:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= MAX_MARKS:
            kept.append(character)
    return unicodedata.normalize("NFC", "".join(kept))


def to_single_line(text: str) -> str:
    """Return the text on one line: control characters and runs of blanks become one blank."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
