"""The search key of the public service: a hash of a person's names and a licence's number."""

import hashlib
import re

_ASCII_LETTERS = str.maketrans("ŻÓŁĆĘŚĄŹŃ", "ZOLCESAZN")
_OTHER_CHARACTERS = re.compile("[^A-Z0-9ŻÓŁĆĘŚĄŹŃ]")
_MAX_LENGTH = 500


def compute_search_key(first_name: str, last_name: str, number: str) -> str:
    """Return the MD5, in upper-case hex, of the names and the number in ASCII capitals and digits.

    All other characters are left out: spaces, hyphens, and letters that are not Polish.
    """
    text = (first_name + last_name + number)[:_MAX_LENGTH].upper()
    plain = _OTHER_CHARACTERS.sub("", text).translate(_ASCII_LETTERS)
    return hashlib.md5(plain.encode("ascii"), usedforsecurity=False).hexdigest().upper()
