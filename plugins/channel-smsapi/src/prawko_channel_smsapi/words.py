"""One SMS of one part, in letters that every telephone has.

A letter outside the basic GSM alphabet would take a part from 160 characters to 70 and double
the price.
"""

import unicodedata

PART = 160
CUT = "..."
# What the basic alphabet has of ASCII; the six that cost two characters are not among them.
_BASIC = frozenset(
    " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
)
_SAID_OTHERWISE = str.maketrans({
    "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ß": "ss", "æ": "ae", "Æ": "AE",
    "œ": "oe", "Œ": "OE", "\u2013": "-", "\u2014": "-", "\u2212": "-", "\u2026": "...",
    "\u201e": '"', "\u201d": '"', "\u201c": '"', "«": '"', "»": '"', "\u2019": "'",
    "\u2018": "'", "\u201a": "'", "\u00b4": "'", "`": "'", "[": "(", "]": ")", "{": "(",
    "}": ")", "~": "-", "|": "/", "\\": "/", "^": "", "€": "EUR", "№": "nr",
})  # fmt: skip


def one_part(line: str) -> str:
    """The line in basic letters, cut at a word if it is longer than one part."""
    plain = unicodedata.normalize("NFKD", line.translate(_SAID_OTHERWISE))
    kept = "".join(_letter(character) for character in plain)
    words = " ".join(kept.split())
    if len(words) <= PART:
        return words
    room = PART - len(CUT)
    whole = words[: room + 1].rpartition(" ")[0]
    return (whole or words[:room]) + CUT


def _letter(character: str) -> str:
    if character in _BASIC:
        return character
    if character.isspace():
        return " "
    # An accent that stood on a letter is gone with it; what is no letter at all leaves a mark.
    return "" if unicodedata.category(character) in {"Mn", "Cf", "Cc"} else "?"
