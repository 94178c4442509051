"""Our own rules hold everywhere, and each of them finds what it was made for."""

import ast
from pathlib import Path

import pytest

import source_rules
from source_rules import (
    Rule,
    batch_without_a_company,
    findings,
    own_clock,
    sql_text,
)

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    path for top in ("platform", "plugins", "tenants") for path in (ROOT / top).rglob("*.py")
)
PLATFORM = "platform/src/prawko"
DEMO = "plugins/demo/src/prawko_demo"
TENANTS = "tenants/src/prawko_tenants"

# Beside the repositories: modules of one theme each, that say so in their first lines.
WITH_SQL = {
    *(f"{PLATFORM}/accounts/{name}.py" for name in (
        "activity", "identity", "open_sessions", "operators", "reported_addresses",
        "secret_mail", "throttle",
    )),
    *(f"{PLATFORM}/deliveries/{name}.py" for name in (
        "inbox", "incidents", "losses", "operator_mail", "reports", "retention",
    )),
    f"{PLATFORM}/drivers/reading.py",
    f"{PLATFORM}/notifications/messages.py",
    *(f"{PLATFORM}/payments/{name}.py" for name in ("findings", "pauses")),
    *(f"{PLATFORM}/personal_data/{name}.py" for name in ("companies", "erasure", "reading")),
    *(f"{PLATFORM}/verifications/{name}.py" for name in (
        "bucket", "effects", "expiring_documents", "history", "leases", "manual", "near_dates",
        "planning", "recording", "resealing", "runs", "settling", "stale_results", "watchman",
    )),
    f"{PLATFORM}/web/health.py",
    f"{PLATFORM}/web/sessions.py",
    f"{PLATFORM}/worker/ticker.py",
    f"{DEMO}/data/history.py",
    f"{DEMO}/databases.py",
    f"{DEMO}/doors/work.py",
    f"{DEMO}/mailbox/store.py",
    f"{DEMO}/payments/store.py",
    *(f"{TENANTS}/{name}.py" for name in (
        "catalog", "lifecycle", "logins", "partitions", "policies", "reader", "sessions",
    )),
}  # fmt: skip
EXCEPT: dict[Rule, set[str]] = {
    sql_text: WITH_SQL,
    batch_without_a_company: set(),
    own_clock: {
        f"{PLATFORM}/base/clock.py",
        f"{PLATFORM}/testing/fakes.py",
        f"{DEMO}/clock.py",
        f"{DEMO}/register/certificates.py",  # certificates know the machine's time alone
        # Dates of HTTP headers, beside the machine's time: plugins are handed no clock.
        f"{PLATFORM}/hooks/carrier_connection.py",
        f"{PLATFORM}/hooks/register_connection.py",
        "plugins/channel-sendgrid/src/prawko_channel_sendgrid/failures.py",
        "plugins/payments-stripe/src/prawko_payments_stripe/machine_clock.py",
    },
}


def of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def may(rule: Rule, path: Path) -> bool:
    return of(path) in EXCEPT[rule] or (rule is sql_text and path.stem.endswith("repository"))


@pytest.mark.parametrize("rule", EXCEPT, ids=lambda rule: rule.__name__)
def test_the_rule_holds(rule: Rule) -> None:
    found = [one for path in SOURCES if not may(rule, path) for one in findings(path, rule)]

    assert found == []


@pytest.mark.parametrize("rule", EXCEPT, ids=lambda rule: rule.__name__)
def test_nothing_is_excepted_that_need_not_be(rule: Rule) -> None:
    needless = [name for name in sorted(EXCEPT[rule]) if not findings(ROOT / name, rule)]

    assert needless == []


BAD: dict[Rule, tuple[str, ...]] = {
    sql_text: (
        'session.execute(text("SELECT id FROM driver"))',
        'session.execute(text("""\n    UPDATE driver SET status = 1\n"""))',
        'SQL = "insert".upper() + "x"\nQUERY = "INSERT INTO driver VALUES (1)"',
        'await reader.json(f"SELECT {COLUMNS} FROM driver")',
        'q = "WITH due AS (SELECT 1) DELETE FROM due"',
        'text("DELETE FROM driver")',
    ),
    batch_without_a_company: ("async with database.batch() as session:\n    session.execute(SQL)",),
    own_clock: ("datetime.now(UTC)", "datetime.datetime.now(tz=UTC)", "time.time()"),
}
GOOD: dict[Rule, tuple[str, ...]] = {
    sql_text: ('"Select a driver"', '"UPDATED"', '"With best wishes"', 'raise Error("DROP it")'),
    batch_without_a_company: (
        "async with database.batch() as session:\n    await session.bind(tenant_id)",
        "async with database.tenant(tenant_id) as session: ...",
    ),
    own_clock: ("clock.now()", "machine_now()", "time.monotonic()", "time(6)"),
}


def found_in(tmp_path: Path, rule: Rule, source: str) -> list[str]:
    sample = tmp_path / "sample.py"
    sample.write_text(source)
    return findings(sample, rule)


@pytest.mark.parametrize(
    ("rule", "source"), [(rule, source) for rule, bad in BAD.items() for source in bad]
)
def test_a_rule_finds_what_it_was_made_for(tmp_path, rule, source) -> None:
    assert found_in(tmp_path, rule, source)


@pytest.mark.parametrize(
    ("rule", "source"), [(rule, source) for rule, good in GOOD.items() for source in good]
)
def test_a_rule_leaves_the_rest_alone(tmp_path, rule, source) -> None:
    assert found_in(tmp_path, rule, source) == []


def test_every_rule_is_asked() -> None:
    tree = ast.parse(Path(source_rules.__file__).read_text())
    rules = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.returns is not None
        and ast.unparse(node.returns) == "Iterator[Finding]"
    }  # fmt: skip

    assert rules == {rule.__name__ for rule in EXCEPT}
    assert EXCEPT.keys() == BAD.keys() == GOOD.keys()
