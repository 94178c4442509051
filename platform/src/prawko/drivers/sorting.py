"""The order of drivers in a Polish list, as a text that sorts right byte by byte.

PostgreSQL's Polish collation depends on libraries that are not everywhere (and change with
them); this order is ours and stored. The key is opaque: only comparing two of them says
something.
"""

import unicodedata

ALPHABET = "aąbcćdeęfghijklłmnńoópqrsśtuvwxyzźż"
_ORDER = {letter: chr(ord("0") + place) for place, letter in enumerate("0123456789" + ALPHABET)}
# What Unicode does not take apart, though readers do.
_SPELT = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "þ": "th",
    "\u0131": "i",
}  # fmt: skip
_BETWEEN_NAMES = " "  # sorts before every digit and letter: Kos before Kosa


def sort_key(first_name: str, last_name: str) -> str:
    """The key of a driver: by last name, then first name.

    Letters count first, in the order of the Polish alphabet, other Latin letters as the one
    below their accent, other scripts behind; case, hyphens and blanks do not count. Names that
    are equal so far are told apart by their spelling, so that the order never changes by chance.
    """
    letters = _BETWEEN_NAMES.join((_letters(last_name), _letters(first_name)))
    return _BETWEEN_NAMES.join((letters, last_name, first_name))


def _letters(name: str) -> str:
    return "".join(
        place
        for character in unicodedata.normalize("NFC", name.lower())
        for place in _places(character)
    )


def _places(character: str) -> str:
    if character in _ORDER:
        return _ORDER[character]
    base = _SPELT.get(character) or unicodedata.normalize("NFD", character)
    return "".join(_ORDER.get(c, c if c > "\x7f" else "") for c in base if c.isalnum())
