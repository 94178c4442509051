"""The rules for new passwords (docs/rules.md P8, R15) and the checks of the forms."""

import re
from enum import StrEnum

from prawko.accounts.errors import InvalidPasswordError
from prawko.accounts.passwords.common_passwords import is_common
from prawko.accounts.passwords.hashing import MAX_PASSWORD_BYTES

MIN_PASSWORD_LENGTH = 8
MIN_FORM_LENGTH = 6  # of each field of the change form, checked before the rules (P8)


class PasswordIssue(StrEnum):
    """A rule that a new password breaks."""

    TOO_SHORT = "too_short"
    NO_CAPITAL = "no_capital"
    NO_DIGIT = "no_digit"
    TOO_LONG = "too_long"
    COMMON = "common"


ISSUE_TEXT_KEYS = {issue: f"accounts.password.{issue.value}" for issue in PasswordIssue}


def password_issues(password: str, *, refuse_common: bool = False) -> list[PasswordIssue]:
    """Return the rules that a new password breaks; empty when it is acceptable.

    Common passwords are looked for only where the other rules are kept.
    """
    issues = []
    if len(password) < MIN_PASSWORD_LENGTH:
        issues.append(PasswordIssue.TOO_SHORT)
    if not any(letter.isupper() for letter in password):
        issues.append(PasswordIssue.NO_CAPITAL)
    if not re.search(r"[0-9]", password):
        issues.append(PasswordIssue.NO_DIGIT)
    if len(password.encode()) > MAX_PASSWORD_BYTES:
        issues.append(PasswordIssue.TOO_LONG)
    if refuse_common and not issues and is_common(password):
        issues.append(PasswordIssue.COMMON)
    return issues


def validate_change_form(current_password: str, new_password: str, confirmation: str) -> None:
    """Check that all three fields of the change form have six characters.

    Raises InvalidPasswordError.
    """
    values = {
        "currentPassword": current_password,
        "newPassword": new_password,
        "confirmPassword": confirmation,
    }
    short = [name for name, text in values.items() if len(text) < MIN_FORM_LENGTH]
    if short:
        raise InvalidPasswordError(fields=dict.fromkeys(short, "accounts.password.form_too_short"))


def validate_new_password(new_password: str, confirmation: str, *, refuse_common: bool) -> None:
    """Check that both passwords are equal, then the rules. Raises InvalidPasswordError."""
    if new_password != confirmation:
        raise InvalidPasswordError(fields={"confirmPassword": "accounts.password.mismatch"})
    for issue in password_issues(new_password, refuse_common=refuse_common)[:1]:
        raise InvalidPasswordError(fields={"newPassword": ISSUE_TEXT_KEYS[issue]})
