"""Rules about the sources that need a syntax tree; the others are in `tests/semgrep/rules.yml`.

They restrict a construct to listed modules, or consider a whole module.
"""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from architecture.syntax_trees import list_nodes, parse_file

Finding = tuple[int, str]
Rule = Callable[[ast.Module], Iterator[Finding]]

_SQL = re.compile(
    r"\s*((SELECT|INSERT\s+INTO|DELETE\s+FROM|TRUNCATE|GRANT|COPY|SET\s+(LOCAL|SESSION))\s"
    r"|UPDATE\s+\w+(\s+AS\s+\w+)?\s+SET\s|WITH\s+(RECURSIVE\s+)?\w+(\s*\([^)]*\))?\s+AS\s"
    r"|(CREATE|ALTER|DROP)\s+(TABLE|INDEX|ROLE|DATABASE|POLICY|FUNCTION|SCHEMA|VIEW|TRIGGER)\s)"
)


# What starts the sending of messages.
_WAKE_UP = re.compile(r"\b(deliver_pending|wake_sender(_on_commit)?)\b")
# The server's clock, and what depends on the time zone of the session.
_SERVER_TIME = re.compile(
    r"\b(now|(clock|statement|transaction)_timestamp|timeofday)\s*\("
    r"|\b(current_(date|time|timestamp)|localtime(stamp)?)\b",
    re.IGNORECASE,
)
_SESSION_ZONE = re.compile(
    r"\b(to_char|date_trunc|date_part)\s*\(|::\s*date\b|\bas\s+date\s*\)"
    r"|\bextract\s*\((?!\s*epoch)",
    re.IGNORECASE,
)


def sql_text(tree: ast.Module) -> Iterator[Finding]:
    """SQL as text."""
    for node in list_nodes(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and _SQL.match(node.value)
        ):
            yield node.lineno, "SQL as text is allowed in the modules of SQL_MODULES alone"


def batch_without_tenant(tree: ast.Module) -> Iterator[Finding]:
    """A batch session in a module that never selects a company."""
    calls = [node for node in list_nodes(tree) if isinstance(node, ast.Call)]
    if any(_dotted_name(call.func).endswith(".switch_tenant") for call in calls):
        return
    for call in calls:
        if _dotted_name(call.func).endswith(".batch"):
            yield call.lineno, "a batch selects its companies with switch_tenant"


def system_clock_use(tree: ast.Module) -> Iterator[Finding]:
    """Use of the system clock instead of `Clock` or `utc_now`."""
    for call in list_nodes(tree):
        if isinstance(call, ast.Call):
            name = _dotted_name(call.func)
            if name in {"datetime.now", "datetime.datetime.now", "time.time", "time.localtime"}:
                yield call.lineno, "time comes from the injected clock or from utc_now"


def server_time(tree: ast.Module) -> Iterator[Finding]:
    """Use of PostgreSQL's clock."""
    yield from _find_sql(tree, _SERVER_TIME, "SQL gets the time as a parameter (decision 4)")


def session_zone(tree: ast.Module) -> Iterator[Finding]:
    """A date or a part of one, which PostgreSQL takes in the time zone of the session."""
    yield from _find_sql(
        tree, _SESSION_ZONE, "PostgreSQL would take the session's zone: name Warsaw or UTC"
    )


def unnamed_zone(tree: ast.Module) -> Iterator[Finding]:
    """The day of a datetime, in whatever zone that is."""
    for call in list_nodes(tree):
        if not isinstance(call, ast.Call) or call.args or call.keywords:
            continue
        if _dotted_name(call.func).endswith(".date"):
            yield call.lineno, "a day is Warsaw's: warsaw_date"


def sender_woken_by_hand(tree: ast.Module) -> Iterator[Finding]:
    """The job that sends messages, or the wake-up of it, where a message is enqueued."""
    for node in list_nodes(tree):
        name = {
            ast.Name: "id", ast.Attribute: "attr", ast.alias: "name", ast.Constant: "value"
        }.get(type(node))  # fmt: skip
        if name and _WAKE_UP.search(str(getattr(node, name))):
            yield node.lineno, "enqueue_messages wakes the sender"


