"""Reads and verifies the chain of hashes of the operators' acts, one row after the other."""

from collections.abc import AsyncIterable, AsyncIterator
from datetime import datetime
from typing import NamedTuple, cast

import msgspec
from sqlalchemy import Table, func, select
from sqlalchemy.dialects.postgresql import insert

from prawko.accounts.acts.models import AdminAction, AdminActionCheck
from prawko_tenants.sessions import OperatorSession, SystemSession

BATCH_SIZE = 500


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


class ActChainRepository:
    """Reads the chain and stores results, in the caller's transaction."""

    def __init__(self, session: SystemSession | OperatorSession) -> None:
        self._session = session

    async def stream_links(self) -> AsyncIterator[ChainLink]:
        """Yield all rows in their order; a few hundred are in memory at a time."""
        row = cast(Table, AdminAction.__table__).table_valued()
        statement = (
            select(
                AdminAction.sequence,
                AdminAction.previous_hash,
                AdminAction.hash,
                func.admin_action_hash(row),
            )
            .order_by(AdminAction.sequence)
            .execution_options(yield_per=BATCH_SIZE)
        )
        async for link in await self._session.stream(statement):
            yield ChainLink(*link)

    async def find_last_check(self) -> AdminActionCheck | None:
        """Return the last verification."""
        return await self._session.scalar(
            select(AdminActionCheck).order_by(AdminActionCheck.checked_at.desc()).limit(1)
        )

    async def find_known_head(self) -> ChainHead:
        """Return the head of the last verification that found the chain intact."""
        last_intact = (
            select(AdminActionCheck)
            .where(AdminActionCheck.broken_at.is_(None))
            .order_by(AdminActionCheck.checked_at.desc())
            .limit(1)
        )
        check = await self._session.scalar(last_intact)
        return ChainHead(check.rows, check.head_hash) if check else GENESIS

    async def add_check(self, report: ChainReport, system_now: datetime) -> None:
        """Store the result of a verification."""
        await self._session.execute(
            insert(AdminActionCheck).values(
                checked_at=system_now,
                rows=report.head.sequence,
                head_hash=report.head.hash,
                broken_at=report.broken_at,
            )
        )
