"""Limits the memory that things of one kind take in a process, and shares it among their owners."""

from collections import Counter
from collections.abc import Hashable


class MemoryLimiter:
    """Has `limit` bytes; an owner can reserve at most as many as are left afterwards.

    So one owner gets half at most, two get a third each, and a further owner who needs little
    always gets it.
    """

    def __init__(self, limit: int) -> None:
        self._free = limit
        self._reserved = Counter[Hashable]()

    def reserve(self, owner: Hashable, size: int) -> bool:
        """Reserve bytes; False, and nothing is reserved, if that is more than the owner's share."""
        if self._reserved[owner] + size > self._free - size:
            return False
        self._free -= size
        self._reserved[owner] += size
        return True

    def release(self, owner: Hashable, size: int) -> None:
        """Free bytes that were reserved."""
        self._free += size
        self._reserved[owner] -= size
        if not self._reserved[owner]:
            del self._reserved[owner]
