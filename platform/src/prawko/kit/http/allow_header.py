"""The `Allow` header of 405 responses (RFC 9110, section 15.5.6)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from litestar import Litestar, Request
from litestar.exceptions import MethodNotAllowedException
from litestar.routes import HTTPRoute
from litestar.types.internal_types import PathParameterDefinition

OPTIONS = "OPTIONS"


async def reject_options(request: Request[Any, Any, Any]) -> None:
    """Reject OPTIONS like any method without a route (a `before_request` hook).

    Litestar's automatic response lists the methods of one handler of the path only. Cross-site
    calls are rejected anyway, so no browser needs a preflight.
    """
    if request.method == OPTIONS:
        raise MethodNotAllowedException


def allowed_methods(app: Litestar, path: str) -> str:
    """Return the methods of the routes at a path, as the `Allow` header lists them.

    HEAD goes with GET (`HeadRequests`). As in Litestar's routing, a literal path segment takes
    precedence over a parameter.
    """
    segments = [segment for segment in path.split("/") if segment]
    routes = [
        route for route in app.routes if isinstance(route, HTTPRoute) and _matches(route, segments)
    ]
    fewest = min((len(route.path_parameters) for route in routes), default=0)
    methods = {
        method
        for route in routes
        if len(route.path_parameters) == fewest
        for method in route.methods
    }
    if "GET" in methods:
        methods.add("HEAD")
    return ", ".join(sorted(methods - {OPTIONS}))


def _matches(route: HTTPRoute, segments: Sequence[str]) -> bool:
    parts = route.path_components
    if parts and isinstance(parts[-1], PathParameterDefinition) and parts[-1].type is Path:
        parts, segments = parts[:-1], segments[: len(parts) - 1]
    return len(parts) == len(segments) and all(
        isinstance(part, PathParameterDefinition) or part == segment
        for part, segment in zip(parts, segments, strict=True)
    )
