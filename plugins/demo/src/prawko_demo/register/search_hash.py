"""The key that the public register service searches by."""

import hashlib

MAX_LENGTH = 500
_POLISH_LETTERS = dict(zip("ŻÓŁĆĘŚĄŹŃ", "ZOLCESAZN", strict=True))
_LATIN_LETTERS = {letter: letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"}
_ALPHABET = _LATIN_LETTERS | _POLISH_LETTERS


def compute_search_hash(first_name: str, last_name: str, serial: str) -> str:
    """Return the search key: MD5, in upper-case hex, over upper-case Latin letters and digits."""
    text = to_latin((first_name + last_name + serial)[:MAX_LENGTH])
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest().upper()


def to_latin(text: str) -> str:
    """Return upper-case Latin letters and digits, Polish letters replaced, all others removed."""
    return "".join([_ALPHABET[letter] for letter in text.upper() if letter in _ALPHABET])
