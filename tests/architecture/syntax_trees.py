"""Syntax trees and prose of the sources, each parsed once for all rules."""

import ast
import io
import tokenize
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


@cache
def list_prose(path: Path) -> list[str]:
    """Return the comments and docstrings of a module."""
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
    comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    nodes = (node for node in list_nodes(parse_file(path)) if isinstance(node, documented))
    return comments + [ast.get_docstring(node) or "" for node in nodes]
