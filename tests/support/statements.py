"""Records the statements that the product sends to PostgreSQL."""

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg
import pytest
from sqlalchemy import Engine, event


@contextmanager
def record_statements() -> Iterator[list[str]]:
    """Collect the statements of all sessions and readers of this process during the block."""
    statements: list[str] = []

    def record(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        statements.append(statement)

    with pytest.MonkeyPatch.context() as patch:
        for name in ("fetch", "fetchval", "fetchrow"):
            read = getattr(asyncpg.Connection, name)
            patch.setattr(asyncpg.Connection, name, _recorded(read, statements))
        event.listen(Engine, "before_cursor_execute", record)
        try:
            yield statements
        finally:
            event.remove(Engine, "before_cursor_execute", record)


def _recorded(read, statements: list[str]):
    async def recorded(connection: asyncpg.Connection, statement: str, *args: object):
        statements.append(statement)
        return await read(connection, statement, *args)

    return recorded
