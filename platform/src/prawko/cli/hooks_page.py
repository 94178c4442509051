"""The reference of the hooks, written from the code that plugins implement."""

import inspect
import re
from collections.abc import Iterator
from enum import Enum
from types import ModuleType
from typing import Any, cast

import msgspec

from prawko.hooks import (
    VERSION,
    channels,
    checks,
    environment,
    errors,
    http_client,
    invoices,
    licence_register,
    payments,
    provider_client,
    register_client,
    specs,
    webhooks,
)

_MODULES = (
    licence_register, channels, payments, invoices, checks, webhooks, errors, environment,
    http_client, register_client, provider_client,
)  # fmt: skip
_QUALIFIER = re.compile(r"\b(?:[a-z_]+\.)+(?=[A-Z])")


def render_hooks_page() -> str:
    """Return the reference as Markdown: the hooks, then every public name of each module."""
    lines = [f"Version {VERSION} of the hooks.", "", "## Hooks", ""]
    for name, hook in inspect.getmembers(specs, inspect.isfunction):
        if hook.__module__ == specs.__name__ and not name.startswith("_"):
            lines += [f"- `{name}{_signature(hook)}`: {_text(hook)}"]
    for module in _MODULES:
        lines += ["", f"## {module.__name__}", "", _text(module)]
        for entry in _public_names(module):
            lines += ["", *_describe(entry)]
    return "\n".join(lines)


def _public_names(module: ModuleType) -> Iterator[Any]:
    """Yield classes and functions of a module, in the order of its source."""
    own = [
        value
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__ == module.__name__
    ]
    yield from sorted(own, key=lambda one: inspect.getsourcelines(one)[1])


def _describe(entry: Any) -> Iterator[str]:
    if inspect.isfunction(entry):
        prefix = "async " if inspect.iscoroutinefunction(entry) else ""
        yield f"### `{prefix}{entry.__name__}{_signature(entry)}`"
        yield ""
        yield _text(entry)
        return
    bases = [base.__name__ for base in entry.__bases__ if base.__module__.startswith("prawko")]
    kind = "Protocol" if getattr(entry, "_is_protocol", False) else ""
    origin = ", ".join(filter(None, (*bases, kind)))
    yield f"### {entry.__name__}" + (f" ({origin})" if origin else "")
    yield ""
    yield _text(entry)
    items = [*_describe_fields(entry), *_describe_members(entry)]
    if items:
        yield ""
        yield from items


def _describe_fields(entry: type) -> Iterator[str]:
    if issubclass(entry, Enum):
        values = (f"`{member.name}` = {member.value!r}" for member in entry)
        yield f"- {', '.join(values)}"
    if issubclass(entry, msgspec.Struct):
        for field in msgspec.structs.fields(entry):
            if field.name in entry.__annotations__:
                default = "" if field.required else f" = {_default(field)}"
                yield f"- `{field.name}: {_type_name(field.type)}{default}`"


def _describe_members(entry: type) -> Iterator[str]:
    for name, member in vars(entry).items():
        if name.startswith("_") and name != "__init__":
            continue
        if name == "__init__" and (not inspect.isfunction(member) or "_is_protocol" in vars(entry)):
            continue
        if isinstance(member, property):
            returned = inspect.signature(cast(Any, member.fget)).return_annotation
            yield f"- `{name}: {_type_name(returned)}` — {_text(member)}".removesuffix(" — ")
        elif inspect.isfunction(member):
            prefix = "async " if inspect.iscoroutinefunction(member) else ""
            shown = entry.__name__ if name == "__init__" else name
            line = f"- `{prefix}{shown}{_signature(member)}`"
            yield f"{line} — {_text(member)}".removesuffix(" — ")


def _signature(function: Any) -> str:
    signature = inspect.signature(function)
    parameters = [
        one.replace(
            annotation=_Shown(_type_name(one.annotation))
            if one.annotation is not one.empty
            else one.empty
        )
        for one in signature.parameters.values()
        if one.name != "self"
    ]
    text = str(signature.replace(parameters=parameters, return_annotation=signature.empty))
    if signature.return_annotation in {signature.empty, None}:
        return text
    return f"{text} -> {_type_name(signature.return_annotation)}"


class _Shown:
    """An annotation that prints as a given text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _type_name(annotation: Any) -> str:
    if isinstance(annotation, str):
        return annotation
    if inspect.isclass(annotation) and not hasattr(annotation, "__args__"):
        return annotation.__name__
    return _QUALIFIER.sub("", str(annotation)).replace("datetime.", "")


def _default(field: msgspec.structs.FieldInfo) -> str:
    if field.default is msgspec.NODEFAULT:
        return "…"
    return repr(field.default)


def _text(documented: Any) -> str:
    """Return a docstring as one paragraph; a list in it stays a list."""
    text = inspect.cleandoc(documented.__doc__ or "")
    paragraphs = [part for part in text.split("\n\n") if part]
    joined = " ".join(" ".join(part.split()) for part in paragraphs if not part.startswith("- "))
    lists = [part for part in paragraphs if part.startswith("- ")]
    return "\n\n".join([joined, *lists]) if lists else joined
