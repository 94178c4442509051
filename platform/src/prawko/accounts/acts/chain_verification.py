"""Verifies the chain of hashes of the operators' actions, one row after the other."""

from collections.abc import AsyncIterable
from typing import NamedTuple

import msgspec


class ChainLink(NamedTuple):
    """A row of the log; `computed_hash` is what its hash has to be."""

    sequence: int
    previous_hash: bytes
    hash: bytes
    computed_hash: bytes


class ChainHead(msgspec.Struct, frozen=True):
    """The last row of an intact chain."""

    sequence: int
    hash: bytes


GENESIS = ChainHead(0, b"")  # before the first row


class ChainReport(msgspec.Struct, frozen=True):
    """The head of the intact rows; `broken_at` is the number of the first row that is not."""

    head: ChainHead
    broken_at: int | None


def find_next_head(head: ChainHead, link: ChainLink) -> ChainHead | None:
    """Return the head with one more row; None when the row was changed, or one before it lost."""
    is_next = link.sequence == head.sequence + 1 and link.previous_hash == head.hash
    if not is_next or link.hash != link.computed_hash:
        return None
    return ChainHead(link.sequence, link.hash)


async def verify_chain(links: AsyncIterable[ChainLink], known: ChainHead) -> ChainReport:
    """Verify the rows in their order, keeping none of them.

    `known` is the head of an earlier verification: it shows that rows were cut off at the end, or
    the whole chain computed anew.
    """
    head = GENESIS
    async for link in links:
        next_head = find_next_head(head, link)
        if next_head is None or (next_head.sequence == known.sequence and next_head != known):
            return ChainReport(head, head.sequence + 1)
        head = next_head
    return ChainReport(head, head.sequence + 1 if head.sequence < known.sequence else None)
