"""Syntax trees and prose of the sources, each parsed once for all rules."""

import ast
import re
from functools import cache
from pathlib import Path

# `tokenize` finds the same comments in fifty times the time.
STRING_OR_COMMENT = re.compile(
    r""" \"{3} (?:\\.|[^\\])*? \"{3} | '{3} (?:\\.|[^\\])*? '{3}
       | " (?:\\.|[^"\\\n])* " | ' (?:\\.|[^'\\\n])* ' | ([#] [^\n]*) """,
    re.VERBOSE | re.DOTALL,
)


@cache
def parse_file(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def list_nodes(tree: ast.Module) -> list[ast.AST]:
    """Return the nodes of a tree, in the order of `ast.walk`."""
    return list(ast.walk(tree))


@cache
def list_prose(path: Path) -> list[str]:
    """Return the comments and docstrings of a module."""
    found = STRING_OR_COMMENT.finditer(path.read_text(encoding="utf-8"))
    comments = [match[1] for match in found if match[1]]
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    nodes = (node for node in list_nodes(parse_file(path)) if isinstance(node, documented))
    return comments + [ast.get_docstring(node) or "" for node in nodes]
