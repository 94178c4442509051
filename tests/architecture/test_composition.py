"""Every process has the same handlers, given when its context is constructed."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from architecture.house_rules import SOURCES
from architecture.syntax_trees import list_nodes, parse_file
from prawko.apps import composition_root
from prawko.kit.context import Components

PLATFORM = Path(composition_root.__file__).parents[2]
# The check before a start connects to nothing and runs no job.
WITHOUT_HANDLERS = "prawko.kit.startup_checks"
HANDLER_CLASSES = {type(handler) for handler in composition_root.HANDLERS}


def list_components() -> Iterator[type]:
    """Find the classes that the platform asks `Components` for."""
    for path in PLATFORM.rglob("*.py"):
        names = {
            ast.unparse(argument)
            for call in list_nodes(parse_file(path))
            if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("components.get")
            for argument in call.args
        }
        if names:
            module = importlib.import_module(module_name(path))
            yield from (getattr(module, name) for name in names if hasattr(module, name))


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(PLATFORM).with_suffix("").parts)


def imports_create_context(node: ast.AST) -> bool:
    if not isinstance(node, ast.ImportFrom):
        return False
    names = {f"{node.module}.{alias.name}" for alias in node.names}
    return bool(names & {"prawko.kit.bootstrap", "prawko.kit.bootstrap.create_context"})


def test_only_the_composition_root_creates_contexts() -> None:
    importers = {
        module_name(path) if path.is_relative_to(PLATFORM) else str(path)
        for path in SOURCES
        if any(imports_create_context(node) for node in list_nodes(parse_file(path)))
    }

    assert importers == {composition_root.__name__, WITHOUT_HANDLERS}


def test_a_component_is_a_handler_of_the_composition_root_or_needs_nothing() -> None:
    components = set(list_components())

    assert components >= HANDLER_CLASSES
    for component in components - HANDLER_CLASSES:
        assert isinstance(Components().get(component), component)


@pytest.mark.parametrize(
    "handler",
    sorted(HANDLER_CLASSES, key=lambda one: one.__name__),
    ids=lambda handler: handler.__name__,
)
def test_a_context_without_its_handlers_says_so(handler: type) -> None:
    with pytest.raises(TypeError):
        Components().get(handler)
