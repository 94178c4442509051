"""Who a piece of code works for, said by the type of its session.

Every transaction says it to PostgreSQL first, in `app.tenant_id`, and the policies read it
there. The word is bound when a transaction begins and ends with it: a commit in mid-request
cannot leave the rest of the request unbound, and a pooled connection cannot remember.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import Connection, event, text
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession
from sqlalchemy.orm import Session, SessionTransaction, UOWTransaction

from prawko_tenants.base import TenantTable
from prawko_tenants.ids import TenantId

_BIND = text("SELECT set_config('app.tenant_id', :tenant_id, true)")
_BOUND = "tenant_id"
_KEPT = "when_kept"


class _Bound(Session):
    """The inner session of all sessions below; the hooks hang on it alone."""


class DoorSession(AsyncSession):
    """What the sessions below have in common; nobody opens one."""

    sync_session_class = _Bound

    def when_kept(self, act: Callable[[], Awaitable[None]]) -> None:
        """Have this done once the transaction is kept and its connection given back; else never.

        It is lost when the process dies in between, and must not raise: what is kept stays so.
        """
        self.info.setdefault(_KEPT, []).append(act)

    async def tell_it_is_kept(self) -> None:
        """Do what waited for the end of the transaction; the door calls this, nobody else."""
        for act in self.info.pop(_KEPT, ()):
            await act()


class TenantSession(DoorSession):
    """Sees and writes the rows of one company, and what no company owns."""

    @property
    def tenant_id(self) -> TenantId:
        """The company this session is bound to."""
        return TenantId(self.sync_session.info[_BOUND])


class SystemSession(DoorSession):
    """Belongs to no company and sees no company's rows: accounts, sessions, control tables."""


class PlannerSession(DoorSession):
    """Sees which drivers of all companies are due, by id, and plans them; reads nothing else."""


class OperatorSession(DoorSession):
    """What the operators' console may do."""


class BatchSession(DoorSession):
    """One transaction over several companies, one after the other: writes under one at a time."""

    def __init__(self, engine: AsyncEngine, **options: Any) -> None:
        super().__init__(**options)
        # Not handed to the parent, which would keep it in an attribute of the name below.
        self.sync_session.bind = engine.sync_engine

    async def bind(self, tenant_id: TenantId) -> None:  # type: ignore[override]  # see above
        """Turn to this company. What was done for the one before is written out first.

        Not inside a savepoint: undoing it would turn back to the company before, unnoticed.
        """
        if self.in_nested_transaction():
            raise RuntimeError("a batch cannot turn to another company inside a savepoint")
        await self.flush()
        self.sync_session.info[_BOUND] = tenant_id
        await self.execute(_BIND, {"tenant_id": str(tenant_id)})


@event.listens_for(_Bound, "after_begin")
def _bind(session: Session, _: SessionTransaction, connection: Connection) -> None:
    # Unbound sessions say so too: what somebody once SET on a pooled connection counts for nothing.
    connection.execute(_BIND, {"tenant_id": str(session.info.get(_BOUND, ""))})


@event.listens_for(_Bound, "before_flush")
def _fill_in_the_company(session: Session, _context: UOWTransaction, _instances: Any) -> None:
    if _BOUND in session.info:
        for row in session.new:
            if isinstance(row, TenantTable) and row.__dict__.get("tenant_id") is None:
                row.tenant_id = session.info[_BOUND]
