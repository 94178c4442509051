"""What an answer of the register means for a driver (readings R9, R10 and R11)."""

from datetime import date
from enum import StrEnum

from prawko.hooks.licence_register import CodedText, LicenceAnswer

UNKNOWN = "unknown"  # a driver's status before the first answer

# Dictionary 003 of the register: the one code whose meaning is proven. Its subsets and its
# predecessor number the dictionary otherwise, so only the word after the underscore is read.
_ISSUED_TEXT = "wydany"
_WITHHELD_TEXT = "zatrzymany"
_WITHDRAWN_STEM = "cofni"  # Cofnięty, Cofnięte, Cofnięcie …
# Withheld, withdrawn, annulled, lost, destroyed, not valid: as the dictionary shortens its words.
_CONTRARY_WORDS = ("zat", "cof", "uni", "utr", "zni", "nie")


class Outcome(StrEnum):
    """What one check found. The driver's status is the latest outcome that counts."""

    VALID = "valid"
    INVALID = "invalid"
    ATTENTION = "attention"
    NOT_FOUND = "not_found"

    @property
    def definite(self) -> bool:
        """Whether the register showed us the document."""
        return self is not Outcome.NOT_FOUND


def outcome_of(answer: LicenceAnswer | None, day: date) -> Outcome:
    """The outcome of an answer, None being "no such document", on a day in Warsaw.

    Withheld and withdrawn documents are invalid, expired or not. Valid is only what is issued,
    not expired, and not called otherwise by its code; everything else needs attention: a
    state nobody has told us about is never taken for a good one.
    """
    if answer is None:
        return Outcome.NOT_FOUND
    state = _plain(answer.state.text)
    if state == _WITHHELD_TEXT or state.startswith(_WITHDRAWN_STEM):
        return Outcome.INVALID
    if state != _ISSUED_TEXT or _contradicts_issued(answer.state):
        return Outcome.ATTENTION
    return Outcome.ATTENTION if is_expired(answer.expires, day) else Outcome.VALID


def is_expired(expires: date | None, day: date) -> bool:
    """Whether the document's last day lies before `day`; without a date it never ends."""
    return expires is not None and expires < day


def _contradicts_issued(state: CodedText) -> bool:
    """Whether the code's own word is another state's; a number or a strange word says nothing."""
    word = _plain((state.code or "").rpartition("_")[2])
    return word.startswith(_CONTRARY_WORDS)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
