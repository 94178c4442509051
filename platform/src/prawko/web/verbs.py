"""Which verbs a path takes: told with every refusal of another one (RFC 9110, section 15.5.6)."""

from collections.abc import Sequence
from typing import Any

from litestar import Litestar, Request
from litestar.exceptions import MethodNotAllowedException
from litestar.routes import HTTPRoute
from litestar.types.internal_types import PathParameterDefinition

OPTIONS = "OPTIONS"


def refuse_undeclared(request: Request[Any, Any, Any]) -> None:
    """Refuse OPTIONS like any verb that no route declares.

    The framework answers it unasked, and names the verbs of one handler of a path only. No
    other site may call us, so no browser has to ask.
    """
    if request.method == OPTIONS:
        raise MethodNotAllowedException


def verbs_of(app: Litestar, path: str) -> str:
    """The verbs that a route takes at this path, as the `Allow` header lists them.

    A path that is written out is no other route's parameter, as the framework has it too.
    """
    segments = [segment for segment in path.split("/") if segment]
    fitting = [
        route for route in app.routes if isinstance(route, HTTPRoute) and _fits(route, segments)
    ]
    fewest = min((len(route.path_parameters) for route in fitting), default=0)
    found = {
        verb for route in fitting if len(route.path_parameters) == fewest for verb in route.methods
    }
    return ", ".join(sorted(found - {OPTIONS}))


def _fits(route: HTTPRoute, segments: Sequence[str]) -> bool:
    parts = route.path_components
    return len(parts) == len(segments) and all(
        isinstance(part, PathParameterDefinition) or part == segment
        for part, segment in zip(parts, segments, strict=True)
    )
