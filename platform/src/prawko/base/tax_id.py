"""The Polish tax id (NIP): ten digits, the last of which checks the others."""

import re
from typing import NewType

TaxId = NewType("TaxId", str)

LENGTH = 10
PATTERN = "^[0-9]{10}$"  # for readers of the API; here `$` would let a newline pass
_DIGITS = re.compile(r"[0-9]{10}")
_WEIGHTS = (6, 5, 7, 2, 3, 4, 5, 6, 7)


def has_tax_id_format(text: str) -> bool:
    """Whether the text is ten ASCII digits and nothing else (spec, section 5)."""
    return _DIGITS.fullmatch(text) is not None


def has_check_digit(text: str) -> bool:
    """Whether the last of ten digits is the weighted sum of the others, modulo 11.

    A sum of 10 belongs to no tax id, and neither do ten zeros.
    """
    digits = [int(digit) for digit in text]
    total = sum(weight * digit for weight, digit in zip(_WEIGHTS, digits, strict=False))
    return total > 0 and total % 11 == digits[-1]