def component_changed_later(tree: ast.Module) -> Iterator[Finding]:
    """A handler or a slot of the process that is filled after its construction."""
    for node in list_nodes(tree):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            owner = target.value if isinstance(target, ast.Attribute) else None
            if isinstance(owner, ast.Call) and _dotted_name(owner.func).endswith("components.get"):
                yield node.lineno, "the composition root gives handlers at construction"


# A call → what it needs so that a wait on somebody else ends.
_DEADLINES = {
    "asyncpg.connect": {"timeout", "command_timeout"},
    "asyncpg.create_pool": {"timeout", "command_timeout"},
    "Redis.from_url": {"socket_connect_timeout", "socket_timeout"},
    "redis.from_url": {"socket_connect_timeout", "socket_timeout"},
    "socket.create_connection": {"timeout"},
    **{f"subprocess.{name}": {"timeout"} for name in ("run", "call", "check_call", "check_output")},
}
# These know no deadline of their own and stand in a block or a call that has one.
_BOUNDED_CALLS = frozenset(
    {
        "communicate", "create_connection", "create_unix_connection", "getaddrinfo",
        "open_connection", "open_unix_connection", "getnameinfo", "gethostbyname", "sock_connect",
    }
)  # fmt: skip
_BOUNDS = ("timeout", "timeout_at", "wait_for")


def wait_without_deadline(tree: ast.Module) -> Iterator[Finding]:
    """A wait for a server, a program or a name that nothing ends."""
    bounded = {id(call) for node in list_nodes(tree) if _is_bound(node) for call in ast.walk(node)}
    for call in list_nodes(tree):
        if not isinstance(call, ast.Call):
            continue
        name, given = _dotted_name(call.func), {keyword.arg for keyword in call.keywords}
        last_name = name.rpartition(".")[2]
        if missing := _DEADLINES.get(name, set()) - given:
            yield call.lineno, f"{name} waits without {' and '.join(sorted(missing))}"
        elif last_name == "join" and "." in name and not call.args and "timeout" not in given:
            yield call.lineno, "join waits for a thread or process without a timeout"
        elif (
            last_name in _BOUNDED_CALLS
            and name not in _DEADLINES
            and id(call) not in bounded
            and "timeout" not in given
        ):
            yield call.lineno, f"{last_name} stands in asyncio.timeout or wait_for"


def _is_bound(node: ast.AST) -> bool:
    """Whether a node is a block or a call with a deadline."""
    if isinstance(node, ast.AsyncWith | ast.With):
        calls = [item.context_expr for item in node.items]
    else:
        calls = [node] if isinstance(node, ast.expr) else []
    return any(
        isinstance(call, ast.Call) and _dotted_name(call.func).rpartition(".")[2] in _BOUNDS
        for call in calls
    )


def findings(path: Path, rule: Rule) -> list[str]:
    """Return the violations of a rule in a file."""
    return [f"{path}:{line}: {message}" for line, message in rule(parse_file(path))]


def _find_sql(
    tree: ast.Module, pattern: re.Pattern[str], message: str
) -> Iterator[tuple[int, str]]:
    """Find a pattern in texts that are no docstrings, and in calls by SQLAlchemy's `func`."""
    docstrings = {id(node.value) for node in list_nodes(tree) if isinstance(node, ast.Expr)}
    for node in list_nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in docstrings and pattern.search(node.value):
                yield node.lineno, message
        elif isinstance(node, ast.Call):
            name = _dotted_name(node.func)
            what = (
                node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else ""
            )
            if name.startswith("func.") and pattern.search(f"{name.removeprefix('func.')}({what}"):
                yield node.lineno, message


def _dotted_name(function: ast.expr) -> str:
    """Return the called name: `asyncpg.connect`, or `.method` on the result of another call."""
    if isinstance(function, ast.Name):
        return function.id
    if isinstance(function, ast.Attribute):
        return f"{_dotted_name(function.value)}.{function.attr}"
    return ""
