"""Makes an SMS of one part: plain letters, at most 160 characters. Pure.

A Polish letter pushes a message from 160 characters to 70 and doubles its price; so do curly
quotes and long dashes. What is left are characters of the GSM alphabet that count once.
"""

import unicodedata
from collections.abc import Callable, Mapping

LONGEST = 160
SHORTEST_WORD = 8
CUT = "..."

# What decomposing does not make plain; and those GSM characters that count twice.
_SPELT = str.maketrans({
    "ł": "l", "Ł": "L", "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o",
    "Ø": "O", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "\u0131": "i",
    "„": '"', "“": '"', "”": '"', "«": '"', "»": '"', "\u2018": "'", "\u2019": "'",
    "\u201a": "'", "`": "'", "\u00b4": "'", "\u2013": "-", "\u2014": "-", "\u2011": "-",
    "\u2212": "-", "…": "...", "•": "-", "€": "EUR", "[": "(", "]": ")", "{": "(", "}": ")",
    "~": "-", "^": "", "|": "/", "\\": "/",
})  # fmt: skip
_ALPHABET = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 @!\"#%&'()*+,-./:;<=>?_$"
)


def plain(words: str) -> str:
    """The words in the letters that count once: 'Żółć' becomes 'Zolc', what is unknown '?'."""
    apart = unicodedata.normalize("NFKD", words.translate(_SPELT))
    letters = "".join(c for c in apart if not unicodedata.combining(c)).translate(_SPELT)
    return " ".join("".join(c if c in _ALPHABET else "?" for c in letters).split())


def one_part(render: Callable[[Mapping[str, str]], str], elastic: Mapping[str, str]) -> str:
    """The rendered words as one part; the longest of the `elastic` ones gives way first.

    In a `name`, the first name becomes an initial before the last name is cut. A text that is
    too long by itself is cut at its end.
    """
    words = {name: plain(value) for name, value in elastic.items()}
    while (over := len(plain(render(words))) - LONGEST) > 0:
        longest = max(words, key=lambda name: len(words[name]), default=None)
        if longest is None or len(words[longest]) <= SHORTEST_WORD:
            break
        words[longest] = _shorter(longest, words[longest], over)
    said = plain(render(words))
    return said if len(said) <= LONGEST else said[: LONGEST - len(CUT)].rstrip() + CUT


def _shorter(which: str, words: str, by: int) -> str:
    first, _, rest = words.partition(" ")
    if which == "name" and rest and len(first) > len("J."):
        return f"{first[0]}. {rest}"
    keep = max(SHORTEST_WORD, len(words) - by) - len(CUT)
    return words[:keep].rstrip(" .-") + CUT
