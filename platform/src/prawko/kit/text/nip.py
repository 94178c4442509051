"""Polish tax ids (NIP): ten digits, the last of which is a check digit."""

import re
from typing import NewType

from stdnum.pl import nip

TaxId = NewType("TaxId", str)

NIP_LENGTH = 10
NIP_PATTERN = "^[0-9]{10}$"  # for the OpenAPI document; in Python `$` accepts a trailing newline
_DIGITS = re.compile(r"[0-9]{10}")
_ZEROS = "0" * NIP_LENGTH  # passes the checksum, but is never assigned


def has_nip_format(text: str) -> bool:
    """Whether the text is exactly ten ASCII digits."""
    return _DIGITS.fullmatch(text) is not None


def has_valid_check_digit(text: str) -> bool:
    """Whether the last of ten digits is the check digit of the others; false for ten zeros."""
    return text != _ZEROS and nip.checksum(text) == 0
