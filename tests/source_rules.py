"""Rules of our own about the sources that no pattern can say, read from their syntax trees.

The others stand in `tests/semgrep/rules.yml`. These ask where something may stand, and hold the
answer against the list of the places that need it; or look at a whole module.
"""

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

Finding = tuple[int, str]
Rule = Callable[[ast.Module], Iterator[Finding]]

_SQL = re.compile(
    r"\s*((SELECT|INSERT\s+INTO|DELETE\s+FROM|TRUNCATE|GRANT|COPY|SET\s+(LOCAL|SESSION))\s"
    r"|UPDATE\s+\w+(\s+AS\s+\w+)?\s+SET\s|WITH\s+(RECURSIVE\s+)?\w+(\s*\([^)]*\))?\s+AS\s"
    r"|(CREATE|ALTER|DROP)\s+(TABLE|INDEX|ROLE|DATABASE|POLICY|FUNCTION|SCHEMA|VIEW|TRIGGER)\s)"
)


def sql_text(tree: ast.Module) -> Iterator[Finding]:
    """A statement written out as text."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and _SQL.match(node.value)
        ):
            yield node.lineno, "SQL stands in repositories and in modules named for it"


def batch_without_a_company(tree: ast.Module) -> Iterator[Finding]:
    """A batch in a module that turns to no company."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    if any(_name(call.func).endswith(".bind") for call in calls):
        return
    for call in calls:
        if _name(call.func).endswith(".batch"):
            yield call.lineno, "a batch is bound to one company after the other"


def own_clock(tree: ast.Module) -> Iterator[Finding]:
    """A look at the computer's clock beside the one that was handed in."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call):
            name = _name(call.func)
            if name in {"datetime.now", "datetime.datetime.now", "time.time", "time.localtime"}:
                yield call.lineno, "time comes from the clock that is handed in"


def findings(path: Path, rule: Rule) -> list[str]:
    """What a rule finds in a file."""
    return [f"{path}:{line}: {told}" for line, told in rule(_tree(path))]


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _name(function: ast.expr) -> str:
    """How a call is written: `asyncpg.connect`; what hangs on another call begins with a dot."""
    if isinstance(function, ast.Name):
        return function.id
    if isinstance(function, ast.Attribute):
        return f"{_name(function.value)}.{function.attr}"
    return ""
