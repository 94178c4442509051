# ruff: noqa: RUF001  (Cyrillic letters look like Latin ones)
"""Transliterates texts of SMS into the GSM 7-bit alphabet.

One Polish letter, curly quote or long dash switches a message to UCS-2, with 70 instead of 160
characters for each segment. The result has only characters that count once, none of the GSM
extension table. Cyrillic follows ICAO Doc 9303 (part 3, section 6), as passports do.
"""

import re
import unicodedata

from anyascii import anyascii

anyascii("óą–")  # reads the files of these letters now, and not while a message is rendered

MAX_SEGMENT_LENGTH = 160
"""The length of a message of one segment, in characters."""

# Signs that the library writes in another way, and characters of the GSM extension table.
_REPLACEMENTS = str.maketrans({
    "«": '"', "»": '"', "•": "-", "№": "nr", "`": "'", "[": "(", "]": ")", "{": "(", "}": ")",
    "~": "-", "^": "", "|": "/", "\\": "/",
})  # fmt: skip
_ALPHABET = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 @!\"#%&'()*+,-./:;<=>?_$"
)
# Accents, format and control characters.
_INVISIBLE_CATEGORIES = frozenset({"Mn", "Me", "Cf", "Cc"})

_CYRILLIC_WORD = re.compile("[\u0400-\u045f\u0490\u0491'\u2019]+")
_CYRILLIC = {
    "а": "a", "б": "b", "в": "v", "г": "g", "ґ": "g", "д": "d", "ђ": "d", "ѓ": "g", "е": "e",
    "ё": "e", "є": "ie", "ж": "zh", "з": "z", "ѕ": "dz", "и": "i", "і": "i", "ї": "i", "й": "i",
    "ј": "j", "к": "k", "л": "l", "љ": "lj", "м": "m", "н": "n", "њ": "nj", "о": "o", "п": "p",
    "р": "r", "с": "s", "т": "t", "ћ": "c", "ќ": "k", "у": "u", "ў": "u", "ф": "f", "х": "kh",
    "ц": "ts", "ч": "ch", "џ": "dz", "ш": "sh", "щ": "shch", "ъ": "ie", "ы": "y", "ь": "",
    "э": "e", "ю": "iu", "я": "ia",
}  # fmt: skip
# Letters that only one of the languages has. Kazakh names and others are left to the library.
_BELARUSIAN_LETTERS, _UKRAINIAN_LETTERS = frozenset("ў"), frozenset("ґєії")
_RUSSIAN_LETTERS = frozenset("ыэёъ")
_BELARUSIAN = {**_CYRILLIC, "г": "h", "ё": "io"}
_UKRAINIAN = {**_CYRILLIC, "г": "h", "и": "y"}
_UKRAINIAN_INITIALS = {**_UKRAINIAN, "є": "ye", "ї": "yi", "й": "y", "ю": "yu", "я": "ya"}


def to_gsm7(text: str) -> str:
    """Return the text in the GSM 7-bit alphabet, as one line: 'Żółć' becomes 'Zolc'.

    White space becomes single spaces, any other character without an equivalent '?'.
    """
    latin = _romanise_cyrillic(unicodedata.normalize("NFC", text)).translate(_REPLACEMENTS)
    return " ".join("".join(map(_to_letters, latin)).split())


def _romanise_cyrillic(text: str) -> str:
    spellings, initials = _CYRILLIC, _CYRILLIC
    letters = set(text.lower())
    if letters & _BELARUSIAN_LETTERS:
        spellings = initials = _BELARUSIAN
    elif letters & _UKRAINIAN_LETTERS and not letters & _RUSSIAN_LETTERS:
        spellings, initials = _UKRAINIAN, _UKRAINIAN_INITIALS

    def romanise(match: re.Match[str]) -> str:
        word = match[0]
        capitalise = str.upper if word[1:].isupper() else str.capitalize
        latin = [(spellings if n else initials).get(c, c) for n, c in enumerate(word.lower())]
        return "".join(
            capitalise(new) if old.isupper() else new for old, new in zip(word, latin, strict=True)
        )

    return _CYRILLIC_WORD.sub(romanise, text)


def _to_letters(character: str) -> str:
    if character in _ALPHABET:
        return character
    if character.isspace():
        return " "
    if unicodedata.category(character) in _INVISIBLE_CATEGORIES:
        return ""
    return anyascii(character).translate(_REPLACEMENTS) or "?"
