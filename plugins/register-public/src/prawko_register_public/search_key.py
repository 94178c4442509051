"""The key of the public service: a hash of whom and what is asked."""

import hashlib
import re

_PLAIN = str.maketrans("ŻÓŁĆĘŚĄŹŃ", "ZOLCESAZN")
_OTHERS = re.compile("[^A-Z0-9ŻÓŁĆĘŚĄŹŃ]")
_LONGEST = 500


def search_key(first_name: str, last_name: str, number: str) -> str:
    """MD5, as upper-case hex, of the names and the number in plain capitals and digits.

    Everything else vanishes: blanks, hyphens, and letters that are not Polish.
    """
    text = (first_name + last_name + number)[:_LONGEST].upper()
    plain = _OTHERS.sub("", text).translate(_PLAIN)
    return hashlib.md5(plain.encode("ascii"), usedforsecurity=False).hexdigest().upper()
