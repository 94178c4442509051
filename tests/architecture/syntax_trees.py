"""Syntax trees of the sources, each parsed once for all rules."""

import ast
from functools import cache
from pathlib import Path


@cache
def parse_file(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def list_nodes(tree: ast.Module) -> list[ast.AST]:
    """Return the nodes of a tree, in the order of `ast.walk`."""
    return list(ast.walk(tree))
