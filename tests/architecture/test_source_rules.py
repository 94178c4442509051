"""Our own rules hold everywhere, and each of them finds what it was made for."""

import ast
from pathlib import Path

import pytest

import source_rules
from source_rules import (
    Rule,
    findings,
    http_without_a_time_out,
    made_up_sql,
    naive_time,
    own_clock,
    session_without_a_company,
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
    f"{DEMO}/mailbox/store.py",
    *(f"{TENANTS}/{name}.py" for name in (
        "catalog", "lifecycle", "logins", "partitions", "policies", "reader", "sessions",
    )),
}  # fmt: skip
EXCEPT: dict[Rule, set[str]] = {
    sql_text: WITH_SQL,
    made_up_sql: {
        f"{TENANTS}/logins.py",  # names of roles, quoted
        f"{TENANTS}/policies.py",  # tables and columns of our own lists
        f"{DEMO}/databases.py",  # the name of the demo's own database
        f"{PLATFORM}/drivers/reading.py",  # parts of the one statement, each a constant
        f"{PLATFORM}/personal_data/repository.py",  # tables and columns of our own lists
    },
    session_without_a_company: {
        f"{TENANTS}/engine.py",
        f"{TENANTS}/reader.py",
        f"{TENANTS}/logins.py",  # makes the logins themselves
        f"{DEMO}/databases.py",  # looks whether a database is there
    },
    http_without_a_time_out: set(),
    naive_time: {f"{PLATFORM}/billing/periods.py"},  # counts on the wall's clock, zone put back
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
    made_up_sql: (
        "text(f\"SELECT * FROM driver WHERE last_name = '{name}'\")",
        'text("SELECT * FROM driver WHERE id = " + driver_id)',
        'text("SELECT * FROM driver WHERE id = %s" % driver_id)',
        'text("DELETE FROM {}".format(table))',
        'text("SELECT 1 " "FROM driver WHERE id = " + str(id_))',
        'text(f"SELECT {columns} FROM driver")',
    ),
    session_without_a_company: (
        "engine = create_async_engine(url)",
        "async with AsyncSession(engine) as session: ...",
        "connection = asyncpg.connect(url)",
        "pool = asyncpg.create_pool(url)",
        "make = async_sessionmaker(engine)",
        "async with database.batch() as session:\n    session.execute(SQL)",
    ),
    http_without_a_time_out: (
        "aiohttp.ClientSession()",
        "aiohttp.ClientSession(timeout=None)",
        "ClientSession(headers=headers)",
        'requests.post("http://a", json={})',
        "httpx.AsyncClient()",
        "urllib.request.urlopen(url)",
        "urlopen(url, timeout=0)",
        "smtplib.SMTP(host)",
        "aiosmtplib.SMTP(hostname=host)",
        "SendGridAPIClient(key)",
    ),
    naive_time: (
        "datetime.now()",
        "datetime.datetime.now()",
        "datetime.now(tz=None)",
        "datetime.utcnow()",
        "datetime.fromtimestamp(seconds)",
        "datetime.combine(day, wall)",
        "datetime(2026, 11, 21, 6)",
        "datetime.datetime(2026, 11, 21)",
        'datetime.strptime(text, "%Y")',
        "date.today()",
        "moment.replace(tzinfo=None)",
    ),
    own_clock: ("datetime.now(UTC)", "datetime.datetime.now(tz=UTC)", "time.time()"),
}
GOOD: dict[Rule, tuple[str, ...]] = {
    sql_text: ('"Select a driver"', '"UPDATED"', '"With best wishes"', 'raise Error("DROP it")'),
    made_up_sql: (
        'text(f"SELECT {_COLUMNS} FROM driver {reading.WHERE}")',
        'text("SELECT id FROM driver " + TAIL)',
        'text("SELECT id FROM driver WHERE id = :id")',
        'say(f"{name} was added")',
    ),
    session_without_a_company: (
        "async with database.tenant(tenant_id) as session: ...",
        "async with database.batch() as session:\n    await session.bind(tenant_id)",
        "def f(session: AsyncSession) -> None: ...",
    ),
    http_without_a_time_out: (
        "aiohttp.ClientSession(timeout=TEN_SECONDS)",
        "requests.get(url, timeout=10)",
        "urlopen(url, timeout=seconds)",
    ),
    naive_time: (
        "datetime.now(UTC)",
        "datetime.now(tz=WARSAW)",
        "datetime.fromtimestamp(seconds, UTC)",
        "datetime.combine(day, wall, WARSAW)",
        "datetime.combine(day, wall, tzinfo=WARSAW)",
        "datetime(2026, 11, 21, tzinfo=UTC)",
        "moment.replace(tzinfo=UTC)",
        "date(2026, 11, 21)",
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
