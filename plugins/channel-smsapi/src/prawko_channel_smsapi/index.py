"""Our key as SMSAPI's `idx`: lower-case letters and digits, and back again."""

import base64
import binascii

LONGEST = 255


def index_of(key: str) -> str:
    """The index of a key. Raises ValueError for a key that is longer than an index can hold."""
    index = base64.b32encode(key.encode()).decode().rstrip("=").lower()
    if len(index) > LONGEST:
        raise ValueError("the key is too long")
    return index


def key_of(index: str) -> str | None:
    """The key that makes this index; None for an index that is not ours."""
    padding = "=" * (-len(index) % 8)
    try:
        return base64.b32decode(index.upper() + padding).decode("ascii")
    except (binascii.Error, ValueError):
        return None
