"""Recognises the encoding of a text file by its letters. Pure.

Detectors of encodings need long texts and guess. A list of drivers may have a single letter that is
not ASCII, and with a wrong one the register is asked about another person. So each encoding that
Polish files have is tried, and the text with the most Polish letters and the fewest others counts.
A text in an encoding of Excel for Mac or of DOS counts only if the other texts are impossible.
Files of Baltic, Romanian and Western European systems are known, so that they are refused.
"""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from itertools import islice

import msgspec

from prawko.kit.text.plain_text import compose_text

_POLISH = frozenset("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ")
# Windows, Linux, Excel for Mac, DOS.
_ENCODINGS = ("cp1250", "iso8859_2", "mac_latin2", "cp852")
_USUAL = ("cp1250", "iso8859_2")
# Baltic Windows and DOS, Romanian Linux, DOS of Western Europe.
_REFUSED = ("cp1257", "cp775", "iso8859_16", "cp850")
_BINARY_STARTS = (b"PK\x03\x04", b"%PDF", b"\xd0\xcf\x11\xe0")  # xlsx, pdf, xls
_UTF16_MARKS = (BOM_UTF16_LE, BOM_UTF16_BE)
# Of a letter in UTF-8 that begins with one of these, the rest may be cut off.
_FIRST_BYTES = frozenset(b"\xc3\xc4\xc5")
_WORD = re.compile(r"(?<![A-Za-z])[A-Za-z]*[^\x00-\x7f][A-Za-z\x80-\U0010ffff]*")  # linear
# Signs where texts have them; elsewhere they may be letters of another encoding: 'Mart\u2019nez'.
_LETTER = r"[^\W\d_]"
_SIGNS = re.compile(
    rf"\xad|[\xa0\u2013](?![a-z])|(?<=\b[DLMNO])\u2019(?=[A-Z])|(?<!{_LETTER})\u201e"
    rf"|(?<!{_LETTER})[\u2014\u2019](?!{_LETTER})|[\u201c\u201d\u2026](?!{_LETTER})"
)
# Neither 'Ęrebiec' and 'Elłbieta', which are 'Źrebiec' and 'Elżbieta' of a Baltic system, nor two
# such vowels, nor 'ńo' of 'Muñoz', nor 'Mź' of 'Müller', nor 'jć', 'jż' and 'jł' of 'Kjær', 'Bjørn'
# and 'BJØRN'; but 'Bździuch' and 'Drżał'.
_NO_POLISH = re.compile(
    r"\A[ąęń]|lł|[aeouyąęóáéíúýäöü][ąęó]|[ąęó][aeiouyąęó]|[ćńśź][aeiouyąęó]"
    "|[bcfghj-nprstwxzł]ź(?!d)|dź[lrst]|[bcdfghj-npstwxzłż]ć[b-df-hj-np-tv-z]"
    "|[bcfghjkmpstwxzł]ż[b-df-hj-np-tv-xz]|[b-df-hj-np-tv-z]ł[jr]|[bcdfghjklmnpstz]ś[grst]|[bh]ń",
    re.IGNORECASE,
)
_MAX_WORDS, _MAX_LETTERS = 5000, 60  # of a text, and of a word: a hostile file has other ones
_LETTERS_PER_MISTAKE = 10  # of Polish, for one impossible word of the right text


def _western_letters() -> frozenset[str]:
    """Return the letters that Windows-1250 and Windows-1252 have in the same place.

    Without ž, which ISO-8859-2 has for the æ of Macs; but with š, which DOS has for ç.
    """
    codes = [bytes([code]) for code in range(0x80, 0x100)]
    pairs = ((code.decode("cp1250", "ignore"), code.decode("cp1252", "ignore")) for code in codes)
    return frozenset(one for one, other in pairs if one == other and one.isalpha()) - set("žŽ")


_WESTERN = _western_letters()
_ONLY_POLISH = _POLISH - _WESTERN
_NEVER_MIXED = _ONLY_POLISH - set("ćĆ")  # 'Kovačević'


class _Reading(msgspec.Struct, frozen=True):
    """A text, its points, its impossible words, and its letters that Western Europe lacks."""

    text: str
    points: int
    mistakes: int
    polish: int
    foreign: int

    def is_clear(self) -> bool:
        has_more = self.foreign == 0 or self.polish > self.foreign
        return has_more and self.mistakes * _LETTERS_PER_MISTAKE <= self.polish


