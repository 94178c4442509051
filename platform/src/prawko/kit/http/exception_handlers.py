"""Renders every error as JSON: a stable key and a sentence (docs/rules.md R19)."""

import errno
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from litestar import Request, Response
from litestar.exceptions import (
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
    ValidationException,
)

from prawko.kit.clock import ClockDiffersError
from prawko.kit.errors import (
    AppError,
    AuthRequiredError,
    BadRequestError,
    NotFoundError,
    ServerError,
    UnavailableError,
)
from prawko.kit.http.allow_header import allowed_methods
from prawko.kit.http.error_responses import Problem
from prawko.kit.observability import logs
from prawko.kit.text.i18n import Language, negotiate_language
from prawko_tenants.fair_semaphore import NoSlotError
from prawko_tenants.outages import is_conflict, is_of_former_member, is_unavailable, sqlstate_of

AnyRequest = Request[Any, Any, Any]
AnyResponse = Response[Any]
RETRY_AFTER_SECONDS = 5

log = logs.get_logger(__name__)


class MethodNotAllowedError(AppError):
    """The path exists, but not with this method."""

    status = 405
    key = "not_found"


def request_language(request: AnyRequest) -> Language:
    """Return the account's language, else the browser's, else Polish (docs/rules.md R25)."""
    identity = request.scope.get("user")
    if identity is not None:
        language: Language = identity.language
        return language
    return negotiate_language(request.headers.get("accept-language", ""))


def render_error(request: AnyRequest, error: AppError) -> Response[Problem]:
    """Return the response of an error."""
    language = request_language(request)
    headers = {}
    if error.retry_after is not None:
        headers["Retry-After"] = str(error.retry_after)
    problem = Problem(
        error=error.key, message=error.message(language), fields=error.field_messages(language)
    )
    return Response(
        problem, status_code=error.status, headers=headers, media_type="application/json"
    )


def handle_http_error(request: AnyRequest, error: HTTPException) -> Response[Problem]:
    """Handle an error of Litestar: unknown path or method, or a malformed request."""
    if isinstance(error, NotFoundException):
        return render_error(request, NotFoundError())
    if isinstance(error, MethodNotAllowedException):
        response = render_error(request, MethodNotAllowedError())
        response.headers["Allow"] = allowed_methods(request.app, request.url.path)
        return response
    if isinstance(error, ValidationException):
        return render_error(request, _to_validation_error(request, error))
    if error.status_code >= 500:
        return handle_unexpected_error(request, error)
    return render_error(request, BadRequestError())


def handle_unexpected_error(request: AnyRequest, error: Exception) -> Response[Problem]:
    """Handle an unexpected exception: 503 without database, disk, slot or the right time, else 500.

    A request that PostgreSQL undid because of another one may be sent again: 503, too. One of a
    person who was removed from the company meanwhile has lost its session: 401.
    """
    if isinstance(error, ClockDiffersError):
        return render_error(request, UnavailableError(retry_after=RETRY_AFTER_SECONDS))
    if isinstance(error, NoSlotError):
        log.info("slot_unavailable", path=request.url.path)
        return render_error(request, UnavailableError(retry_after=RETRY_AFTER_SECONDS))
    if is_of_former_member(error):
        return render_error(request, AuthRequiredError())
    if is_unavailable(error) or is_conflict(error):
        log.warning(
            "database_unavailable",
            path=request.url.path,
            error=type(error).__name__,
            sqlstate=sqlstate_of(error),
        )
        return render_error(request, UnavailableError(retry_after=RETRY_AFTER_SECONDS))
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        log.error("disk_full", path=request.url.path)
        return render_error(request, UnavailableError(retry_after=RETRY_AFTER_SECONDS))
    log.error("request_failed", path=request.url.path, exc_info=error)
    return render_error(request, ServerError())


def _to_validation_error(request: AnyRequest, error: ValidationException) -> AppError:
    """Return the error of a malformed request, NotFoundError for a malformed path parameter.

    A route may declare its own error, or one for each field, as `opt={"malformed": …}`.
    """
    extra = error.extra if isinstance(error.extra, list) else []
    items = [item for item in extra if isinstance(item, dict)]
    if any(item.get("source") == "path" for item in items):
        return NotFoundError()
    declared = request.route_handler.opt.get("malformed", BadRequestError)
    if isinstance(declared, Mapping):
        by_field = (declared.get(item.get("key")) for item in items)
        declared = next(filter(None, by_field), BadRequestError)
    app_error: AppError = declared()
    return app_error


def _drop_traceback(handle: Callable[[AnyRequest, Any], AnyResponse]) -> Any:
    """Return a handler that drops the error's traceback when the error is answered.

    A frame of it refers to the error, so that only a garbage collection of old objects would free
    them, with the request's body and all that was made of it: 10 MB for one refused file.
    """

    @wraps(handle)
    def handle_and_drop(request: AnyRequest, error: Exception) -> AnyResponse:
        response = handle(request, error)
        error.__traceback__ = None
        return response

    return handle_and_drop


EXCEPTION_HANDLERS: dict[int | type[Exception], Any] = {
    AppError: _drop_traceback(render_error),
    HTTPException: _drop_traceback(handle_http_error),
    Exception: _drop_traceback(handle_unexpected_error),
}
