"""Puts the framework's OpenAPI document right.

It describes what it sees. What it cannot see: what a request that cannot be read is answered
with, which fields may not be left out, and that no others may come.
"""

import re
from collections.abc import Iterator
from typing import Any

from litestar import Request
from litestar.openapi.plugins import JsonRenderPlugin

_COMPONENT = "#/components/schemas/"
_PROBLEM = f"{_COMPONENT}Problem"

Described = dict[str, Any]


class Served(JsonRenderPlugin):
    """Serves the document put right."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: Described) -> bytes:
        return super().render(request, put_right(openapi_schema))


def put_right(document: Described) -> Described:
    """Complete the framework's document, in place; a second time changes nothing."""
    components = document["components"]["schemas"]
    for verbs in document["paths"].values():
        for operation in verbs.values():
            if unread := operation["responses"].get("400"):
                for content in unread.get("content", {}).values():
                    content["schema"] = {"$ref": _PROBLEM}
            for content in operation.get("requestBody", {}).get("content", {}).values():
                for name in _mentioned(content["schema"], components):
                    _close(components[name])
    return document


def _mentioned(schema: object, components: Described) -> Iterator[str]:
    """The names of the objects that a body is made of."""
    if isinstance(schema, dict):
        reference = str(schema.get("$ref", ""))
        if reference.startswith(_COMPONENT):
            name = reference.removeprefix(_COMPONENT)
            if components[name].get("type") == "object":
                yield name
                yield from _mentioned(components[name]["properties"], components)
        for part in schema.values():
            yield from _mentioned(part, components)
    elif isinstance(schema, list):
        for part in schema:
            yield from _mentioned(part, components)


def _close(component: Described) -> None:
    """Let nothing else in; what is refused when it is left out may not be left out."""
    component["additionalProperties"] = False
    required = set(component.get("required", ()))
    for name, field in component["properties"].items():
        if "default" in field and not _holds(field["default"], field):
            del field["default"]
            required.add(name)
    component["required"] = sorted(required)


def _holds(default: object, field: Described) -> bool:
    """Whether a field's own rules take its default."""
    if not isinstance(default, str):
        return True
    long_enough = len(default) >= field.get("minLength", 0)
    return long_enough and bool(re.search(field.get("pattern", ""), default))
