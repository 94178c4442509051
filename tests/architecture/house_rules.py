"""What the names and the borders of the code are measured by; `python -m` prints the table."""

import ast
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

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

# A file is named for what is in it. Its last word is one of these nouns of the field.
FILE_NOUNS = frozenset(
    [
        "actions",
        "activation",
        "address",
        "admin",
        "alerts",
        "answers",
        "app",
        "archive",
        "asgi",
        "authentication",
        "backoff",
        "base",
        "binaries",
        "bootstrap",
        "builder",
        "calls",
        "cancellation",
        "catalog",
        "cells",
        "certificates",
        "change",
        "channel",
        "channels",
        "charges",
        "checkout",
        "checks",
        "client",
        "clock",
        "codes",
        "collation",
        "company",
        "config",
        "context",
        "contract",
        "control",
        "controller",
        "cookies",
        "credentials",
        "crypto",
        "database",
        "databases",
        "dates",
        "decision",
        "deliverability",
        "dependencies",
        "details",
        "discrepancies",
        "dispatcher",
        "document",
        "documents",
        "engine",
        "entitlements",
        "env",
        "environment",
        "erasure",
        "errors",
        "events",
        "expiry",
        "export",
        "fa3",
        "fakes",
        "fanout",
        "faults",
        "feedback",
        "file",
        "files",
        "gsm7",
        "guards",
        "handler",
        "handlers",
        "hash",
        "hashing",
        "header",
        "headers",
        "health",
        "history",
        "home",
        "i18n",
        "iban",
        "ids",
        "incidents",
        "index",
        "invoices",
        "ip",
        "issuance",
        "issuer",
        "jobs",
        "key",
        "kinds",
        "launcher",
        "lease",
        "lifecycle",
        "limit",
        "limiter",
        "limits",
        "listing",
        "log",
        "login",
        "logins",
        "logs",
        "lookup",
        "loop",
        "machine",
        "mail",
        "mailbox",
        "mails",
        "main",
        "mapping",
        "messages",
        "methods",
        "models",
        "money",
        "monitoring",
        "names",
        "nip",
        "notices",
        "now",
        "numbering",
        "onboarding",
        "openapi",
        "operators",
        "options",
        "orders",
        "outages",
        "outcome",
        "page",
        "pagination",
        "panel",
        "partitions",
        "passwords",
        "pauses",
        "payments",
        "pdf",
        "periods",
        "planning",
        "plugins",
        "policies",
        "policy",
        "polling",
        "preparation",
        "preview",
        "price",
        "process",
        "processes",
        "processing",
        "proration",
        "provider",
        "public",
        "publisher",
        "queries",
        "queue",
        "reader",
        "recorder",
        "redaction",
        "references",
        "refunds",
        "register",
        "registration",
        "reminders",
        "renderer",
        "rendering",
        "reports",
        "repository",
        "request",
        "reset",
        "response",
        "responses",
        "results",
        "retention",
        "retry",
        "review",
        "roles",
        "root",
        "rotation",
        "rules",
        "sale",
        "samples",
        "schedule",
        "scheduler",
        "schemas",
        "sender",
        "server",
        "servers",
        "service",
        "session",
        "sessions",
        "settings",
        "signature",
        "signing",
        "site",
        "sms",
        "soap",
        "specs",
        "state",
        "statement",
        "statements",
        "store",
        "supervisor",
        "support",
        "template",
        "templates",
        "text",
        "thread",
        "threads",
        "time",
        "titles",
        "tls",
        "transitions",
        "transport",
        "trial",
        "updater",
        "urls",
        "validation",
        "variables",
        "verification",
        "webhook",
        "webhooks",
        "wire",
        "worker",
        "writer",
    ]
)
# Single words that name a thing, a hook, or an act whose only object is its argument.
FUNCTION_NOUNS = frozenset({"channels", "job", "main", "redact", "translate", "transition"})

_SQL = re.compile(r"\b(?:SELECT|UPDATE|INSERT|DELETE)\b")
_TABLE = re.compile(r"\b(?:FROM|JOIN|UPDATE|INTO)\s+(?:ONLY\s+)?([a-z_]+)")


def public_classes() -> dict[str, list[Path]]:
    """Every public class of the product and where it is defined."""
    return _definitions(ast.ClassDef)


def bare_functions() -> dict[str, list[Path]]:
    """Public functions of a module whose name is a single word, without commands of the CLI."""
    functions = _definitions(ast.FunctionDef, ast.AsyncFunctionDef)
    return {name: paths for name, paths in functions.items() if "_" not in name}


def file_words() -> dict[str, list[Path]]:
    """The last word of every module's name and the modules that end with it."""
    words = defaultdict(list)
    for path in SOURCES:
        if not path.stem.startswith("__"):
            words[path.stem.rpartition("_")[2]].append(path)
    return words


def import_floors(package: str) -> tuple[int, int, int]:
    """A package's modules, the longest chain of imports among them, and how many imports there are.

    Packages' own modules are left out: they hold a docstring. Imports within a function count.
    """
    folder = PLATFORM.parent / package.replace(".", "/")
    paths = {
        ".".join(path.relative_to(PLATFORM.parent).with_suffix("").parts): path
        for path in folder.rglob("*.py")
        if path.stem != "__init__"
    }
    imports = {module: _imports(path) & paths.keys() for module, path in paths.items()}

    @cache
    def floor(module: str) -> int:
        return 1 + max(map(floor, imports[module]), default=0)

    return len(paths), max(map(floor, paths)), sum(map(len, imports.values()))


def _imports(path: Path) -> set[str]:
    """The modules that a module imports, and the names that it imports from packages."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return found


def floors() -> dict[str, int]:
    """Domain → its floor, the lowest first, as the import rules have it."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = contracts["contracts"][0]["layers"]
    return {
        name.strip(): floor
        for floor, layer in enumerate(reversed(layers))
        for name in layer.split("|")
    }


def table_owners() -> dict[str, str]:
    """Table → the domain whose models define it; `prawko_tenants` stands below all."""
    for path in PLATFORM.rglob("models.py"):
        import_module(".".join(path.relative_to(PLATFORM.parent).with_suffix("").parts))
    return {
        mapper.local_table.name: ".".join(mapper.class_.__module__.split(".")[:2])
        for mapper in Base.registry.mappers
    }


def tables_above() -> dict[str, set[str]]:
    """Module of the platform → tables its SQL names although they belong to a higher floor."""
    floor, owner = floors(), table_owners()
    found = defaultdict(set)
    for path in PLATFORM.rglob("*.py"):
        place = str(path.relative_to(PLATFORM))
        domain = f"prawko.{path.relative_to(PLATFORM).parts[0].removesuffix('.py')}"
        for table in {table for text in _sql(path) for table in _TABLE.findall(text)}:
            if table in owner and floor.get(owner[table], -1) > floor.get(domain, sys.maxsize):
                found[place].add(table)
    return found


def text_statements() -> dict[str, int]:
    """Module of the platform → how many statements it holds as text."""
    counts = {}
    for path in PLATFORM.rglob("*.py"):
        if count := sum(1 for _ in _sql(path)):
            counts[str(path.relative_to(PLATFORM))] = count
    return counts


def _sql(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(value, str) and _SQL.search(value):
            yield value


def _definitions(*kinds: type[ast.stmt]) -> dict[str, list[Path]]:
    definitions = defaultdict(list)
    for path in SOURCES:
        for node in ast.parse(path.read_text()).body:
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
