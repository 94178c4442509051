"""The rules for the names and borders of the code."""

import ast
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from architecture.syntax_trees import list_nodes, parse_file
from prawko_tenants.base import Base

ROOT = Path(__file__).parents[2]
FOLDERS = (
    "tenants/src",
    "platform/src",
    "platform/embedded/src",
    "platform/testing/src",
    "migrations/src",
    "plugins/*/src",
)
SOURCES = sorted(
    path
    for folder in FOLDERS
    for root in ROOT.glob(folder)
    for path in root.rglob("*.py")
    if "versions" not in path.parts
)
PLATFORM = ROOT / "platform/src/prawko"

# Single words that name a thing, a hook, or an act whose only object is its argument.
FUNCTION_NOUNS = frozenset({"channels", "job", "main", "redact", "translate", "transition"})

# SQL as text stands only here, each for a reason; everything else is typed.
SQL_MODULES = {
    "tenants/src/prawko_tenants/pooler_checks.py": "a probe of the pooler",
    "platform/src/prawko/accounts/authentication.py": "hot read: who sends a request",
    "platform/src/prawko/kit/outbox/repository.py": "hot write: a message is sent",
    "platform/src/prawko/kit/rate_limit.py": "hot write: a try, counted and compared at once",
    "platform/src/prawko/apps/cli/doctor.py": "the logins, without a pool",
    "platform/src/prawko/drivers/queries.py": "hot read: the list of drivers",
    "platform/src/prawko/notifications/renderer.py": "set-based: the messages of a batch",
    "platform/src/prawko/verifications/expiry_reminders.py": "set-based: due reminders",
    "platform/src/prawko/verifications/stale_results.py": "set-based: due companies",
    "platform/src/prawko/verifications/daily/planning.py": "set-based: the items of a run",
    "platform/src/prawko/verifications/daily/recorder.py": "set-based: a batch of answers",
    "platform/src/prawko/verifications/daily/repository.py": "leases of the daily check",
    "platform/src/prawko/verifications/results_writer.py": "set-based: a batch of results",
    "platform/src/prawko/kit/http/health.py": "the probe of the database",
    "platform/src/prawko/apps/worker/database_metrics.py": "a limit of time",
    "platform/src/prawko/apps/worker/scheduler.py": "an advisory lock",
    "plugins/demo/src/prawko_demo/databases.py": "databases and roles",
    "plugins/demo/src/prawko_demo/mailbox/store.py": "SQLite",
    "plugins/demo/src/prawko_demo/payments/store.py": "SQLite",
    **dict.fromkeys(
        (
            f"tenants/src/prawko_tenants/{name}.py"
            for name in (
                "catalog",
                "logins",
                "partitions",
                "policies",
                "pooler_checks",
                "public_rights",
                "reader",
                "sessions",
            )
        ),
        "catalog, roles, partitions and settings of a connection",
    ),
}
# An idea of the platform → what only its own modules may contain.
IDEAS = {
    "back-off": (r"2 \*\*", {"kit/backoff.py"}),
    "lease": (r"SKIP LOCKED|class LeasedRow|fence=model", {
        "kit/work/lease.py", "verifications/daily/repository.py",
    }),
    "retry of a write": (r"AsyncRetrying|is_retryable", {"kit/work/lease.py"}),
    "pause of a provider": (r"ProviderPause\(|insert\(ProviderPause\)", {
        "kit/incidents/models.py", "kit/incidents/provider_pauses.py",
    }),
    "work after a commit": (r"\.on_commit\(", {"kit/context.py"}),
    "object of a process": (r"WeakKeyDictionary|^global ", set()),
    "status of a subscription": (r"subscription\.status = ", {
        "billing/transitions.py",
    }),
    "monitored company": (r"IN \('active', 'expired'\)", set()),
    "encryption": (r"AESGCM|Fernet", {"kit/crypto.py"}),
    "format of money": (r"format_(?:currency|decimal)\(", {"kit/money.py"}),
    "format of dates": (r"strftime|babel\.dates", {"kit/dates.py"}),
    "HTTP client": (r"httpx\.AsyncClient\(|ClientSession\(", {"hooks/http_client.py"}),
    "VAT": (r"\b23\b.*(?:VAT|vat)|VAT_PERCENT =", {"kit/money.py"}),
}  # fmt: skip

