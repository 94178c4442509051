"""Sort keys for driver names in Polish alphabetical order, comparable byte by byte.

PostgreSQL's Polish collation depends on the installed libraries and changes with them; this
order is stored with the driver. A key is opaque and only meant to be compared.
"""

import unicodedata

ALPHABET = "aąbcćdeęfghijklłmnńoópqrsśtuvwxyzźż"
_WEIGHTS = {letter: chr(ord("0") + rank) for rank, letter in enumerate("0123456789" + ALPHABET)}
# Letters without a Unicode decomposition that readers treat as base letters.
_EXPANSIONS = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "þ": "th",
    "\u0131": "i",
}  # fmt: skip
_SEPARATOR = " "  # sorts before every digit and letter: Kos before Kosa


def sort_key(first_name: str, last_name: str) -> str:
    """Sort key of a driver: by last name, then first name.

    Compares letters in the order of the Polish alphabet; other Latin letters sort as their base
    letter, other scripts last; case, hyphens and blanks are ignored. Names that are still equal
    are ordered by their exact spelling, so the order is stable.
    """
    letters = _SEPARATOR.join((_name_weights(last_name), _name_weights(first_name)))
    return _SEPARATOR.join((letters, last_name, first_name))


def _name_weights(name: str) -> str:
    return "".join(
        weight
        for character in unicodedata.normalize("NFC", name.lower())
        for weight in _character_weights(character)
    )


def _character_weights(character: str) -> str:
    if character in _WEIGHTS:
        return _WEIGHTS[character]
    base = _EXPANSIONS.get(character) or unicodedata.normalize("NFD", character)
    return "".join(_WEIGHTS.get(c, c if c > "\x7f" else "") for c in base if c.isalnum())
