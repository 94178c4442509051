"""Titles of transfers: how an order's key is written for a payer, and found again.

Payers retype titles, and banks break them into lines, change their case and put other words
around them. A key has 12 characters of Crockford's base 32, which has no I, L, O or U.
"""

import re

LENGTH = 12
_GROUP = 4
_LETTERS = "0-9A-HJKMNP-TV-Z"
_KEY = re.compile(f"[{_LETTERS}]{{{LENGTH}}}", re.ASCII)
_DIGIT = re.compile("[0-9]", re.ASCII)
_FORBIDDEN = re.compile("[^0-9A-Z]+", re.ASCII)
_TAKEN_FOR_DIGITS = str.maketrans("OIL", "011")
_GAP = "[^0-9A-Z]*"
_GROUPS = _GAP.join([f"[{_LETTERS}]{{{_GROUP}}}"] * (LENGTH // _GROUP))
_BEGINS, _ENDS = "(?<![0-9A-Z])", "(?![0-9A-Z])"


def title(prefix: str, key: str) -> str:
    """`PRAWKO 7F3K 9QX2 ABCD`. Raises ValueError for a key that nobody could retype."""
    if not _KEY.fullmatch(key):
        raise ValueError(f"a key in a title has {LENGTH} characters of Crockford's base 32")
    groups = [key[place : place + _GROUP] for place in range(0, LENGTH, _GROUP)]
    return " ".join([prefix, *groups])


def key_in(prefix: str, text: str) -> str | None:
    """The key that a title was written for; None when it names none, or may name several.

    The surest way to read it counts: groups of four after our prefix; anything after it; and
    last, groups of four, with a digit among them, that stand without a prefix.
    """
    said = text.upper().translate(_TAKEN_FOR_DIGITS)
    before = prefix.translate(_TAKEN_FOR_DIGITS)
    squeezed = _FORBIDDEN.sub("", said)
    ways = (
        _found(f"{before}{_GAP}({_GROUPS}){_ENDS}", said),
        _found(f"(?={before}([{_LETTERS}]{{{LENGTH}}}))", squeezed),
        {key for key in _found(f"{_BEGINS}({_GROUPS}){_ENDS}", said) if _DIGIT.search(key)},
    )
    sure = next((keys for keys in ways if keys), set())
    return sure.pop() if len(sure) == 1 else None


def _found(pattern: str, text: str) -> set[str]:
    return {_FORBIDDEN.sub("", match) for match in re.findall(pattern, text, re.ASCII)}
