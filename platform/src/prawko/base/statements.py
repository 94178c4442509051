"""Statements that every domain needs."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from sqlalchemy import CursorResult, UpdateBase, bindparam, column, func, select
from sqlalchemy.dialects.postgresql import ARRAY, Insert, insert
from sqlalchemy.ext.asyncio import AsyncSession

from prawko_tenants.base import Base


def insert_rows(model: type[Base], rows: Sequence[Mapping[str, Any]]) -> Insert:
    """Return the insert of rows with the same columns: one statement, an array for each column.

    Rows are inserted in their order. No default of the model is filled in.
    """
    columns = [model.__table__.c[name] for name in rows[0]]
    arrays = [
        bindparam(None, [row[one.name] for row in rows], type_=ARRAY(one.type)) for one in columns
    ]
    values = func.unnest(*arrays).table_valued(*(column(one.name, one.type) for one in columns))
    values = values.render_derived(name="new_row")
    names = [one.name for one in columns]
    return insert(model).from_select(names, select(values), include_defaults=False)


async def count_changes(session: AsyncSession, statement: UpdateBase) -> int:
    """Execute an insert, update or delete; returns how many rows it changed."""
    result = await session.execute(statement, execution_options={"synchronize_session": False})
    return cast("CursorResult[Any]", result).rowcount
