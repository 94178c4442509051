"""A resource of the console, declared: what it lists, and what operators do with a record of it.

`create_router` makes the calls of react-admin's `ra-data-simple-rest` of it: `GET /name` for a page
in the dialect of `list_query`, `GET /name/{record_id}`, `POST /name/{record_id}/{act}`.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, get_type_hints
from uuid import UUID

import msgspec
from litestar import Router, get, post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody
from litestar.response import Response
from sqlalchemy import ColumnElement, Date, Row, Select, bindparam, func, select
from sqlalchemy.orm import InstrumentedAttribute

from prawko.accounts.acts.operator_acts import OperatorActs
from prawko.accounts.guards import OPERATOR_ERRORS
from prawko.console.list_query import (
    FilterIds,
    InvalidListQueryError,
    ListDialect,
    ListParameters,
    ListQuery,
    SearchText,
    SortOrder,
)
from prawko.kit.clock import warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.database import contains_folded
from prawko.kit.errors import AppError, NotFoundError
from prawko.kit.http.error_responses import error_responses
from prawko_tenants.base import UtcDateTime
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import OperatorSession

AnySelect: TypeAlias = Select[*tuple[Any, ...]]
AnyRow: TypeAlias = Row[*tuple[Any, ...]]
AnyColumn: TypeAlias = ColumnElement[Any] | InstrumentedAttribute[Any]
OutT = TypeVar("OutT", bound=msgspec.Struct)

# In the statements of resources: the product clock's time, and its day in Warsaw.
NOW = bindparam("now", type_=UtcDateTime())
TODAY = bindparam("today", type_=Date())
# Of a row that is joined with its company; empty without one.
COMPANY_NAME = func.coalesce(Tenant.company_name, "").label("company_name")


class Filter(NamedTuple):
    """A filter of a list: the type of its JSON value, and the condition for a value."""

    kind: Any
    condition: Callable[[Any], ColumnElement[bool]]


class Act(NamedTuple):
    """What operators do with one record: `POST /{resource}/{record_id}/{name}`.

    `perform` gets the operator's acts, in whose transaction it acts and is recorded, the record's
    id, and the body, which has the type of its parameter `data`. It returns the answer; without
    one the record is answered as it is then. `malformed` is the refusal of a body of another type.
    A call of another form (no record, a file, a stream, another method or path) has a handler of
    its own.
    """

    name: str
    operation_id: str
    perform: Callable[[OperatorActs, Any, Any], Awaitable[Any]]
    errors: tuple[type[AppError], ...]
    summary: str | None = None
    malformed: type[AppError] | None = None


def ids_filter(column: AnyColumn, kind: Any = FilterIds) -> Filter:
    """Return the filter for rows with any of some ids; a list without ids chooses no row."""
    return Filter(kind, column.in_)


def value_filter(column: AnyColumn, kind: Any = UUID) -> Filter:
    """Return the filter for rows with a value in a column."""
    return Filter(kind, lambda value: column == value)


def condition_filter(condition: ColumnElement[bool]) -> Filter:
    """Return the filter for rows that meet a condition (`true`), or do not (`false`)."""
    return Filter(bool, lambda is_met: condition if is_met else ~condition)


def text_filter(*columns: AnyColumn) -> Filter:
    """Return the filter for rows with a text in any column, whatever its case and accents."""
    together = func.concat_ws("\n", *columns)  # one match for each row
    return Filter(SearchText, lambda text: contains_folded(together, text))


def parse_record_id(text: str) -> UUID:
    """Parse the id of a path. Raises NotFoundError: a malformed one belongs to no record."""
    try:
        return UUID(text)
    except ValueError:
        raise NotFoundError from None


class Resource(msgspec.Struct, Generic[OutT], frozen=True, eq=False, kw_only=True):
    """What the console lists under a name, read with the operators' wide session.

    `statement` selects rows with the fields of `out`, or those from which `describe` makes `out`.
    Clients filter by `filters` and sort by `columns`; if a client asks for no order, by the first
    column, downwards. `ids` selects only the ids of a page, where whole rows of all records would
    be slow to read: it joins what the query's filters and order need. A single record has the
    type `detail` if that has more fields than `out`, and is read with `detail_columns` besides;
    without `read_id`, no single record is read.
    """

    name: str
    tag: str
    list_id: str
    read_id: str | None = None
    out: type[OutT]
    detail: type[OutT] | None = None
    detail_columns: tuple[AnyColumn, ...] = ()
    statement: AnySelect
    id_column: AnyColumn
    columns: Mapping[str, AnyColumn]
    filters: Mapping[str, Filter]
    ids: Callable[[ListQuery], AnySelect] | None = None
    describe: (
        Callable[[AppContext, OperatorSession, Sequence[AnyRow]], Awaitable[Sequence[OutT]]] | None
    ) = None
    parse_id: Callable[[AppContext, str], Any] = lambda _, text: parse_record_id(text)
    acts: tuple[Act, ...] = ()

    @property
    def dialect(self) -> ListDialect:
        """The queries that the list offers."""
        return ListDialect(
            sortable=frozenset(self.columns),
            filters={name: offered.kind for name, offered in self.filters.items()},
            default_sort=SortOrder(next(iter(self.columns)), is_descending=True),
        )

    async def read(self, context: AppContext, record_id: Any) -> OutT:
        """Return a record. Raises NotFoundError."""
        statement = self.statement.add_columns(*self.detail_columns)
        statement = statement.where(self.id_column == record_id)
        async with context.database.operator() as session:
            rows = (await session.execute(statement, _times(context))).all()
            if not rows:
                raise NotFoundError
            [record] = await self._describe(context, session, rows, self.detail or self.out)
        return record

    async def read_page(self, context: AppContext, query: ListQuery) -> tuple[Sequence[OutT], int]:
        """Return a page and how many rows the list has: two statements, three with `ids`.

        Rows are sorted by their id, too; those without a value come last in both directions.
        """
        times = _times(context)
        statement = self.ids(query) if self.ids else self.statement
        for name, value in query.filters.items():
            statement = statement.where(self.filters[name].condition(value))
        columns = (self.columns[query.sort.field], self.id_column)
        order = [_sort(column, query.sort) for column in columns]
        count = select(func.count()).select_from(statement.subquery())
        page = statement.order_by(*order).offset(query.first).limit(query.limit)
        async with context.database.operator() as session:
            rows = (await session.execute(page, times)).all()
            total = await session.scalar(count, times)
            if self.ids:
                ids = [row[0] for row in rows]
                found = await session.execute(self.statement.where(self.id_column.in_(ids)), times)
                by_id = {getattr(row, str(self.id_column.key)): row for row in found}
                rows = [by_id[id_] for id_ in ids if id_ in by_id]
            return await self._describe(context, session, rows, self.out), total or 0

    async def _describe(
        self,
        context: AppContext,
        session: OperatorSession,
        rows: Sequence[AnyRow],
        out: type[OutT],
    ) -> Sequence[OutT]:
        if self.describe:
            return await self.describe(context, session, rows)
        return msgspec.convert(rows, list[out], from_attributes=True)  # type: ignore[valid-type]


def create_router(resource: Resource[Any], *handlers: HTTPRouteHandler) -> Router:
    """Return the calls of a resource, with those of its handlers that are no list, read or act."""
    calls = [_list_handler(resource), *handlers]
    calls += [_act_handler(resource, act) for act in resource.acts]
    if resource.read_id:
        calls.append(_read_handler(resource, resource.read_id))
    return Router(f"/{resource.name}", route_handlers=calls, tags=[resource.tag])


def operator_responses(*errors: type[AppError]) -> dict[int, ResponseSpec]:
    """Return the error responses of a call of the console."""
    return error_responses(*OPERATOR_ERRORS, *errors)


def _list_handler(resource: Resource[Any]) -> HTTPRouteHandler:
    out, dialect = resource.out, resource.dialect

    async def handle(
        context: NamedDependency[AppContext], list_parameters: NamedDependency[ListParameters]
    ) -> Response[list[out]]:  # type: ignore[valid-type]
        query = dialect.parse(list_parameters)
        records, total = await resource.read_page(context, query)
        header = query.content_range(resource.name, len(records), total)
        return Response(list(records), headers={"Content-Range": header})

    return get(
        operation_id=resource.list_id,
        summary=_title(resource.list_id),
        responses=operator_responses(InvalidListQueryError),
    )(handle)


def _read_handler(resource: Resource[Any], operation_id: str) -> HTTPRouteHandler:
    out = resource.detail or resource.out

    async def handle(record_id: FromPath[str], context: NamedDependency[AppContext]) -> out:  # type: ignore[valid-type]
        return await resource.read(context, resource.parse_id(context, record_id))  # type: ignore[no-any-return]

    return get(
        "/{record_id:str}",
        operation_id=operation_id,
        summary=_title(operation_id),
        responses=operator_responses(NotFoundError),
    )(handle)


def _act_handler(resource: Resource[Any], act: Act) -> HTTPRouteHandler:
    types = get_type_hints(act.perform)
    body, answer_type = types["data"], types["return"]
    out = (resource.detail or resource.out) if answer_type is type(None) else answer_type

    async def handle(
        record_id: FromPath[str],
        data: JSONBody[body],  # type: ignore[valid-type]
        context: NamedDependency[AppContext],
        acts: NamedDependency[OperatorActs],
    ) -> out:  # type: ignore[valid-type]
        id_ = resource.parse_id(context, record_id)
        answer = await act.perform(acts, id_, data)
        return await resource.read(context, id_) if answer is None else answer  # type: ignore[no-any-return]

    return post(
        f"/{{record_id:str}}/{act.name}",
        operation_id=act.operation_id,
        summary=act.summary or _title(act.operation_id),
        status_code=200,
        opt={"malformed": act.malformed} if act.malformed else None,
        responses=operator_responses(NotFoundError, *act.errors),
    )(handle)


def _title(operation_id: str) -> str:
    return operation_id[0].upper() + operation_id[1:]


def _sort(column: AnyColumn, sort: SortOrder) -> ColumnElement[Any]:
    """Return the order by a column. Only one that may be empty is sorted past its index."""
    order = column.desc() if sort.is_descending else column.asc()
    return order.nulls_last() if getattr(column, "nullable", True) else order


def _times(context: AppContext) -> dict[str, Any]:
    now = context.clock.now()
    return {"now": now, "today": warsaw_date(now)}
