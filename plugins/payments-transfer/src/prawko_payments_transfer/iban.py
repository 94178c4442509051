"""Numbers of bank accounts: ISO 13616, checked as ISO 7064 says (mod 97)."""

import re

_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}", re.ASCII)
_POLISH_LENGTH = 28


class InvalidIbanError(ValueError):
    """This is no number of an account."""


def compact(text: str) -> str:
    """An account's number without its blanks, in capitals. Raises InvalidIbanError."""
    number = "".join(text.split()).upper()
    if not _IBAN.fullmatch(number):
        raise InvalidIbanError("an IBAN with its country is expected")
    if number.startswith("PL") and len(number) != _POLISH_LENGTH:
        raise InvalidIbanError(f"a Polish IBAN has {_POLISH_LENGTH} characters")
    turned = number[4:] + number[:4]
    if int("".join(str(int(letter, 36)) for letter in turned)) % 97 != 1:
        raise InvalidIbanError("its check digits do not match")
    return number