_SQL = re.compile(r"\b(?:SELECT|UPDATE|INSERT|DELETE)\b")
_TABLE = re.compile(r"\b(?:FROM|JOIN|UPDATE|INTO)\s+(?:ONLY\s+)?([a-z_]+)")


def public_classes() -> dict[str, list[Path]]:
    """Every public class of the product and where it is defined."""
    return _definitions(ast.ClassDef)


def bare_functions() -> dict[str, list[Path]]:
    """Public functions of a module whose name is a single word, without commands of the CLI."""
    functions = _definitions(ast.FunctionDef, ast.AsyncFunctionDef)
    return {name: paths for name, paths in functions.items() if "_" not in name}


def domain_layers() -> dict[str, int]:
    """Domain → its layer, the lowest first, as the import rules have it."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = contracts["contracts"][0]["layers"]
    return {
        name.strip(): number
        for number, names in enumerate(reversed(layers))
        for name in names.split("|")
    }


def table_owners() -> dict[str, str]:
    """Table → the domain whose models define it; `prawko_tenants` stands below all."""
    for path in PLATFORM.rglob("models.py"):
        import_module(".".join(path.relative_to(PLATFORM.parent).with_suffix("").parts))
    return {
        mapper.local_table.name: ".".join(mapper.class_.__module__.split(".")[:2])
        for mapper in Base.registry.mappers
    }


def tables_of_higher_layers() -> dict[str, set[str]]:
    """Module of the platform → tables its SQL names although they belong to a higher layer."""
    layer, owner = domain_layers(), table_owners()
    found = defaultdict(set)
    for path in PLATFORM.rglob("*.py"):
        place = str(path.relative_to(PLATFORM))
        domain = f"prawko.{path.relative_to(PLATFORM).parts[0].removesuffix('.py')}"
        for table in {table for text in _sql(path) for table in _TABLE.findall(text)}:
            if table in owner and layer.get(owner[table], -1) > layer.get(domain, sys.maxsize):
                found[place].add(table)
    return found


def repeated_ideas() -> dict[str, list[Path]]:
    """Idea of `IDEAS` → the other modules of the platform that build it as well."""
    found = {}
    for idea, (pattern, own) in IDEAS.items():
        others = [
            path
            for path in sorted(PLATFORM.rglob("*.py"))
            if str(path.relative_to(PLATFORM)) not in own
            and re.search(pattern, path.read_text(), re.MULTILINE)
        ]
        if others:
            found[idea] = others
    return found


def stale_ideas() -> list[str]:
    """Ideas whose own modules do not contain what they are recognised by."""
    return [
        idea
        for idea, (pattern, own) in IDEAS.items()
        for module in own
        if not re.search(pattern, (PLATFORM / module).read_text(), re.MULTILINE)
    ]


def _sql(path: Path) -> Iterator[str]:
    for node in list_nodes(parse_file(path)):
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(value, str) and _SQL.search(value):
            yield value


def _definitions(*kinds: type[ast.stmt]) -> dict[str, list[Path]]:
    definitions = defaultdict(list)
    for path in SOURCES:
        for node in parse_file(path).body:
            if isinstance(node, kinds) and not node.name.startswith("_") and not _is_command(node):
                definitions[node.name].append(path)
    return definitions


def _is_command(node: ast.stmt) -> bool:
    """Whether a function is a command of click: its name is the command's."""
    return any(
        isinstance(decorator, ast.Call)
        and isinstance(decorator.func, ast.Attribute)
        and decorator.func.attr in {"command", "group"}
        for decorator in getattr(node, "decorator_list", ())
    )
