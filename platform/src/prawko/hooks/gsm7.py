"""Transliterates texts of SMS into the GSM 7-bit alphabet.

One Polish letter, curly quote or long dash switches a message to UCS-2, with 70 instead of 160
characters for each segment. The result has only characters that count once, none of the GSM
extension table.
"""

import unicodedata

MAX_SEGMENT_LENGTH = 160
"""The length of a message of one segment, in characters."""

# What NFKD does not reduce to ASCII, and characters of the GSM extension table.
_REPLACEMENTS = str.maketrans({
    "ł": "l", "Ł": "L", "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o",
    "Ø": "O", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "\u0131": "i",
    "„": '"', "“": '"', "”": '"', "«": '"', "»": '"', "\u2018": "'", "\u2019": "'",
    "\u201a": "'", "`": "'", "\u00b4": "'", "\u2010": "-", "\u2013": "-", "\u2014": "-",
    "\u2011": "-", "\u2212": "-", "…": "...", "•": "-", "€": "EUR", "№": "nr", "[": "(",
    "]": ")", "{": "(", "}": ")", "~": "-", "^": "", "|": "/", "\\": "/",
})  # fmt: skip
_ALPHABET = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 @!\"#%&'()*+,-./:;<=>?_$"
)
# Accents, format and control characters.
_INVISIBLE_CATEGORIES = frozenset({"Mn", "Me", "Cf", "Cc"})


def to_gsm7(text: str) -> str:
    """Return the text in the GSM 7-bit alphabet, as one line: 'Żółć' becomes 'Zolc'.

    White space becomes single spaces, any other character without an equivalent '?'.
    """
    decomposed = unicodedata.normalize("NFKD", text.translate(_REPLACEMENTS))
    letters = "".join(map(_to_letter, decomposed.translate(_REPLACEMENTS)))
    return " ".join(letters.split())


def _to_letter(character: str) -> str:
    if character in _ALPHABET:
        return character
    if character.isspace():
        return " "
    return "" if unicodedata.category(character) in _INVISIBLE_CATEGORIES else "?"
