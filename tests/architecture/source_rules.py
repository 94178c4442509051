"""Rules about the sources that need a syntax tree; the others are in `tests/semgrep/rules.yml`.

They restrict a construct to listed modules, or consider a whole module.
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
    """SQL as text."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and _SQL.match(node.value)
        ):
            yield node.lineno, "SQL as text is allowed in the modules of SQL_MODULES alone"


def batch_without_tenant(tree: ast.Module) -> Iterator[Finding]:
    """A batch session in a module that never selects a company."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    if any(_dotted_name(call.func).endswith(".switch_tenant") for call in calls):
        return
    for call in calls:
        if _dotted_name(call.func).endswith(".batch"):
            yield call.lineno, "a batch selects its companies with switch_tenant"


def system_clock_use(tree: ast.Module) -> Iterator[Finding]:
    """Use of the system clock instead of `Clock` or `utc_now`."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call):
            name = _dotted_name(call.func)
            if name in {"datetime.now", "datetime.datetime.now", "time.time", "time.localtime"}:
                yield call.lineno, "time comes from the injected clock or from utc_now"


def findings(path: Path, rule: Rule) -> list[str]:
    """Return the violations of a rule in a file."""
    return [f"{path}:{line}: {message}" for line, message in rule(_parsed(path))]


@cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _dotted_name(function: ast.expr) -> str:
    """Return the called name: `asyncpg.connect`, or `.method` on the result of another call."""
    if isinstance(function, ast.Name):
        return function.id
    if isinstance(function, ast.Attribute):
        return f"{_dotted_name(function.value)}.{function.attr}"
    return ""
