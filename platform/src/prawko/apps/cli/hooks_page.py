"""The reference of the hooks, written from the code that plugins implement."""

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import msgspec

from prawko import hooks
from prawko.hooks import (
    VERSION,
    channels,
    checks,
    deadlines,
    email_messages,
    environment,
    errors,
    gsm7,
    http_client,
    invoices,
    licence_document,
    licence_register,
    payments,
    provider_client,
    register_client,
    specs,
    urls,
    webhooks,
)

_MODULES = (
    hooks, licence_register, channels, payments, invoices, checks, webhooks, errors, deadlines,
    environment, http_client, register_client, licence_document, provider_client, urls,
    email_messages, gsm7,
)  # fmt: skip
_NEW = "new"
# By version, what was added or changed by name, newest first. tests/cli/test_hooks_versions.py
# holds the signatures of each version.
CHANGES = {
    "1.2": {"HttpClient": "32 connections, unless it is given another number"},
    "1.1": {
        "Medium": "`PUSH`, messages in browsers",
        "PushNote": _NEW,
        "Message": "`push`",
        "PushSubscription": _NEW,
        "Recipient": "`push`",
        "PushChannel": _NEW,
    },
    "1.0": {},
}
_QUALIFIER = re.compile(r"\b(?:[a-z_]+\.)+(?=[A-Z])")


def render_hooks_page() -> str:
    """Return the reference as Markdown: the hooks, then every public name of each module."""
    lines = [f"Version {VERSION} of the hooks.", "", "## Hooks", ""]
    for name, hook in inspect.getmembers(specs, inspect.isfunction):
        if hook.__module__ == specs.__name__ and not name.startswith("_"):
            lines += [f"- `{name}{_signature(hook)}`: {_text(hook)}"]
    for module in _MODULES:
        lines += ["", f"## {module.__name__}", "", _text(module)]
        if constants := list(_describe_constants(module)):
            lines += ["", *constants]
        for entry in _public_names(module):
            lines += ["", *_describe(entry)]
    return "\n".join([*lines, *_describe_contracts(), *_describe_changes()])


def list_signatures() -> Iterator[str]:
    """Yield the lines of the reference that say how something is called and what it holds."""
    for module in _MODULES:
        for entry in _public_names(module):
            lines = (line.partition(" — ")[0] for line in _describe(entry))
            yield from (line for line in lines if line.startswith(("### ", "- `")))


def _describe_changes() -> Iterator[str]:
    yield from ("", "## Changes of the hooks")
    for version, changed in CHANGES.items():
        yield from ("", f"### {version}", "")
        yield from (f"- {name}: {what}" for name, what in changed.items())
        yield from () if changed else ("The first version.",)


def _mark_changes(name: str) -> Iterator[str]:
    """Yield the versions in which a name was added or changed."""
    for version, changed in CHANGES.items():
        if what := changed.get(name):
            since = f"Since {version}." if what == _NEW else f"Since {version}: {what}."
            yield from (since, "")


def _describe_contracts() -> Iterator[str]:
    """Name the tests of each contract, if prawko-testing is installed; nothing of it is run."""
    testing = find_spec("prawko_testing")
    for folder in (testing and testing.submodule_search_locations) or ():
        yield from ("", "## What the contracts assert")
        for path in sorted(Path(folder).glob("*_contract.py")):
            for entry in ast.parse(path.read_text(encoding="utf-8")).body:
                names = [getattr(one, "name", "") for one in getattr(entry, "body", ())]
                if tests := [name for name in names if name.startswith("test_")]:
                    yield from ("", f"### {getattr(entry, 'name', '')}", "")
                    yield from (f"- {name[5:].replace('_', ' ')}" for name in tests)


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


def _describe_constants(module: ModuleType) -> Iterator[str]:
    """Describe the constants of a module by the text that follows each."""
    body = ast.parse(inspect.getsource(module)).body
    for statement, following in zip(body, [*body[1:], None], strict=True):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                shown = f"`{name}`{_show_value(getattr(module, name))}"
            case _:
                continue
        match following:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield f"- {shown} — {_to_paragraphs(text)}"
            case _ if name.isupper() and not name.startswith("_") and len(name) > 1:
                yield f"- {shown}"


def _show_value(value: object) -> str:
    """Return a constant's value as text, the same at every run; "" if it is no plain value."""
    if isinstance(value, Mapping):
        return f" = `{dict(value)!r}`"
    if isinstance(value, AbstractSet):
        return f" = `{{{', '.join(sorted(map(repr, value)))}}}`"
    return f" = `{value!r}`" if isinstance(value, str | int | float) else ""


def _is_on_page(entry: type) -> bool:
    return _is_of_hooks(entry) and not entry.__name__.startswith("_")


def _describe(entry: Any) -> Iterator[str]:
    if inspect.isfunction(entry):
        prefix = "async " if inspect.iscoroutinefunction(entry) else ""
        yield f"### `{prefix}{entry.__name__}{_signature(entry)}`"
        yield ""
        yield _text(entry)
        return
    bases = [base.__name__ for base in entry.__bases__ if _is_on_page(base)]
    kind = "Protocol" if getattr(entry, "_is_protocol", False) else ""
    if issubclass(entry, msgspec.Struct) and str(inspect.signature(entry)).startswith("(*"):
        kind = "keyword arguments only"
    origin = ", ".join(filter(None, (*bases, kind)))
    yield f"### {entry.__name__}" + (f" ({origin})" if origin else "")
    yield ""
    yield from _mark_changes(entry.__name__)
    yield _text(entry)
    items = [*_describe_fields(entry), *_describe_members(entry), *_describe_inherited(entry)]
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


def _describe_inherited(entry: type) -> Iterator[str]:
    """Name members inherited from a class of this page; describe those of other classes."""
    if not issubclass(entry, msgspec.Struct) and "__init__" not in vars(entry):
        origin = next((base for base in entry.__mro__ if "__init__" in vars(base)), object)
        if _is_of_hooks(origin) and "_is_protocol" not in vars(origin):
            yield f"- `{entry.__name__}{_signature(vars(origin)['__init__'])}`"
    for base in entry.__mro__[1:]:
        if not _is_of_hooks(base):
            continue
        if not _is_on_page(base):
            yield from (
                line
                for line in _describe_members(base)
                if not line.startswith(f"- `{base.__name__}(")
            )
        elif names := _own_names(base):
            yield f"- of {base.__name__}: {', '.join(f'`{name}`' for name in names)}"


def _own_names(entry: type) -> list[str]:
    described = [*_describe_fields(entry), *_describe_members(entry)]
    found = (re.match(r"- `(?:async )?([a-z]\w*)", line) for line in described)
    return [one[1] for one in found if one]


def _is_of_hooks(entry: type) -> bool:
    return entry.__module__.startswith(hooks.__name__)


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
    return _to_paragraphs(documented.__doc__ or "")


def _to_paragraphs(docstring: str) -> str:
    """Return a docstring as one paragraph; a list in it stays a list."""
    text = inspect.cleandoc(docstring)
    paragraphs = [part for part in text.split("\n\n") if part]
    joined = " ".join(" ".join(part.split()) for part in paragraphs if not part.startswith("- "))
    lists = [part for part in paragraphs if part.startswith("- ")]
    return "\n\n".join([joined, *lists]) if lists else joined
