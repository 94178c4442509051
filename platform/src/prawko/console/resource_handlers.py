"""Route handlers that all resources of the console have alike: list, read one, act on one.

A controller declares each with the method of its service that does it, the response model and the
operation's id; what differs more than that is a handler of its own.
"""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from litestar import get, post
from litestar.di import NamedDependency, Provide
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody
from litestar.response import Response

from prawko.accounts.acts.action_log import ActionLog
from prawko.accounts.guards import OPERATOR_ERRORS
from prawko.console.errors import InvalidListQueryError
from prawko.console.list_page import ListPage, page_response
from prawko.console.list_query import ListParameters, ListQuery, parse_record_id
from prawko.console.schemas import ReasonIn
from prawko.kit.context import AppContext
from prawko.kit.errors import AppError, NotFoundError
from prawko.kit.http.error_responses import error_responses

ServiceT = TypeVar("ServiceT")
OutT = TypeVar("OutT", bound=msgspec.Struct)

LIST_ERRORS = error_responses(*OPERATOR_ERRORS, InvalidListQueryError)
READ_ERRORS = error_responses(*OPERATOR_ERRORS, NotFoundError)


def service_dependency(service_type: Callable[[AppContext], Any]) -> dict[str, Provide]:
    """Return the dependency `service` of a controller's handlers: the service of its context."""

    def provide_service(context: NamedDependency[AppContext]) -> Any:
        return service_type(context)

    return {"service": Provide(provide_service, sync_to_thread=False)}


def list_handler(
    resource: str,
    list_rows: Callable[[ServiceT, ListParameters], Awaitable[tuple[ListQuery, ListPage]]],
    out: type[OutT],
    *,
    operation_id: str,
    summary: str | None = None,
) -> HTTPRouteHandler:
    """Return the handler of `GET` on a resource: a page in the dialect of `list_query`."""

    async def handle(
        _: Any,
        service: NamedDependency[Any],
        list_parameters: NamedDependency[ListParameters],
    ) -> Response[Any]:
        query, page = await list_rows(service, list_parameters)
        return page_response(resource, query, page, out)

    _describe(handle, list_rows, Response[list[out]])  # type: ignore[valid-type]
    return get(operation_id=operation_id, summary=summary, responses=LIST_ERRORS)(handle)


def read_handler(
    read_one: Callable[[ServiceT, UUID], Awaitable[OutT]], out: type[OutT], *, operation_id: str
) -> HTTPRouteHandler:
    """Return the handler of `GET` on one record."""

    async def handle(_: Any, record_id: FromPath[str], service: NamedDependency[Any]) -> Any:
        return await read_one(service, parse_record_id(record_id))

    _describe(handle, read_one, out)
    return get("/{record_id:str}", operation_id=operation_id, responses=READ_ERRORS)(handle)


def act_handler(
    act: Callable[[ServiceT, ActionLog, UUID, str | None], Awaitable[OutT]],
    out: type[OutT],
    *errors: type[AppError],
    operation_id: str,
    summary: str | None = None,
) -> HTTPRouteHandler:
    """Return the handler of an act on one record whose body is a reason; the path is its name."""

    async def handle(
        _: Any,
        record_id: FromPath[str],
        data: JSONBody[ReasonIn],
        service: NamedDependency[Any],
        actions: NamedDependency[ActionLog],
    ) -> Any:
        return await act(service, actions, parse_record_id(record_id), data.reason)

    _describe(handle, act, out)
    return post(
        f"/{{record_id:str}}/{act.__name__}",
        operation_id=operation_id,
        summary=summary,
        status_code=200,
        responses=error_responses(*OPERATOR_ERRORS, NotFoundError, *errors),
    )(handle)


def _describe(handle: Any, method: Any, returns: Any) -> None:
    """Give a handler what the OpenAPI document takes from it: a name and a response model."""
    handle.__name__ = method.__name__
    handle.__annotations__["return"] = returns
