"""The number of a Polish driving licence: the serial of the card (spec, section 5)."""

import re
from typing import NewType

from prawko.drivers.faults import Fault, UnfitTextError

LicenceNumber = NewType("LicenceNumber", str)

PATTERN = "^[A-Z]{2}[0-9]{6}$"  # for readers of the API; here `$` would let a newline pass
LENGTH = 8
_SERIAL = re.compile(r"[A-Z]{2}[0-9]{6}")


def read_licence_number(text: str) -> LicenceNumber:
    """Return the number in capitals. Raises UnfitTextError.

    Only ASCII passes: "ß" and the dotless i become letters of A to Z when they are raised, and
    digits of other scripts pass for digits. The register would be asked about another document.
    """
    if not text.strip():
        raise UnfitTextError(Fault.MISSING)
    number = text.upper()
    if not (text.isascii() and _SERIAL.fullmatch(number)):
        raise UnfitTextError(Fault.FORMAT)
    return LicenceNumber(number)
