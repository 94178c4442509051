"""The rules of source_rules hold for all sources, and each detects its samples."""

import ast
from pathlib import Path

import pytest

from architecture import source_rules
from architecture.house_rules import SQL_MODULES
from architecture.source_rules import (
    Rule,
    batch_without_tenant,
    component_changed_later,
    findings,
    sender_woken_by_hand,
    server_time,
    session_zone,
    sql_text,
    system_clock_use,
    unnamed_zone,
    wait_without_deadline,
)

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    path for top in ("platform", "plugins", "tenants") for path in (ROOT / top).rglob("*.py")
)
MIGRATIONS = sorted((ROOT / "migrations").rglob("*.py"))
PLATFORM = "platform/src/prawko"
DEMO = "plugins/demo/src/prawko_demo"
TENANTS = "tenants/src/prawko_tenants"
VERSIONS = "migrations/src/prawko_migrations/versions"

EXCEPTIONS: dict[Rule, set[str]] = {
    sql_text: set(SQL_MODULES),
    batch_without_tenant: set(),
    system_clock_use: {
        f"{PLATFORM}/kit/clock.py",
        "platform/testing/src/prawko_testing/clock.py",
        f"{DEMO}/clock.py",
        f"{DEMO}/register/certificates.py",  # certificates are valid by the system clock
        # Dates of HTTP headers, compared with the system clock: plugins are handed no clock.
        f"{PLATFORM}/hooks/http_client.py",
        "plugins/channel-sendgrid/src/prawko_channel_sendgrid/errors.py",
        "plugins/channel-webpush/src/prawko_channel_webpush/signature.py",
        "plugins/payments-stripe/src/prawko_payments_stripe/clock.py",
    },
    server_time: {
        f"{TENANTS}/logins.py",  # when a password ends, which PostgreSQL judges
        f"{TENANTS}/reader.py",  # what the system clock is compared with
        f"{PLATFORM}/apps/cli/doctor.py",  # likewise
        f"{PLATFORM}/kit/incidents/heartbeats.py",  # of processes whose clocks may be wrong
        f"{PLATFORM}/kit/outbox/repository.py",  # leases shorter than two clocks may differ
        f"{VERSIONS}/0011_verifications.py",  # how far partitions may be away, in UTC (0029)
        f"{VERSIONS}/0020_narrower_console.py",  # sessions that the console's login may add
        f"{VERSIONS}/0023_operator_proofs.py",  # whether the proof's session was open just now
        f"{VERSIONS}/0043_proofs_of_sessions.py",  # the same, and whether a day is past, in UTC
        f"{VERSIONS}/0054_held_sessions.py",  # as 0043
        f"{VERSIONS}/0047_categories_all_over.py",  # whether a day is past, in Warsaw
    },
    session_zone: {
        f"{PLATFORM}/drivers/queries.py",  # AT TIME ZONE beside each
        f"{PLATFORM}/console/charts.py",  # likewise, as func.timezone
        f"{VERSIONS}/0011_verifications.py",  # days, and the functions' zone is UTC (0029)
        f"{VERSIONS}/0043_proofs_of_sessions.py",  # days, in a function whose zone is UTC
        f"{VERSIONS}/0013_legal_acceptances.py",  # a text that is a day
    },
    unnamed_zone: {
        f"{PLATFORM}/kit/clock.py",
        f"{PLATFORM}/kit/dates.py",  # of a datetime in Warsaw's time
        f"{PLATFORM}/accounts/acts/jobs.py",  # likewise
        f"{PLATFORM}/notifications/fanout.py",  # likewise
        f"{PLATFORM}/verifications/daily/planning.py",  # months of partitions are UTC's
        f"{PLATFORM}/verifications/daily/recorder.py",  # likewise
        f"{PLATFORM}/verifications/manual_check.py",  # likewise
        f"{DEMO}/seed/history.py",  # likewise
        f"{PLATFORM}/apps/cli/checks.py",  # a day that was typed
        f"{PLATFORM}/apps/cli/invoices.py",  # likewise
    },
    sender_woken_by_hand: {
        f"{TENANTS}/engine.py",
        f"{TENANTS}/sessions.py",
        f"{PLATFORM}/kit/outbox/service.py",
        f"{PLATFORM}/kit/deliveries/jobs.py",  # the job itself
        f"{PLATFORM}/apps/composition_root.py",
        f"{PLATFORM}/apps/worker/main.py",
        f"{PLATFORM}/apps/worker/schedule.py",
        f"{PLATFORM}/apps/worker/scheduler.py",  # without Redis
    },
    component_changed_later: set(),
    wait_without_deadline: {
        f"{PLATFORM}/apps/cli/backup.py",  # a dump takes as long as the data is large
    },
}
# The rules that hold for the migrations, too.
OF_MIGRATIONS = {server_time, session_zone, wait_without_deadline}


