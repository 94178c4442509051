"""The rules of source_rules hold for all sources, and each detects its samples."""

import ast
from pathlib import Path

import pytest

from architecture import source_rules
from architecture.house_rules import SQL_MODULES
from architecture.source_rules import (
    Rule,
    batch_without_tenant,
    findings,
    sql_text,
    system_clock_use,
)

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    path for top in ("platform", "plugins", "tenants") for path in (ROOT / top).rglob("*.py")
)
PLATFORM = "platform/src/prawko"
DEMO = "plugins/demo/src/prawko_demo"
TENANTS = "tenants/src/prawko_tenants"

EXCEPTIONS: dict[Rule, set[str]] = {
    sql_text: set(SQL_MODULES),
    batch_without_tenant: set(),
    system_clock_use: {
        f"{PLATFORM}/base/clock.py",
        "platform/testing/src/prawko_testing/clock.py",
        f"{DEMO}/clock.py",
        f"{DEMO}/register/certificates.py",  # certificates are valid by the system clock
        # Dates of HTTP headers, compared with the system clock: plugins are handed no clock.
        f"{PLATFORM}/hooks/http_client.py",
        "plugins/channel-sendgrid/src/prawko_channel_sendgrid/errors.py",
        "plugins/payments-stripe/src/prawko_payments_stripe/clock.py",
    },
}


def relative_path(path: Path) -> str:
    return str(path.relative_to(ROOT))


def is_excepted(rule: Rule, path: Path) -> bool:
    return relative_path(path) in EXCEPTIONS[rule]


@pytest.mark.parametrize("rule", EXCEPTIONS, ids=lambda rule: rule.__name__)
def test_the_rule_holds(rule: Rule) -> None:
    violations = [
        finding
        for path in SOURCES
        if not is_excepted(rule, path)
        for finding in findings(path, rule)
    ]

    assert violations == []


@pytest.mark.parametrize("rule", EXCEPTIONS, ids=lambda rule: rule.__name__)
def test_every_exception_is_needed(rule: Rule) -> None:
    unnecessary = [name for name in sorted(EXCEPTIONS[rule]) if not findings(ROOT / name, rule)]

    assert unnecessary == []


BAD: dict[Rule, tuple[str, ...]] = {
    sql_text: (
        'session.execute(text("SELECT id FROM driver"))',
        'session.execute(text("""\n    UPDATE driver SET status = 1\n"""))',
        'SQL = "insert".upper() + "x"\nQUERY = "INSERT INTO driver VALUES (1)"',
        'await reader.fetch_json(f"SELECT {COLUMNS} FROM driver")',
        'q = "WITH due AS (SELECT 1) DELETE FROM due"',
        'text("DELETE FROM driver")',
    ),
    batch_without_tenant: ("async with database.batch() as session:\n    session.execute(SQL)",),
    system_clock_use: ("datetime.now(UTC)", "datetime.datetime.now(tz=UTC)", "time.time()"),
}
GOOD: dict[Rule, tuple[str, ...]] = {
    sql_text: ('"Select a driver"', '"UPDATED"', '"With best wishes"', 'raise Error("DROP it")'),
    batch_without_tenant: (
        "async with database.batch() as session:\n    await session.switch_tenant(tenant_id)",
        "async with database.tenant(tenant_id) as session: ...",
    ),
    system_clock_use: ("clock.now()", "utc_now()", "time.monotonic()", "time(6)"),
}


def findings_in_sample(tmp_path: Path, rule: Rule, source: str) -> list[str]:
    sample = tmp_path / "sample.py"
    sample.write_text(source)
    return findings(sample, rule)


@pytest.mark.parametrize(
    ("rule", "source"), [(rule, source) for rule, bad in BAD.items() for source in bad]
)
def test_a_rule_detects_its_bad_samples(tmp_path, rule, source) -> None:
    assert findings_in_sample(tmp_path, rule, source)


@pytest.mark.parametrize(
    ("rule", "source"), [(rule, source) for rule, good in GOOD.items() for source in good]
)
def test_a_rule_accepts_its_good_samples(tmp_path, rule, source) -> None:
    assert findings_in_sample(tmp_path, rule, source) == []


def test_every_rule_is_tested() -> None:
    tree = ast.parse(Path(source_rules.__file__).read_text())
    rules = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.returns is not None
        and ast.unparse(node.returns) == "Iterator[Finding]"
    }  # fmt: skip

    assert rules == {rule.__name__ for rule in EXCEPTIONS}
    assert EXCEPTIONS.keys() == BAD.keys() == GOOD.keys()
