"""Reads one page of a list: two statements, however long the list is."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import msgspec
from litestar import Response
from sqlalchemy import ColumnElement, Row, Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from prawko.console.list_query import ListQuery

AnySelect: TypeAlias = Select[*tuple[Any, ...]]
AnyRow: TypeAlias = Row[*tuple[Any, ...]]
OutT = TypeVar("OutT", bound=msgspec.Struct)


class ListPage(msgspec.Struct, frozen=True):
    """Rows of a page, and how many rows the list has."""

    rows: Sequence[Any]
    total: int


async def fetch_page(
    session: AsyncSession,
    statement: AnySelect,
    query: ListQuery,
    columns: Mapping[str, ColumnElement[Any]],
    id_column: ColumnElement[Any] | InstrumentedAttribute[Any],
) -> ListPage:
    """Return the page of a filtered statement, sorted by one of `columns`, then by the id.

    Rows without a value come last in both directions. The ids of the filter are chosen here: an
    empty list chooses nothing.
    """
    if "id" in query.filters:
        statement = statement.where(id_column.in_(query.filters["id"]))
    directions = [columns[query.sort.field], id_column]
    order = [
        (column.desc() if query.sort.is_descending else column.asc()).nulls_last()
        for column in directions
    ]
    page = statement.order_by(*order).offset(query.first).limit(query.limit)
    rows: Sequence[AnyRow] = (await session.execute(page)).all()
    if rows and len(rows) < query.limit:
        return ListPage(rows, query.first + len(rows))
    total = await session.scalar(select(func.count()).select_from(statement.subquery()))
    return ListPage(rows, total or 0)


def page_response(
    resource: str, query: ListQuery, page: ListPage, out: type[OutT]
) -> Response[list[OutT]]:
    """Return the rows as an array, with their range and the total in `Content-Range`."""
    records = msgspec.convert(page.rows, list[out], from_attributes=True)  # type: ignore[valid-type]
    header = query.content_range(resource, len(records), page.total)
    return Response(records, headers={"Content-Range": header})
