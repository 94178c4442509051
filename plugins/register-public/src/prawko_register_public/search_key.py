"""The search key of the public service: a hash of a person's names and a licence's number."""

import hashlib
import string

_ASCII_LETTERS = str.maketrans("ŻÓŁĆĘŚĄŹŃ", "ZOLCESAZN")
_OTHER_CHARACTERS = bytes(
    code for code in range(128) if chr(code) not in string.ascii_uppercase + string.digits
)
_MAX_LENGTH = 500


def compute_search_key(first_name: str, last_name: str, number: str) -> str:
    """Return the MD5, in upper-case hex, of the names and the number in ASCII capitals and digits.

    All other characters are left out: spaces, hyphens, and letters that are not Polish.
    """
    text = (first_name + last_name + number)[:_MAX_LENGTH].upper()
    plain = text.translate(_ASCII_LETTERS).encode("ascii", "ignore")
    kept = plain.translate(None, _OTHER_CHARACTERS)
    return hashlib.md5(kept, usedforsecurity=False).hexdigest().upper()
