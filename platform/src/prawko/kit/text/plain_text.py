"""Cleans plain text: line ends, control characters, secrets."""

import re
import unicodedata
from collections.abc import Iterable

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
    if not text.isprintable():
        text = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(text.split())


_ONE_LETTER_WORD = re.compile(r"(?<![^\s(„>])([aiouwz]) (?=\S)", re.IGNORECASE)
_COUNT = re.compile(r"(?<![^\s(])(\d{1,3}) (?=[a-ząćęłńóśźż]{2})")
_WORDS = re.compile(r"\S(?:.*\S)?", re.DOTALL)
# Longer words may be broken at their hyphens.
_SHORT_WORD = re.compile(
    r"(?<![^\W_])(?<!-)(?=(?:[^\W_]|-){3,12}(?![^\W_]|-))([^\W_]+(?:-[^\W_]+)+)"
)


def tie_words(text: str) -> str:
    """Return the text with no-break spaces after one-letter words and counts.

    Polish typography forbids one-letter words at line ends. Texts are stored, compared and sent
    as plain text with plain spaces; this is for a layout that breaks lines.
    """
    return _COUNT.sub("\\1\xa0", _ONE_LETTER_WORD.sub("\\1\xa0", text))


def keep_short_words(html: str) -> str:
    """Return the HTML with short words with a hyphen, as a postal code, kept on one line.

    The texts between them are in elements of their own, as the panel renders them.
    """
    texts = _SHORT_WORD.split(html)
    if len(texts) == 1:
        return html
    texts[1::2] = [f'<span class="whitespace-nowrap">{word}</span>' for word in texts[1::2]]
    texts[::2] = [_WORDS.sub(r"<span>\g<0></span>", text) for text in texts[::2]]
    return "".join(texts)


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