def decode_text(content: bytes) -> str | None:
    """Return the text of a file; None if it is empty or no text, or if its encoding is unclear.

    Of the encodings other than UTF-8, the best text must have more Polish letters than letters of
    further languages, or only such that have the same code in Western Europe, and hardly a word
    that is impossible. No other text may be as good, nor better in an encoding that is refused.
    """
    if content.startswith(_BINARY_STARTS):
        return None
    if content.startswith(_UTF16_MARKS):
        text = _try_decoding(content, "utf-16")
        return None if not text or "\0" in text else text
    if not content or b"\0" in content:
        return None
    return content.decode() if content.isascii() else _decode_letters(content)


def _decode_letters(content: bytes) -> str | None:
    utf8 = _try_decoding(content, "utf-8-sig")
    letters = {letter for letter in utf8 or "" if not letter.isascii()}
    if utf8 is not None and (len(letters) > 1 or content.startswith(BOM_UTF8)):
        return utf8
    composed = compose_text(utf8 or "")  # a letter and its mark are one letter
    letters = {letter for letter in composed if not letter.isascii()}
    readings = {
        name: _read(text)
        for name in (*_ENCODINGS, *_REFUSED)
        if (text := _try_decoding(content, name)) is not None
    }
    read = [readings[name] for name in _ENCODINGS if name in readings]
    best = max((reading.points for reading in read), default=-1)
    # Two letters of another encoding may be one of these.
    is_chance = all("\u0250" <= letter < "\u0800" for letter in letters)
    if utf8 is not None and not is_chance and _read(composed).points >= best:
        return utf8
    found = {one.text: one for one in read if one.points == best}
    is_cut = _FIRST_BYTES.issuperset(content.translate(None, bytes(range(0x80))))
    if best < 0 or len(found) > 1 or is_cut:
        return None
    [reading] = found.values()
    usual = [readings[name] for name in _USUAL if name in readings]
    others = [one for one in readings.values() if one.text != reading.text]
    is_likely = all(other.points <= best for other in others) and (
        reading in usual
        or (
            best
            and not reading.foreign
            and all(other.mistakes for other in usual)
            and all(other.mistakes or other.points < best - 2 for other in others)
        )
    )
    return reading.text if is_likely and reading.is_clear() else None


def _try_decoding(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None


def _read(text: str) -> _Reading:
    found = islice(_WORD.finditer(_SIGNS.sub(" ", text)), _MAX_WORDS)
    # Each word once: a name that drivers share is no further evidence.
    words = {match[0][:_MAX_LETTERS] for match in found}
    possible = {word: _is_possible(word) for word in words}
    letters = "".join(filter(possible.get, words))
    return _Reading(
        text,
        points=sum(_count_points(word, is_possible=possible[word]) for word in words),
        # A sign alone is none: the dots between the fields of an MT940 statement.
        mistakes=sum(not possible[word] and any(map(str.isalpha, word)) for word in words),
        polish=sum(letter in _ONLY_POLISH for letter in letters),
        foreign=sum(not c.isascii() and c not in _POLISH | _WESTERN for c in letters),
    )


def _is_possible(word: str) -> bool:
    has_case = word.islower() or word.isupper() or word.istitle()
    letters = {letter for letter in word if not letter.isascii()}
    # No word has letters of Poland alone beside foreign ones, or no letter of ASCII.
    is_mixed = not letters <= _POLISH and (letters & _NEVER_MIXED or letters.issuperset(word))
    return word.isalpha() and has_case and not is_mixed and not _NO_POLISH.search(word)


def _count_points(word: str, *, is_possible: bool) -> int:
    """One for each Polish letter, and one less for each sign that no Polish text has there."""
    letters = {letter for letter in word if not letter.isascii()}
    if not is_possible:
        return -len(letters)
    # A word rarely begins with such a letter and is not capitalised: 'ćcibor'.
    is_odd = word[0] in letters and word.islower()
    return sum(
        not is_odd if letter in _POLISH else -(is_odd or letter not in _WESTERN)
        for letter in letters
    )
