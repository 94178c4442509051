"""Bank account numbers (ISO 13616)."""

from stdnum import iban
from stdnum.exceptions import ValidationError


class InvalidIbanError(ValueError):
    """The text is not an IBAN."""


def parse_iban(text: str) -> str:
    """Return an IBAN without spaces, in capitals. Raises InvalidIbanError."""
    number = "".join(text.split()).upper()
    if not number.isascii():
        raise InvalidIbanError("an IBAN with its country is expected")
    try:
        return str(iban.validate(number))
    except ValidationError as error:
        raise InvalidIbanError(str(error)) from None
