"""Rules of our own about the sources, read from their syntax trees.

Semgrep would say the same with patterns, at the price of 66 packages and 300 MB; four rules of
one screen each need neither, and run in seconds wherever the tests run.
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
_CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*")
_OPENS_SESSIONS = {
    "create_engine", "create_async_engine", "sessionmaker", "async_sessionmaker", "AsyncSession",
    "asyncpg.connect", "asyncpg.create_pool",
}  # fmt: skip
_ASKS_SERVERS = re.compile(
    r"(aiohttp\.)?ClientSession|httpx\.\w+|requests\.\w+|(urllib\.request\.)?urlopen"
    r"|(aiosmtplib|smtplib)\.(SMTP|SMTP_SSL|send)|http\.client\.HTTPS?Connection"
    r"|(websockets|grpc)\.connect|SendGridAPIClient|SmsApi\w*Client|StripeClient"
)
_NAIVE = {
    "datetime.utcnow", "datetime.utcfromtimestamp", "datetime.today", "date.today",
    "datetime.strptime",
}  # fmt: skip
# Which of their arguments, counted from 0, is the zone; or what it is called.
_ZONED = {
    "datetime.now": (0, "tz"), "datetime.fromtimestamp": (1, "tz"),
    "datetime.combine": (2, "tzinfo"), "datetime": (7, "tzinfo"),
}  # fmt: skip


def sql_text(tree: ast.Module) -> Iterator[Finding]:
    """A statement written out as text."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and _SQL.match(node.value)
        ):
            yield node.lineno, "SQL stands in repositories and in modules named for it"


def made_up_sql(tree: ast.Module) -> Iterator[Finding]:
    """A statement put together from what is no constant of ours."""
    told = "values are bound, never written into a statement"
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and _begins_sql(node.values[0]):
            parts = (part.value for part in node.values if isinstance(part, ast.FormattedValue))
            if not all(_is_ours(part) for part in parts):
                yield node.lineno, told
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
            if _begins_sql(node.left) and not _is_ours(node.right):
                yield node.lineno, told
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in {"format", "replace"}
            and _begins_sql(node.func.value)
        ):
            yield node.lineno, told


def session_without_a_company(tree: ast.Module) -> Iterator[Finding]:
    """A way to the database beside the doors, or a batch that never turns to a company."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    binds = any(_name(call.func).endswith(".bind") for call in calls)
    for call in calls:
        if _name(call.func) in _OPENS_SESSIONS:
            yield call.lineno, "only prawko_tenants opens sessions: ask its Database"
        elif _name(call.func).endswith(".batch") and not binds:
            yield call.lineno, "a batch is bound to one company after the other"


def http_without_a_time_out(tree: ast.Module) -> Iterator[Finding]:
    """A server asked without a limit of time."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and _ASKS_SERVERS.fullmatch(_name(call.func)):
            given = {word.arg: word.value for word in call.keywords}
            limit = given.get("timeout")
            if limit is None or (isinstance(limit, ast.Constant) and not limit.value):
                yield call.lineno, f"{_name(call.func)} waits for ever without a timeout"


def naive_time(tree: ast.Module) -> Iterator[Finding]:
    """A point in time that does not say in which zone."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        name = _name(call.func).removeprefix("datetime.datetime").removeprefix("dt.")
        name = f"datetime{name}" if _name(call.func).startswith("datetime.datetime") else name
        if name in _NAIVE:
            yield call.lineno, f"{name} knows no zone"
        elif name in _ZONED and not _has_zone(call, *_ZONED[name]):
            yield call.lineno, f"{name} is told no zone"
        elif name.endswith(".replace") and _says_none(call, "tzinfo"):
            yield call.lineno, "the zone is thrown away"


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


def _begins_sql(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp):
        return _begins_sql(node.left)
    return _is_text(node) and bool(_SQL.match(node.value))  # type: ignore[attr-defined]


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_ours(node: ast.AST) -> bool:
    """Constants of a module and what they are put together to."""
    if isinstance(node, ast.Name):
        return bool(_CONSTANT.fullmatch(node.id))
    if isinstance(node, ast.Attribute):
        return bool(_CONSTANT.fullmatch(node.attr))
    if isinstance(node, ast.BinOp):
        return _is_ours(node.left) and _is_ours(node.right)
    if isinstance(node, ast.Tuple):
        return all(_is_ours(part) for part in node.elts)
    return _is_text(node)


def _has_zone(call: ast.Call, position: int, name: str) -> bool:
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return True
    given = {word.arg: word.value for word in call.keywords}
    zone = given.get(name, call.args[position] if len(call.args) > position else None)
    return zone is not None and not (isinstance(zone, ast.Constant) and zone.value is None)


def _says_none(call: ast.Call, name: str) -> bool:
    return any(
        word.arg == name and isinstance(word.value, ast.Constant) and word.value.value is None
        for word in call.keywords
    )
