"""The rows of the action log as a stream, and the results of its verifications."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import cast

from sqlalchemy import Table, func, select
from sqlalchemy.dialects.postgresql import insert

from prawko.accounts.acts.chain_verification import GENESIS, ChainHead, ChainLink, ChainReport
from prawko.accounts.acts.models import AdminAction, AdminActionCheck
from prawko_tenants.sessions import OperatorSession, SystemSession

BATCH_SIZE = 500


class ActionChainRepository:
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
