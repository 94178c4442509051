"""The measures of the code, each with a limit that only ever falls: `limits.toml`."""

import ast
import re
import statistics
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from architecture.syntax_trees import STRING_OR_COMMENT, list_nodes, parse_file

ROOT = Path(__file__).parents[2]
PLATFORM = ROOT / "platform/src/prawko"
MODULES = sorted(
    path for top in ("platform", "tenants") for path in (ROOT / top).glob("src/**/*.py")
)
LIMITS = Path(__file__).with_name("limits.toml")
AT_LEAST = "(at least)"

# The forms in which one idea is written, as the modules that contain them.
STOPPING = (
    "class LimiterState", "class _LocalBreaker", "class ProviderPause", "class PluginFaults",
    "class PluginWatchdog", "class Availability",
)  # fmt: skip
CLAIM_LOOP = re.compile(
    r"\.claim\(|await (?:claim_items|claim)\(|in group_by_company\(pending\)"
    r"|while not context\.must_stop\(\) and"
)
BUNDLES = ("timedelta(microseconds=1", "def join_digest", "bundle_id: Mapped")
# What operators do to a company or its payments, from the command line, and what records it.
ACT = re.compile(
    r"\b(?:resolve_discrepancy|refund_discrepancy|approve_changes|reject_changes|erase_company"
    r"|make_operator|revoke_user_sessions|switch_off_second_factor)\("
)
RECORDED = re.compile(r"OperatorActs|Command")
NOTICE_KIND = re.compile(r"NoticeKind\.([A-Z_]+)")


class Limit(NamedTuple):
    """The most (or least) that a measure may be, and what is aimed at."""

    limit: int
    wanted: int


class Measure(NamedTuple):
    """A figure of the code and its limit."""

    name: str
    value: int
    bounds: Limit

    @property
    def holds(self) -> bool:
        return self.is_within(self.bounds.limit)

    def is_within(self, bound: int) -> bool:
        return self.value >= bound if self.name.endswith(AT_LEAST) else self.value <= bound

    def __str__(self) -> str:
        verdict = "reached" if self.is_within(self.bounds.wanted) else ""
        verdict = verdict if self.holds else "MISSED"
        limit, wanted = self.bounds
        return f"{self.name:44}{self.value:8,}{limit:8,}{wanted:8,}  {verdict}".rstrip()


def read_limits() -> dict[str, Limit]:
    """Return the limits by the names of their measures."""
    tables = tomllib.loads(LIMITS.read_text(encoding="utf-8"))
    return {name: Limit(table["limit"], table["wanted"]) for name, table in tables.items()}


def collect_measures() -> list[Measure]:
    """Return every measure that is counted in the source; `test_flows.py` has those of runs."""
    limits = read_limits()
    return [Measure(name, value, limits[name]) for name, value in count_all().items()]


def count_all() -> Mapping[str, int]:
    """Return the figures by the names of their measures."""
    code = sum(map(count_code_lines, MODULES))
    tests = (ROOT / "tests").rglob("*.py")
    sources = {path: path.read_text(encoding="utf-8") for path in PLATFORM.rglob("*.py")}
    text = "\n".join(sources.values())
    glossary = (ROOT / "docs/domain.md").read_text(encoding="utf-8")
    variables = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    return {
        "lines of code: platform and tenants": code,
        "lines of code: tests": sum(map(count_code_lines, tests)),
        "modules of platform and tenants": len(MODULES),
        f"lines of a module, the median {AT_LEAST}": round(
            statistics.median(len(path.read_text().splitlines()) for path in MODULES)
        ),
        "imports among the lines of code, percent": round(
            100 * sum(map(_count_import_lines, MODULES)) / code
        ),
        "mechanisms that stop calling a provider": sum(form in text for form in STOPPING),
        "claim loops": sum(_has_own_claim_loop(source) for source in sources.values()),
        "forms of a bundle of notices": sum(form in text for form in BUNDLES),
        "doors of an operator's act": 1 + any(_is_unrecorded_door(path) for path in sources),
        "places to touch for a new kind of notice": len([*_find_kind_tables(sources)]) + 1,
        "rows of the glossary": len(re.findall(r"^\|", glossary, re.MULTILINE)),
        "environment variables": len(re.findall(r"^\| `[A-Z]", variables, re.MULTILINE)),
    }


@cache
def count_code_lines(path: Path) -> int:
    """Return how many lines carry a token and are no part of a docstring."""
    source = path.read_text(encoding="utf-8")
    code = STRING_OR_COMMENT.sub(
        lambda found: "" if found[1] else found[0].replace("\n", "-\n-"), source
    )
    lines = {number for number, line in enumerate(code.split("\n"), 1) if line.strip()}
    tree = parse_file(path)
    for node in list_nodes(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            lines -= _docstring_lines(node.body)
    return len(lines)


def _docstring_lines(body: list[ast.stmt]) -> set[int]:
    match body:
        case [ast.Expr(value=ast.Constant(value=str())) as docstring, *_]:
            return _lines(docstring)
    return set()


def _has_own_claim_loop(source: str) -> bool:
    """Return whether a module claims rows in a loop that is not `run_work`'s."""
    return bool(CLAIM_LOOP.search(source)) and "import run_work" not in source


def _count_import_lines(path: Path) -> int:
    nodes = list_nodes(parse_file(path))
    imports = (node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
    return len({line for node in imports for line in _lines(node)})


def _lines(node: ast.stmt) -> set[int]:
    return set(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _is_unrecorded_door(path: Path) -> bool:
    source = path.read_text(encoding="utf-8")
    is_command = "click" in source
    return is_command and bool(ACT.search(source)) and not RECORDED.search(source)


def _find_kind_tables(sources: Mapping[Path, str]) -> Iterator[ast.expr]:
    """The constants that list kinds of notices; beside them a kind needs its texts."""
    for path, source in sources.items():
        if "NoticeKind" in source:
            for node in parse_file(path).body:
                value = getattr(node, "value", None)
                if isinstance(node, ast.Assign | ast.AnnAssign) and len(_find_kinds(value)) > 1:
                    yield node.value


def _find_kinds(value: ast.expr | None) -> set[str]:
    """The kinds that an expression names; of a dictionary, those that are keys."""
    if value is None:
        return set()
    parts = value.keys if isinstance(value, ast.Dict) else [value]
    return {kind for part in parts if part for kind in NOTICE_KIND.findall(ast.unparse(part))}
