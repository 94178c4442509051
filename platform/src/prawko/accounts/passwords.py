"""Passwords: the rule of reading R15, and argon2id with two hashes at a time."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError, VerifyMismatchError

from prawko.accounts.common_passwords import is_common

MIN_LENGTH = 8
MAX_BYTES = 4096  # a bound on work, far above any password; longer ones are refused, never cut

# 19 MiB and two passes: the floor OWASP names for argon2id.
_hasher = PasswordHasher(memory_cost=19_456, time_cost=2, parallelism=1, type=Type.ID)
_two_at_a_time = ThreadPoolExecutor(2, thread_name_prefix="argon2")
_nobody = _hasher.hash("nobody has this password")


class PasswordFault(StrEnum):
    """What a new password lacks."""

    TOO_SHORT = "too_short"
    NO_CAPITAL = "no_capital"
    NO_DIGIT = "no_digit"
    TOO_LONG = "too_long"
    COMMON = "common"


def faults(password: str, *, refuse_common: bool = False) -> list[PasswordFault]:
    """What is wrong with a new password; empty when it may be used."""
    found = []
    if len(password) < MIN_LENGTH:
        found.append(PasswordFault.TOO_SHORT)
    if not any(letter.isupper() for letter in password):
        found.append(PasswordFault.NO_CAPITAL)
    if not re.search(r"[0-9]", password):
        found.append(PasswordFault.NO_DIGIT)
    if len(password.encode()) > MAX_BYTES:
        found.append(PasswordFault.TOO_LONG)
    if refuse_common and not found and is_common(password):
        found.append(PasswordFault.COMMON)
    return found


async def hash_password(password: str) -> str:
    """The argon2id hash to store."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_two_at_a_time, _hasher.hash, password)


async def matches(stored: str | None, password: str) -> bool:
    """Whether the password fits; takes as long when there is nothing to compare with."""
    if len(password.encode()) > MAX_BYTES:
        return False
    loop = asyncio.get_running_loop()
    fits = await loop.run_in_executor(_two_at_a_time, _verify, stored or _nobody, password)
    return fits and stored is not None


def _verify(stored: str, password: str) -> bool:
    try:
        return _hasher.verify(stored, password)
    except (VerifyMismatchError, VerificationError, InvalidHashError):
        return False
