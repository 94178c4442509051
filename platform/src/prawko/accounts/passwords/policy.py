"""The rules for new passwords (docs/rules.md P8, R15), and the checks of the forms.

Common passwords, which are guessed first, are refused. Few entries of a usual list of them pass our
own rules. Users who must use a capital and a digit write a known word with a capital in front and
digits behind. So the list holds about 2,000 words. A password is common when it is one of them with
nothing but digits and signs around it, in any capitalisation (one more letter at the end changes
nothing), or when it follows the keys of a keyboard. A test counts how many common passwords that
covers.
"""

import re
from enum import StrEnum
from functools import cache
from importlib.resources import files
from unicodedata import combining, normalize

from prawko.accounts.errors import InvalidPasswordError
from prawko.accounts.passwords.hashing import MAX_PASSWORD_BYTES

MIN_PASSWORD_LENGTH = 8
MIN_FORM_LENGTH = 6  # of each field of the change form, checked before the rules (P8)

_POLISH_L = str.maketrans("łŁ", "ll")
_LEET = str.maketrans("0134578@$!", "oieastbasi")
_AFFIXES = re.compile(r"^[^a-z]*(.*?)[^a-z]*$", re.DOTALL)
# Of digits and signs around a word; more of them are hard to guess themselves.
_MAX_AFFIX_LENGTH = 8

# Neighbouring keys: along the rows of a keyboard, and up and down its columns.
_KEYBOARD_PATHS = (
    "1234567890-=", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./", "qwertzuiop", "azertyuiop",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p", "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0",
    "a1b2c3d4e5f6g7h8i9j0", "1a2b3c4d5e6f7g8h9i0j", "abcdefghijklmnopqrstuvwxyz", "01234567890",
    "qazwsxedcrfvtgbyhnujm", "zaq1xsw2cde3vfr4bgt5nhy6mju7", "q2w3e4r5t6y7u8i9o0",
    "1qazxsw23edcvfr4", "zaq12wsxcde34rfv", "1qaz@wsx#edc$rfv", "147258369", "159357",
    "!qaz@wsx#edc", "!@#$%^&*()", "a1s2d3f4g5h6j7k8l9", "z1x2c3v4b5n6m7",
)  # fmt: skip
_MIN_WALK_LENGTH = 3
_MAX_PATH_LENGTH = max(map(len, _KEYBOARD_PATHS))
_MAX_LENGTH = 64


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


def is_common(password: str) -> bool:
    """Return whether the password is among the first that an attacker would guess.

    Passwords of more than 64 characters never are; they are not examined.
    """
    if len(password) > _MAX_LENGTH:
        return False
    normalised = _normalise(password)
    return (
        _is_dictionary_word(normalised)
        or _is_dictionary_word(normalised[:-1])
        or _is_keyboard_walk(normalised)
        or _is_keyboard_walk(normalised[1:])
        or _is_repetition(normalised)
    )


def _normalise(password: str) -> str:
    """Lower case without diacritics and white space."""
    letters = normalize("NFKD", password.translate(_POLISH_L).casefold())
    return "".join(c for c in letters if not combining(c) and not c.isspace())


def _is_dictionary_word(normalised: str) -> bool:
    word = _AFFIXES.sub(r"\1", normalised)
    if len(normalised) - len(word) > _MAX_AFFIX_LENGTH:
        return False
    spellings = {word, normalised.translate(_LEET), word.translate(_LEET)}
    spellings |= {text[: len(text) // 2] for text in spellings if _is_doubled(text)}
    return not spellings.isdisjoint(_common_words())


def _is_keyboard_walk(normalised: str) -> bool:
    """At most three paths along the keyboard or the alphabet, forwards or backwards."""
    rest, walks = normalised, 0
    while rest and walks < 3:
        step = _longest_walk(rest)
        if step < _MIN_WALK_LENGTH:
            break
        rest, walks = rest[step:], walks + 1
    return walks > 0 and len(rest) <= 1


def _longest_walk(text: str) -> int:
    same = len(text) - len(text.lstrip(text[0]))
    for length in range(min(len(text), _MAX_PATH_LENGTH), max(same, _MIN_WALK_LENGTH - 1), -1):
        if any(text[:length] in path for path in _both_directions()):
            return length
    return same if same >= _MIN_WALK_LENGTH else 0


def _is_repetition(normalised: str) -> bool:
    """One piece of up to four characters, repeated: abc1abc1, 12ab12ab."""
    return any(
        len(normalised) % size == 0 and normalised == normalised[:size] * (len(normalised) // size)
        for size in range(1, min(4, len(normalised) // 2) + 1)
    )


def _is_doubled(text: str) -> bool:
    half = len(text) // 2
    return len(text) % 2 == 0 and text[:half] == text[half:]


@cache
def _both_directions() -> tuple[str, ...]:
    return (*_KEYBOARD_PATHS, *(row[::-1] for row in _KEYBOARD_PATHS))


@cache
def _common_words() -> frozenset[str]:
    text = files(__package__).joinpath("common_words.txt").read_text(encoding="ascii")
    return frozenset(
        word for line in text.splitlines() if not line.startswith("#") for word in line.split()
    )
