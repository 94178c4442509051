"""Why the text of one field is refused."""

from enum import StrEnum


class Fault(StrEnum):
    """The last part of the sentence's key: `drivers.<field>.<fault>`."""

    MISSING = "required"
    TOO_LONG = "too_long"
    CHARACTERS = "characters"
    FORMAT = "format"


class UnfitTextError(ValueError):
    """The text cannot be what the field asks for."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.value)
        self.fault = fault
