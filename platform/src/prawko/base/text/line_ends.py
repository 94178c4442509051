"""Line ends of Polish texts; the panel's twin is frontend/src/lib/line-ends.ts."""

import re

_ONE_LETTER_WORD = re.compile(r"(?<![^\s(„>])([aiouwz]) (?=\S)", re.IGNORECASE)
_COUNT = re.compile(r"(?<![^\s(])(\d{1,3}) (?=[a-ząćęłńóśźż]{2})")


def tie_words(text: str) -> str:
    """Return the text with no-break spaces after one-letter words and counts.

    Polish typography forbids one-letter words at line ends. Texts are stored, compared and sent
    as plain text with plain spaces; this is for a layout that breaks lines.
    """
    return _COUNT.sub("\\1\xa0", _ONE_LETTER_WORD.sub("\\1\xa0", text))
