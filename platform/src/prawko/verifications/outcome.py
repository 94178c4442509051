"""Outcome of a register answer for a driver (docs/rules.md R9 to R11)."""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache

from prawko.drivers.models import MayDrive, Outcome
from prawko.drivers.needed_categories import Validity, entitled_until
from prawko.drivers.schemas import VerificationSummaryOut
from prawko.hooks.licence_register import CodedText, LicenceAnswer
from prawko.kit.clock import warsaw_date

# Dictionary 003 of the register. Other dictionaries number the same states differently, so only
# the word after the underscore of a code is compared.
_ISSUED_TEXT = "wydany"
_WITHHELD_TEXT = "zatrzymany"
_WITHDRAWN_PREFIX = "cofni"  # Cofnięty, Cofnięte, Cofnięcie …
# Withheld, withdrawn, annulled, lost, destroyed, not valid: as the dictionary abbreviates them.
_CONTRADICTING_PREFIXES = ("zat", "cof", "uni", "utr", "zni", "nie")


def outcome_of(answer: LicenceAnswer | None, day: date) -> Outcome:
    """Outcome of an answer on a Warsaw day; None means that the register has no such document.

    Withheld and withdrawn documents are invalid, expired or not. A document is valid only if its
    text says issued, its code does not contradict that, and it has not expired. Every other
    state, unknown ones included, is `attention`.
    """
    if answer is None:
        return Outcome.NOT_FOUND
    outcome = _outcome_of_state(answer.state)
    is_over = outcome is Outcome.VALID and is_expired(answer.expires, day)
    return Outcome.ATTENTION if is_over else outcome


@lru_cache(maxsize=32)  # the register has a dozen
def _outcome_of_state(state: CodedText) -> Outcome:
    """Outcome of a document in this state that has not expired."""
    text = _normalise(state.text)
    if text == _WITHHELD_TEXT or text.startswith(_WITHDRAWN_PREFIX):
        return Outcome.INVALID
    is_issued = text == _ISSUED_TEXT and not _contradicts_issued(state)
    return Outcome.VALID if is_issued else Outcome.ATTENTION


def is_expired(expires: date | None, day: date) -> bool:
    """Whether the document's last day is before `day`; a document without a date never expires."""
    return expires is not None and expires < day


def judge_check(
    verification: VerificationSummaryOut, day: date | None = None, needed: Sequence[str] = ()
) -> MayDrive:
    """Return who may drive by one check, on a Warsaw day, by default its own (docs/rules.md R9c).

    `needed` are the categories that the company needs, as far as they are known of that day.
    """
    day = day or warsaw_date(verification.verified_at)
    return Validity(verification.status, last_day_of(verification, needed)).may_drive(day)


def last_day_of(verification: VerificationSummaryOut, needed: Sequence[str] = ()) -> date | None:
    """Return the last day on which a document entitles by one check; None without end."""
    categories = [(one.kategoria, one.data_waznosci) for one in verification.categories]
    return entitled_until(verification.expiry_date, needed, categories)


def _contradicts_issued(state: CodedText) -> bool:
    """Whether the code names a state other than issued; unknown codes and numbers do not."""
    word = _normalise((state.code or "").rpartition("_")[2])
    return word.startswith(_CONTRADICTING_PREFIXES)


def _normalise(text: str) -> str:
    return " ".join(text.split()).casefold()