def relative_path(path: Path) -> str:
    return str(path.relative_to(ROOT))


def is_excepted(rule: Rule, path: Path) -> bool:
    return relative_path(path) in EXCEPTIONS[rule]


@pytest.mark.parametrize("rule", EXCEPTIONS, ids=lambda rule: rule.__name__)
def test_the_rule_holds(rule: Rule) -> None:
    violations = [
        finding
        for path in SOURCES + (MIGRATIONS if rule in OF_MIGRATIONS else [])
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
    server_time: (
        'text("SELECT id FROM driver WHERE due_at <= now()")',
        'SQL = "... day = CURRENT_DATE"',
        "select(func.now())",
        "update(row).values(seen_at=func.clock_timestamp())",
        "f\"{COLUMN} > LOCALTIMESTAMP - interval '1 day'\"",
    ),
    session_zone: (
        "text(\"SELECT to_char(verified_at, 'YYYY')\")",
        'SQL = "SELECT verified_at::date"',
        'SQL = "SELECT CAST(verified_at AS date)"',
        "select(func.date_trunc('month', column))",
        'SQL = "SELECT extract(hour FROM verified_at)"',
    ),
    unnamed_zone: ("clock.now().date()", "row.verified_at.date()"),
    component_changed_later: (
        "context.components.get(FirstCheck).job = job",
        "self._context.components.get(Registry).handlers += [handler]",
    ),
    sender_woken_by_hand: (
        "from prawko.kit.deliveries.jobs import deliver_pending",
        "await context.queue.enqueue(jobs.deliver_pending)",
        "session.wake_sender_on_commit()",
        'def add():\n    """The caller enqueues `deliver_pending` after its commit."""',
    ),
    wait_without_deadline: (
        "asyncpg.connect(url)",
        "asyncpg.connect(url, timeout=5)",
        "asyncpg.create_pool(url, timeout=5)",
        "Redis.from_url(url, socket_connect_timeout=2)",
        "subprocess.run(arguments, check=True)",
        "child.join()",
        "await process.communicate(content)",
        "await asyncio.open_connection(host, port)",
        "await loop.getaddrinfo(host, 443)",
        "socket.create_connection((host, 443))",
    ),
}
GOOD: dict[Rule, tuple[str, ...]] = {
    sql_text: ('"Select a driver"', '"UPDATED"', '"With best wishes"', 'raise Error("DROP it")'),
    batch_without_tenant: (
        "async with database.batch() as session:\n    await session.switch_tenant(tenant_id)",
        "async with database.tenant(tenant_id) as session: ...",
    ),
    wait_without_deadline: (
        "asyncpg.connect(url, timeout=5, command_timeout=5)",
        "subprocess.run(arguments, check=True, timeout=5)",
        "child.join(5)\nchild.join(timeout=5)\n', '.join(names)",
        "await asyncio.wait_for(process.communicate(content), 5)",
        "async with asyncio.timeout(5):\n    await asyncio.open_connection(host, port)",
    ),
    system_clock_use: ("clock.now()", "utc_now()", "time.monotonic()", "time(6)"),
    server_time: (
        'text("SELECT id FROM driver WHERE due_at <= :now")',
        'def due():\n    """Compares with `now()`."""',
        "clock.now()",
        '"known(…)"',
    ),
    session_zone: (
        '"SELECT extract(epoch FROM verified_at)"',
        '"as dated before"',
        "select(func.min(column))",
    ),
    component_changed_later: ("job = context.components.get(FirstCheck).job",),
    sender_woken_by_hand: ("await enqueue_messages(session, [mail])",),
    unnamed_zone: ("warsaw_date(now)", "parse.date(text)", "date(2026, 11, 21)"),
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
