"""Finds the tests that a document names, and those of them that do not exist.

A Python test is named `tests/…/test_x.py::test_name` (or by its file), a test of the browser
application `frontend/src/…/x.test.tsx > describe > it`, as Vitest prints it.
"""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED_TEST = re.compile(
    r"`(tests/[\w/]+\.py(?:::\w+)?|frontend/src/[\w./-]+\.test\.tsx? > [^>`]+ > [^>`]+)`"
)
# The first argument of `it`, or of what `it.each` returns; the second one is a function.
FRONTEND_TITLE = re.compile(r'\(\s*"([^"\n]+)",\s*(?:async )?\(')


def find_named_tests(text: str) -> list[str]:
    """Return the name of every test in the text, in its order."""
    return NAMED_TEST.findall(text)


def find_missing_tests(text: str) -> list[str]:
    """Return the named tests that are in no file."""
    return [name for name in find_named_tests(text) if not _exists(name)]


def _exists(name: str) -> bool:
    path, _, title = name.partition(" > ")
    if title:
        return title in _read_frontend_titles(path)
    path, _, function = name.partition("::")
    return function in _read_functions(path) if function else (ROOT / path).is_file()


@cache
def _read_functions(path: str) -> set[str]:
    if not (ROOT / path).is_file():
        return set()
    body = ast.parse((ROOT / path).read_text(encoding="utf-8")).body
    return {node.name for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@cache
def _read_frontend_titles(path: str) -> set[str]:
    if not (ROOT / path).is_file():
        return set()
    source = (ROOT / path).read_text(encoding="utf-8")
    _, *blocks = re.split(r'^describe\("(.+)",', source, flags=re.MULTILINE)
    return {
        f"{group} > {title}"
        for group, block in zip(blocks[::2], blocks[1::2], strict=True)
        for title in FRONTEND_TITLE.findall(block)
    }
