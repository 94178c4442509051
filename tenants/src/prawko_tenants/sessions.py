"""Session types: which rows a piece of code may see is part of its signature.

At the start of every transaction the session sets `app.tenant_id`, which the policies read. The
setting is local to the transaction: a commit in mid-request does not leave the rest of the
request without a company, and a pooled connection keeps nothing of it.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

import asyncpg
from sqlalchemy import ClauseElement, Connection, event, text
from sqlalchemy.dialects.postgresql import asyncpg as asyncpg_dialect
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session, SessionTransaction, UOWTransaction
from sqlalchemy.sql.compiler import SQLCompiler

from prawko_tenants.base import TenantTable
from prawko_tenants.ids import TenantId

_DIALECT = asyncpg_dialect.dialect()  # type: ignore[no-untyped-call]
_PARAMETER = re.compile(r"(?<![:\w]):(\w+)")  # no type of a cast, no part of a time


class HotStatement:
    """A statement for `fetch`: SQL text, with parameters that are named as in `sqlalchemy.text`.

    A typed statement is compiled once. What it returns are asyncpg's values.
    """

    def __init__(self, statement: str | ClauseElement) -> None:
        self._constants: Mapping[str, object] = {}
        self._processors: dict[str, Callable[[Any], object]] = {}
        if isinstance(statement, str):
            names = self._names = list(dict.fromkeys(_PARAMETER.findall(statement)))
            self.sql = _PARAMETER.sub(lambda found: f"${names.index(found[1]) + 1}", statement)
            return
        compiled = cast(SQLCompiler, statement.compile(dialect=_DIALECT))
        self.sql, self._names = str(compiled), list(compiled.positiontup or ())
        self._constants = compiled.params
        for name in self._names:
            processor = compiled.binds[name].type.dialect_impl(_DIALECT).bind_processor(_DIALECT)
            if processor is not None:
                self._processors[name] = processor

    def bind(self, params: Mapping[str, object]) -> list[object]:
        """Return the values of the parameters, in the order of their numbers in `sql`."""
        values = {**self._constants, **params} if self._constants else params
        return [
            processor(values[name]) if (processor := self._processors.get(name)) else values[name]
            for name in self._names
        ]


_SET_TENANT = HotStatement("SELECT set_config('app.tenant_id', :tenant_id, true)")
_TENANT_KEY = "tenant_id"
_ON_COMMIT_KEY = "on_commit"
_WAKE_SENDER_KEY = "wake_sender"
_SET_READ_ONLY = text("SET TRANSACTION READ ONLY")
_READ_ONLY_KEY = "read_only"


class _InnerSession(Session):
    """Synchronous session behind all sessions below; the event listeners attach to it."""


class TenantAwareSession(AsyncSession):
    """Base of the sessions below; never opened itself."""

    sync_session_class = _InnerSession
    _fetching: tuple[SessionTransaction | None, Any] = (None, None)  # with its connection

    async def fetch(
        self, statement: HotStatement, params: Mapping[str, object]
    ) -> list[asyncpg.Record]:
        """Execute a hot statement in the transaction and return its rows.

        asyncpg executes it, in a third of the time that SQLAlchemy takes; errors are asyncpg's.
        """
        if self.new or self.dirty or self.deleted:
            await self.flush()
        transaction, connection = self._fetching
        if transaction is None or transaction is not self.sync_session.get_transaction():
            # A connection of an ended transaction may be another session's by now.
            pooled = await (await self.connection()).get_raw_connection()
            connection = pooled.driver_connection
            self._fetching = self.sync_session.get_transaction(), connection
        rows: list[asyncpg.Record] = await connection.fetch(statement.sql, *statement.bind(params))
        return rows

    def on_commit(self, callback: Callable[[], Awaitable[None]]) -> None:
        """Await `callback` after the commit, when the connection is back in its pool.

        Equal callbacks are called once. Not called after a rollback, and lost when the process
        dies in between. It must not raise, because the transaction is already committed.
        """
        callbacks = self.info.setdefault(_ON_COMMIT_KEY, [])
        if callback not in callbacks:
            callbacks.append(callback)

    def wake_sender_on_commit(self) -> None:
        """Start the sending of messages after the commit, once.

        Does nothing where the `Database` has no `wake_sender`.
        """
        wake_sender = self.info.get(_WAKE_SENDER_KEY)
        if wake_sender is not None:
            self.on_commit(wake_sender)

    async def run_on_commit(self) -> None:
        """Await the callbacks of the committed transaction; called by `Database` only."""
        for callback in self.info.pop(_ON_COMMIT_KEY, ()):
            await callback()


class TenantSession(TenantAwareSession):
    """Reads and writes the rows of one company, and global tables."""

    @property
    def tenant_id(self) -> TenantId:
        """Id of the session's company."""
        return TenantId(self.sync_session.info[_TENANT_KEY])


class SystemSession(TenantAwareSession):
    """Reads and writes global tables, and with the worker's login control tables.

    Rows of companies are not visible.
    """


class PlannerSession(TenantAwareSession):
    """Reads ids and states of due rows of all companies, and plans check items."""


class OperatorSession(TenantAwareSession):
    """Reads the rows of all companies for the console. Its transactions are read-only."""


class BatchSession(TenantAwareSession):
    """One transaction over several companies, one at a time."""

    async def switch_tenant(self, tenant_id: TenantId) -> None:
        """Select the company, after a flush of the changes for the one before.

        Raises RuntimeError inside a savepoint: its rollback would silently select the company
        before.
        """
        if self.in_nested_transaction():
            raise RuntimeError("a batch cannot switch to another company inside a savepoint")
        if self.new or self.dirty or self.deleted:
            await self.flush()
        self.sync_session.info[_TENANT_KEY] = tenant_id
        if self.in_transaction():  # else its beginning does it
            await self.fetch(_SET_TENANT, {"tenant_id": str(tenant_id)})


@event.listens_for(_InnerSession, "after_begin")
def _set_tenant(session: Session, _: SessionTransaction, connection: Connection) -> None:
    # Set without a company too: a value left on a pooled connection must not take effect.
    connection.exec_driver_sql(_SET_TENANT.sql, (str(session.info.get(_TENANT_KEY, "")),))
    if session.info.get(_READ_ONLY_KEY):
        connection.execute(_SET_READ_ONLY)


@event.listens_for(_InnerSession, "before_flush")
def _fill_tenant_id(session: Session, _context: UOWTransaction, _instances: Any) -> None:
    if _TENANT_KEY in session.info:
        for row in session.new:
            if isinstance(row, TenantTable) and row.__dict__.get("tenant_id") is None:
                row.tenant_id = session.info[_TENANT_KEY]
