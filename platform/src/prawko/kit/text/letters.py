"""The letters of typed text: normalising, the search and the order of names, what documents show.

`letters.json` says which; the browser has a copy (frontend/src/lib/letters.ts). PostgreSQL's Polish
collation depends on the installed libraries and changes with them, so the order is our own.
"""

import re
import unicodedata
from importlib.resources import files

import msgspec

from prawko.kit.text.plain_text import compose_text, to_single_line


class LetterTable(msgspec.Struct, frozen=True, rename="camel"):
    """The file: the first nine are classes of characters, as regular expressions write them.

    Each of the scripts is a class of its own.
    """

    invisible: str
    ligatures: str
    blanks: str
    dashes: str
    apostrophes: str
    word_breaks: str
    scripts: list[str]
    marks: str
    signs: str
    alphabet: str
    base_letters: dict[str, str]


_FILES = files("prawko.kit.text")
TABLE = msgspec.json.decode(_FILES.joinpath("letters.json").read_bytes(), type=LetterTable)
# Common in Poland and among its foreign drivers, as `fold_letters` writes them.
_GIVEN_NAMES = frozenset(_FILES.joinpath("given_names.txt").read_text("utf-8").split())
_INVISIBLE = re.compile(f"[{TABLE.invisible}]")
_LIGATURES = re.compile(f"[{TABLE.ligatures}]")
_BLANKS = re.compile(f"[{TABLE.blanks}]+")
_DASHES = re.compile(f"[{TABLE.dashes}]")
_APOSTROPHES = re.compile(f"[{TABLE.apostrophes}]")
_SEPARATORS = re.compile(r"[\s-]+")
_WORD_BREAKS = re.compile(f"[{TABLE.word_breaks}]+")
_SCRIPTS = [re.compile(f"[{letters}]") for letters in TABLE.scripts]
_DRAWABLE = re.compile(f"[{''.join(TABLE.scripts)}{TABLE.marks}{TABLE.signs} ]*")
_BASE_LETTERS = str.maketrans(TABLE.base_letters)
WEIGHTS = {
    letter: chr(ord("0") + rank) for rank, letter in enumerate("0123456789" + TABLE.alphabet)
}


def normalise_typed(text: str) -> str:
    """Return the text in Unicode NFC, without invisible characters and needless blanks.

    Ligatures, as PDF documents have them, become their letters, dashes hyphens, apostrophes those
    of keyboards. Line breaks and other control characters stay: each field decides about them.
    """
    text = _LIGATURES.sub(lambda one: unicodedata.normalize("NFKC", one[0]), text)
    text = compose_text(_INVISIBLE.sub("", text))
    text = _APOSTROPHES.sub("'", _DASHES.sub("-", text))
    return _BLANKS.sub(" ", text).strip(" ")


def normalise_line(text: str) -> str:
    """Return the normalised text on one line: control characters become blanks, too."""
    return to_single_line(normalise_typed(text))


def strip_separators(text: str) -> str:
    """Return the text without the blanks and dashes that people write into numbers and codes."""
    return _SEPARATORS.sub("", normalise_typed(text))


def is_drawable(text: str) -> bool:
    """Whether the fonts of documents have every character of a normalised text."""
    return _DRAWABLE.fullmatch(text) is not None


def find_foreign_letter(text: str) -> str | None:
    """Return a letter of another script than most of its word; None if no word mixes scripts.

    A Cyrillic letter amid Latin ones looks right, and no register finds the name.
    """
    for word in _SEPARATORS.split(text):
        found: list[list[str]] = [script.findall(word) for script in _SCRIPTS]
        scripts = sorted(filter(None, found), key=len)
        if len(scripts) > 1:
            return scripts[0][0]
    return None


def fold_letters(text: str) -> str:
    """Return the text as searches compare it: no case, accents and apostrophes."""
    letters = unicodedata.normalize("NFD", normalise_typed(text).replace("'", "").lower())
    kept = "".join(c for c in letters if not unicodedata.category(c).startswith("M"))
    return kept.translate(_BASE_LETTERS)


def fold_words(text: str) -> str:
    """Return the folded words of a search; blanks, hyphens and commas are one."""
    return _WORD_BREAKS.sub(" ", fold_letters(text)).strip()


def order_letters(name: str) -> str:
    """Return the weights of a name's letters, which compare byte by byte in the Polish order.

    Other Latin letters weigh as their base letters, other scripts more than all. Case, hyphens
    and blanks weigh nothing.
    """
    return "".join(
        weight
        for character in unicodedata.normalize("NFC", name.lower())
        for weight in _character_weights(character)
    )


def _character_weights(character: str) -> str:
    if character in WEIGHTS:
        return WEIGHTS[character]
    base = TABLE.base_letters.get(character) or unicodedata.normalize("NFD", character)
    return "".join(WEIGHTS.get(c, c if c > "\x7f" else "") for c in base if c.isalnum())


def is_given_name(text: str) -> bool:
    """Return whether the text begins with a common given name."""
    return not _GIVEN_NAMES.isdisjoint(fold_letters(text).split()[:1])
