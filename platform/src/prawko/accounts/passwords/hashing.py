"""Hashes passwords with argon2id, at most two at a time."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError, VerifyMismatchError

# Bounds the work of a hash; far above any real password. Longer ones are refused, never cut.
MAX_PASSWORD_BYTES = 4096

# 19 MiB and two passes: the minimum that OWASP names for argon2id.
hasher = PasswordHasher(memory_cost=19_456, time_cost=2, parallelism=1, type=Type.ID)
_executor = ThreadPoolExecutor(2, thread_name_prefix="argon2")
_dummy_hash = hasher.hash("nobody has this password")


async def hash_password(password: str) -> str:
    """Return the argon2id hash to store."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_executor, hasher.hash, password)


async def verify_password(stored_hash: str | None, password: str) -> bool:
    """Return whether the password matches the hash; takes as long when `stored_hash` is None."""
    if len(password.encode()) > MAX_PASSWORD_BYTES:
        return False
    loop = asyncio.get_running_loop()
    is_match = await loop.run_in_executor(
        _executor, _verify_hash, stored_hash or _dummy_hash, password
    )
    return is_match and stored_hash is not None


def _verify_hash(stored_hash: str, password: str) -> bool:
    try:
        return hasher.verify(stored_hash, password)
    except (VerifyMismatchError, VerificationError, InvalidHashError):
        return False
