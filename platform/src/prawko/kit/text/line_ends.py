"""Line ends of texts; the panel's twins are lib/line-ends.ts and ui/unbroken.tsx."""

import re

_ONE_LETTER_WORD = re.compile(r"(?<![^\s(„>])([aiouwz]) (?=\S)", re.IGNORECASE)
_COUNT = re.compile(r"(?<![^\s(])(\d{1,3}) (?=[a-ząćęłńóśźż]{2})")
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
    """Return the HTML with short words with a hyphen, as a postal code, kept on one line."""
    return _SHORT_WORD.sub(r'<span class="whitespace-nowrap">\1</span>', html)
