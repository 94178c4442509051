"""Encodes idempotency keys as SMSAPI's `idx`: lower-case letters and digits."""

import base64
import binascii

MAX_INDEX_LENGTH = 255


def encode_index(idempotency_key: str) -> str:
    """Return the index of a key. Raises ValueError for a key too long for an index."""
    index = base64.b32encode(idempotency_key.encode()).decode().rstrip("=").lower()
    if len(index) > MAX_INDEX_LENGTH:
        raise ValueError("the key is too long")
    return index


def decode_index(index: str) -> str | None:
    """Return the key of an index; None for an index that is not ours."""
    padding = "=" * (-len(index) % 8)
    try:
        return base64.b32decode(index.upper() + padding).decode("ascii")
    except (binascii.Error, ValueError):
        return None
