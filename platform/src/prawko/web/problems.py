"""Renders every failure as JSON: a stable key and a sentence (reading R19)."""

from collections.abc import Mapping
from typing import Any

from litestar import Request, Response
from litestar.exceptions import (
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
    ValidationException,
)

from prawko.base import logs
from prawko.base.errors import (
    AppError,
    BadRequestError,
    NotFoundError,
    ServerError,
    UnavailableError,
)
from prawko.base.refusals import Problem
from prawko.base.texts import Language, accepted_language
from prawko.web.verbs import verbs_of
from prawko_tenants.outages import is_database_gone

AnyRequest = Request[Any, Any, Any]
RETRY_AFTER_SECONDS = 5

log = logs.logger(__name__)


class NotAllowedError(AppError):
    """The path exists, the verb does not."""

    status = 405
    key = "not_found"


def language_of(request: AnyRequest) -> Language:
    """The account's language, else what the browser accepts, else Polish (reading R25)."""
    identity = request.scope.get("user")
    if identity is not None:
        language: Language = identity.language
        return language
    return accepted_language(request.headers.get("accept-language", ""))


def render(request: AnyRequest, error: AppError) -> Response[Problem]:
    """A refusal as the answer that carries it."""
    language = language_of(request)
    headers = {}
    if error.retry_after is not None:
        headers["Retry-After"] = str(error.retry_after)
    problem = Problem(
        error=error.key, message=error.message(language), fields=error.field_messages(language)
    )
    return Response(
        problem, status_code=error.status, headers=headers, media_type="application/json"
    )


def on_refusal(request: AnyRequest, error: AppError) -> Response[Problem]:
    """Something was refused on purpose."""
    return render(request, error)


def on_http_error(request: AnyRequest, error: HTTPException) -> Response[Problem]:
    """The framework refused: no such path or verb, or a body that does not fit its schema."""
    if isinstance(error, NotFoundException):
        return render(request, NotFoundError())
    if isinstance(error, MethodNotAllowedException):
        refused = render(request, NotAllowedError())
        refused.headers["Allow"] = verbs_of(request.app, request.url.path)
        return refused
    if isinstance(error, ValidationException):
        return render(request, _misfit(request, error))
    if error.status_code >= 500:
        return on_failure(request, error)
    return render(request, BadRequestError())


def on_failure(request: AnyRequest, error: Exception) -> Response[Problem]:
    """Nobody meant this to happen: 503 when the database is away, else 500."""
    if is_database_gone(error):
        log.warning("database_away", path=request.url.path, error=type(error).__name__)
        return render(request, UnavailableError(retry_after=RETRY_AFTER_SECONDS))
    log.error("request_failed", path=request.url.path, exc_info=error)
    return render(request, ServerError())


def _misfit(request: AnyRequest, error: ValidationException) -> AppError:
    """A body that does not fit: the route may name its own refusal (`opt={"malformed": …}`).

    It names one for all, or one for each field. A path that does not fit its type, such as an
    id that is none, names nothing that exists.
    """
    extra = error.extra if isinstance(error.extra, list) else []
    items = [item for item in extra if isinstance(item, dict)]
    if any(item.get("source") == "path" for item in items):
        return NotFoundError()
    refusal = request.route_handler.opt.get("malformed", BadRequestError)
    if isinstance(refusal, Mapping):
        named = (refusal.get(item.get("key")) for item in items)
        refusal = next(filter(None, named), BadRequestError)
    told: AppError = refusal()
    return told


HANDLERS: dict[int | type[Exception], Any] = {
    AppError: on_refusal,
    HTTPException: on_http_error,
    Exception: on_failure,
}
