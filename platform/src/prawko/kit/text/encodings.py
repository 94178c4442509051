"""Recognises the encoding of a text file by its letters. Pure.

Detectors of encodings need long texts and guess. A list of drivers may have a single letter that is
not ASCII, and with a wrong one the register is asked about another person. So each encoding that
Polish files have is tried, and the text with the most Polish letters and the fewest others counts.
"""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from itertools import islice

_POLISH = frozenset("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ")
# Windows, Linux, Excel for Mac, DOS.
_ENCODINGS = ("cp1250", "iso8859_2", "mac_latin2", "cp852")
_BINARY_STARTS = (b"PK\x03\x04", b"%PDF", b"\xd0\xcf\x11\xe0")  # xlsx, pdf, xls
_UTF16_MARKS = (BOM_UTF16_LE, BOM_UTF16_BE)
# Of a letter in UTF-8 that begins with one of these, the rest may be cut off.
_FIRST_BYTES = frozenset(b"\xc3\xc4\xc5")
_WORD = re.compile(r"(?<![A-Za-z])[A-Za-z]*[^\x00-\x7f][A-Za-z\x80-\U0010ffff]*")  # linear
_SIGNS = re.compile("[\xad\u2013\u2014\u2018\u2019\u201a\u201c\u201d\u201e\u2026]|\xa0(?![a-z])")
_NO_POLISH = re.compile("[aeouyąęó][ąęó]|[ąęó][aeouyąęó]", re.IGNORECASE)
_MAX_WORDS = 5000


def _western_letters() -> frozenset[str]:
    """Return the letters that Windows-1250 and Windows-1252 have in the same place."""
    codes = [bytes([code]) for code in range(0x80, 0x100)]
    pairs = ((code.decode("cp1250", "ignore"), code.decode("cp1252", "ignore")) for code in codes)
    return frozenset(one for one, other in pairs if one == other and one.isalpha())


_WESTERN = _western_letters()


def decode_text(content: bytes) -> str | None:
    """Return the text of a file; None if it is empty or no text, or if its encoding is unclear.

    Of the encodings other than UTF-8, the best text must have more Polish letters than letters of
    further languages, or only such that have the same code in Western Europe, and no other text may
    be as good.
    """
    if content.startswith(_BINARY_STARTS):
        return None
    if content.startswith(_UTF16_MARKS):
        text = _try_decoding(content, "utf-16")
        return None if not text or "\0" in text else text
    if not content or b"\0" in content:
        return None
    if content.isascii():
        return content.decode()
    utf8 = _try_decoding(content, "utf-8-sig")
    others = {text for name in _ENCODINGS if (text := _try_decoding(content, name)) is not None}
    points = {text: _count_points(text) for text in others}
    best = max(points.values(), default=-1)
    if utf8 is not None:
        letters = {letter for letter in utf8 if not letter.isascii()}
        # Two letters of another encoding may be one of these.
        is_chance = all("\u0250" <= letter < "\u0800" for letter in letters)
        if len(letters) > 1 or (not is_chance and _count_points(utf8) >= best):
            return utf8
    found = [text for text, number in points.items() if number == best]
    is_cut = _FIRST_BYTES.issuperset(content.translate(None, bytes(range(0x80))))
    is_clear = best > 0 or (
        best == 0 and all(c.isascii() or c in _WESTERN for c in found[0] if c.isalpha())
    )
    return found[0] if len(found) == 1 and is_clear and not is_cut else None


def _try_decoding(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None


def _count_points(text: str) -> int:
    words = (match[0] for match in islice(_WORD.finditer(_SIGNS.sub(" ", text)), _MAX_WORDS))
    return sum(map(_count_points_of_word, words))


def _count_points_of_word(word: str) -> int:
    """One for each Polish letter, and one less for each sign that no Polish text has there."""
    letters = {letter for letter in word if not letter.isascii()}
    has_case = word.islower() or word.isupper() or word.istitle()
    is_foreign = letters.issuperset(word) and not letters <= _POLISH
    if not word.isalpha() or not has_case or is_foreign or _NO_POLISH.search(word):
        return -len(letters)
    # A word rarely begins with such a letter and is not capitalised: 'ćcibor'.
    points = 0 if word[0] in letters and word.islower() else 1
    return sum(points if letter in _POLISH else -(letter not in _WESTERN) for letter in letters)
