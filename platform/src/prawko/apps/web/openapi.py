"""The OpenAPI document: Litestar's, with corrections; and the table of roles, by operation.

Litestar cannot know the body of 400 responses, which fields of a request are in fact required,
that requests allow no other fields, and that an item of a list may fit several schemas.
"""

import base64
import re
from collections.abc import Iterator
from typing import Any

from litestar import Request
from litestar.openapi.plugins import JsonRenderPlugin

from prawko.accounts.roles import ACT, CompanyAct, Role, may_do
from prawko.kit.clock import RealTimeClock
from prawko.kit.context import AppContext
from prawko.kit.crypto import KeyRing
from prawko.kit.providers.registry import Plugins
from prawko.kit.settings import Settings
from prawko.kit.work.queue import RecordingQueue
from prawko_tenants.engine import Database

_COMPONENT = "#/components/schemas/"
_OFFICE_FILE = "application/vnd.openxmlformats"
_PROBLEM = f"{_COMPONENT}Problem"
_DUMMY_SECRET = base64.urlsafe_b64encode(bytes(32)).decode()

JsonObject = dict[str, Any]


class PatchedOpenAPI(JsonRenderPlugin):
    """Serves the corrected document."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: JsonObject) -> bytes:
        return super().render(request, patch_document(openapi_schema))


def build_openapi_document() -> JsonObject:
    """Return the OpenAPI document of the panel, without a database or plugins."""
    from prawko.apps.web.app import create_app  # noqa: PLC0415 (the application serves this document)

    return patch_document(create_app(_create_empty_context()).openapi_schema.to_schema())


def build_console_document() -> JsonObject:
    """Return the OpenAPI document of the console, which no client is generated from."""
    from prawko.apps.web.console_app import create_console_app  # noqa: PLC0415 (see above)

    return patch_document(create_console_app(_create_empty_context()).openapi_schema.to_schema())


def format_roles() -> str:
    """Return the table of docs/roles.md: each act, the roles that may do it, its operations."""
    from prawko.apps.web.app import create_app  # noqa: PLC0415 (see above)

    operations: dict[CompanyAct, list[str]] = {act: [] for act in CompanyAct}
    for route in create_app(_create_empty_context()).routes:
        for handler in getattr(route, "route_handlers", ()):
            if handler.operation_id and ACT in handler.opt:
                operations[handler.opt[ACT]].append(f"`{handler.operation_id}`")
    rows = [f"| Act | {' | '.join(Role)} | Operations |", "|---" * (len(Role) + 2) + "|"]
    for act, names in operations.items():
        marks = " | ".join("yes" if may_do(role, act) else "" for role in Role)
        rows.append(f"| `{act}` | {marks} | {', '.join(sorted(names))} |")
    return "\n".join(rows)


def _create_empty_context() -> AppContext:
    settings = Settings(
        database_url="postgresql://", redis_url="redis://", secret_key=_DUMMY_SECRET
    )
    return AppContext(
        settings=settings,
        database=Database("postgresql://nobody@localhost/none"),
        clock=RealTimeClock(),
        queue=RecordingQueue(),
        key_ring=KeyRing(settings.secret_bytes()),
        plugins=Plugins((), {}, {}),
    )


def patch_document(document: JsonObject) -> JsonObject:
    """Correct the document in place; idempotent."""
    components = document["components"]["schemas"]
    for methods in document["paths"].values():
        for operation in methods.values():
            if bad_request := operation["responses"].get("400"):
                for content in bad_request.get("content", {}).values():
                    content["schema"] = {"$ref": _PROBLEM}
            for media_type, content in (
                operation["responses"].get("200", {}).get("content", {}).items()
            ):
                if media_type.startswith(_OFFICE_FILE):  # generators do not know it as binary
                    content["schema"]["format"] = "binary"
                items = content["schema"].get("items", {})
                if "oneOf" in items:
                    items["anyOf"] = items.pop("oneOf")
            for content in operation.get("requestBody", {}).get("content", {}).values():
                for name in _referenced_components(content["schema"], components):
                    _forbid_extra(components[name])
    return document


def _referenced_components(schema: object, components: JsonObject) -> Iterator[str]:
    """Yield the names of the object schemas that a body consists of."""
    if isinstance(schema, dict):
        reference = str(schema.get("$ref", ""))
        if reference.startswith(_COMPONENT):
            name = reference.removeprefix(_COMPONENT)
            if components[name].get("type") == "object":
                yield name
                yield from _referenced_components(components[name]["properties"], components)
        for part in schema.values():
            yield from _referenced_components(part, components)
    elif isinstance(schema, list):
        for part in schema:
            yield from _referenced_components(part, components)


def _forbid_extra(component: JsonObject) -> None:
    """Forbid other fields, and require those whose default their own rules reject."""
    component["additionalProperties"] = False
    required = set(component.get("required", ()))
    for name, field in component["properties"].items():
        if "default" in field and not _is_valid_default(field["default"], field):
            del field["default"]
            required.add(name)
    component["required"] = sorted(required)


def _is_valid_default(default: object, field: JsonObject) -> bool:
    """Whether a field's default satisfies its own rules."""
    if not isinstance(default, str):
        return True
    long_enough = len(default) >= field.get("minLength", 0)
    return long_enough and bool(re.search(field.get("pattern", ""), default))
