"""The drill: a dump is restored on an empty server, and the product goes on there."""

import asyncio
import base64
import dataclasses
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import asyncpg
import pytest

from prawko.apps.composition_root import create_renderer_registry
from prawko.apps.web.app import create_app
from prawko.kit.incidents.heartbeats import HeartbeatKind, record_heartbeat
from prawko.payments.polling import poll_due
from prawko.verifications.answers import reencrypt_answers
from prawko.verifications.daily.run_now import run_daily_check as daily_check
from prawko_migrations import upgrade_database
from prawko_tenants.catalog import audit_catalog
from prawko_tenants.logins import Logins, provision_database
from prawko_tenants.roles import ROLE_NAMES, Roles
from prawko_testing.fake_payments import FakePaymentProvider
from prawko_testing.fakes import withheld_licence
from support.applications import get_app, open_test_context
from support.database import fetch_rows, read_login_role
from support.orders import PAYMENT_VARIABLES, OrderScenario
from support.payments import latest_payment
from support.people import Person, deliver_outbox
from support.postgres_tools import POSTGRES_PROGRAMS
from support.processes import run_prawko

pytestmark = pytest.mark.anyio

OLD, NEW = (f"{name}:{base64.b64encode(name.encode() * 16).decode()}" for name in ("k1", "k2"))
WITHHELD, CELINAS = "AB000009", "AB000001"
OLDER_CLIENT = Path("/usr/lib/postgresql/15/bin/pg_dump").exists()
TABLES = """
    SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
       AND c.relkind IN ('r', 'p') ORDER BY 1
"""
# What a restore could lose beside the rows.
STRUCTURE = {
    "policies": """
        SELECT tablename || ' ' || policyname || ' ' || permissive || roles::text || cmd
            || coalesce(qual, '') || coalesce(with_check, '') FROM pg_policies""",
    "rights": """
        SELECT relname || ' ' || (SELECT string_agg(a::text, ',' ORDER BY a::text)
                                    FROM unnest(relacl) AS a)
          FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relacl IS NOT NULL""",
    "rights on columns": """
        SELECT attrelid::regclass || '.' || attname || ' '
            || (SELECT string_agg(a::text, ',' ORDER BY a::text) FROM unnest(attacl) AS a)
          FROM pg_attribute WHERE attacl IS NOT NULL AND attrelid > 16384""",
    "functions": """
        SELECT p.oid::regprocedure || p.prosecdef::text || coalesce(p.proconfig::text, '')
            || coalesce(p.proacl::text, '') || p.proowner::regrole || md5(p.prosrc)
          FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace""",
    "owners and row-level security": """
        SELECT relname || relowner::regrole || relrowsecurity || relforcerowsecurity
          FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r','p','v')""",
    "partitions": """
        SELECT i.inhrelid::regclass || ' ' || pg_get_expr(c.relpartbound, c.oid)
          FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE c.relkind = 'r'""",
    "indexes": "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "constraints": """
        SELECT conrelid::regclass || conname || pg_get_constraintdef(oid)
          FROM pg_constraint WHERE connamespace = 'public'::regnamespace""",
    "views": "SELECT viewname || definition FROM pg_views WHERE schemaname = 'public'",
    "sequences": "SELECT sequencename || coalesce(last_value, 0) FROM pg_sequences",
    "settings": """
        SELECT coalesce(setrole::regrole::text, '') || s.setconfig::text
          FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
         WHERE d.datname = current_database()""",
    "default rights": """
        SELECT defaclrole::regrole || defaclobjtype::text || defaclacl::text FROM pg_default_acl""",
    "schemas": "SELECT nspname || nspacl::text FROM pg_namespace WHERE nspname = 'public'",
    "connect": """
        SELECT r.rolname || has_database_privilege(r.oid, current_database(), 'CONNECT')::text
          FROM pg_roles r WHERE r.rolname LIKE '%prawko%'""",
    "roles": """
        SELECT rolname || rolsuper || rolinherit || rolbypassrls || rolcanlogin || rolreplication
          FROM pg_roles WHERE rolname LIKE 'prawko%'""",
}  # fmt: skip


async def describe(url: str) -> dict[str, object]:
    """Everything that must be the same after a restore."""
    connection = await asyncpg.connect(url)
    try:
        tables = [row[0] for row in await connection.fetch(TABLES)]
        return {
            "rows": {
                table: await connection.fetchval(f"SELECT count(*) FROM {table}")
                for table in tables
            },
            **{
                name: sorted(str(row[0]) for row in await connection.fetch(query))
                for name, query in STRUCTURE.items()
            },
        }
    finally:
        await connection.close()


def url_on(servers, database: str) -> str:
    return servers.urls.admin_url.replace("/postgres?", f"/{database}?")


def parse_logins(output: str) -> Logins:
    lines = (line.split("\t") for line in output.splitlines() if "\t" in line)
    return Logins(**dict(lines))


def dump_new_database(servers, run_db, name: str, folder: Path) -> Path:
    """Create a migrated database with logins of its own, and dump it into the folder."""
    created = provision_database(servers.urls.admin_url, database=name, prefix=name)
    upgrade_database(created.owner)
    file = folder / "dump"
    run_db("backup", str(file), BACKUP_DATABASE_URL=created.backup)
    return file


@pytest.fixture
def providers(fake) -> list[FakePaymentProvider]:
    return [fake]


@pytest.fixture
def variables(variables) -> dict[str, str]:
    return {**variables, **PAYMENT_VARIABLES, "ANSWER_KEYS": OLD}


@pytest.fixture
def open_restored(variables, register, mailbox, sms_inbox, clock, providers):
    """Opens the contexts of processes that use the restored database."""

    def open_context(logins: Logins, role: str, **changes: str):
        login = {"DATABASE_URL": getattr(logins, role), "PLANNER_DATABASE_URL": logins.planner}
        settings = {**variables, **login, "REGISTER_RATE": "100000", **changes}
        return open_test_context(settings, register, (mailbox, sms_inbox), clock, providers)

    return open_context


class Drill:
    """A database with what a restore must keep, its dump, and the database made of that."""

    def __init__(self, servers, other_servers, logins, run_db, file: Path) -> None:
        self._source = url_on(servers, logins.owner.rpartition("/")[2].partition("?")[0])
        self._target = url_on(other_servers, "restored")
        self._admin = {"ADMIN_DATABASE_URL": other_servers.urls.admin_url}
        self._run_db, self._file, self._backup_url = run_db, file, logins.backup

    async def restore(self) -> Logins:
        """Dump and restore, and compare all but what is ended."""
        self._run_db("backup", str(self._file), BACKUP_DATABASE_URL=self._backup_url)
        assert self._file.stat().st_mode & 0o777 == 0o600
        before = await describe(self._source)
        output = self._run_db("restore", str(self._file), "restored", **self._admin)
        after = await describe(self._target)

        assert "1 payments open" in output
        assert re.search(r"last invoice: FV/\d{4}/000001$", output, re.MULTILINE)
        codes = before["rows"].pop("one_time_code")
        assert (codes > 0, after["rows"].pop("one_time_code")) == (True, 0)
        assert (before["rows"].pop("heartbeat"), after["rows"].pop("heartbeat")) == (1, 0)
        for name in ("settings", "connect"):  # the test's database is a copy of a template
            del before[name]
            assert after.pop(name)
        assert after == before
        connection = await asyncpg.connect(self._target)
        assert await audit_catalog(connection, Roles()) == []
        await connection.close()
        return parse_logins(output)

    def continue_after(self, number: str) -> str:
        """Say which invoice was the last; returns what is printed."""
        arguments = ("after-restore", "restored", "--last-invoice", number)
        return self._run_db(*arguments, **self._admin)


def next_numbers(number: str) -> set[str]:
    """The invoice number that follows, and the one that does in the next year."""
    year, count = map(int, number.split("/")[1:])
    return {f"FV/{year}/{count + 1:06}", f"FV/{year + 1}/000001"}


@pytest.fixture
async def drill(
    servers, other_servers, logins, worker, anna, celina, fake, run_daily_check, register,
    run_db, tmp_path,
) -> Drill:  # fmt: skip
    """Two companies with a paid and an open order, answers, notices, invoices and sessions."""
    register.answers[WITHHELD] = withheld_licence(WITHHELD)
    async with worker.database.system() as session:
        await record_heartbeat(session, HeartbeatKind.WORKER)  # none that fell silent afterwards
    scenario = OrderScenario(worker, logins, fake)
    await scenario.buy(anna, 10)
    await anna.add_driver(WITHHELD)
    await celina.add_driver(CELINAS)
    await run_daily_check()
    await scenario.place_order(celina, 5)
    await anna.post("/api/forgot-password", {"email": anna.email})
    return Drill(servers, other_servers, logins, run_db, tmp_path / "prawko.dump")


async def test_the_product_goes_on_with_a_restored_database(
    drill, logins, anna, celina, fake, mailbox, clock, browser_for_app, open_restored
) -> None:
    sent = len(mailbox.messages_to(anna.email))
    [issued] = [invoice["number"] for invoice in (await anna.get("/api/invoices")).json()]
    restored = await drill.restore()

    async with open_restored(restored, "app") as panel, open_restored(restored, "worker") as again:
        # Sessions and links have ended, passwords have not; each sees its own.
        app = get_app(panel, create_app)
        old = Person(anna.email, browser_for_app(app))
        old.browser.cookies = anna.browser.cookies
        assert (await old.get("/api/drivers")).status_code == 401
        people = {}
        for person, number in ((anna, WITHHELD), (celina, CELINAS)):
            people[person.email] = Person(person.email, browser_for_app(app))
            await people[person.email].sign_in()
            [driver] = await people[person.email].list_drivers()
            assert driver["licenseNumber"] == number

        # What was sent before the backup is not sent again, nor is a notice published twice.
        await deliver_outbox(again)
        await daily_check(again, create_renderer_registry(again))
        assert len(mailbox.messages_to(anna.email)) == sent
        clock.forward(days=1)
        report = await daily_check(again, create_renderer_registry(again))
        assert (report.done, report.unresolved, report.notices) == (2, 0, 0)

        # A payment that was made after the backup is found by asking, once.
        [order] = await fetch_rows(logins, "SELECT id FROM subscription_order WHERE state = 'open'")
        await fake.pay(await latest_payment(logins, order["id"]))
        for _ in range(2):
            await poll_due(again)
            clock.forward(hours=1)
        numbers = []
        for person in (anna, celina):
            [invoice] = (await people[person.email].get("/api/invoices")).json()
            numbers.append(invoice["number"])
        assert numbers[0] == issued
        assert numbers[1] in next_numbers(issued)

    # Numbers that were issued after the backup are never issued again.
    assert "last invoice: FV/2026/000041" in drill.continue_after("FV/2026/000041")
    output = drill.continue_after("FV/2026/000007")
    assert "0 sessions ended" in output
    assert "last invoice: FV/2026/000041" in output

    # The keys of the answers: rotated on the restored database; without one its answers are lost.
    async with open_restored(restored, "worker", ANSWER_KEYS=f"{NEW},{OLD}") as context:
        moved, lost = await reencrypt_answers(context)
        assert (moved > 0, lost) == (True, 0)
    async with open_restored(restored, "worker", ANSWER_KEYS=NEW) as context:
        assert await reencrypt_answers(context) == (0, 0)
    async with open_restored(restored, "worker", ANSWER_KEYS=OLD) as context:
        assert await reencrypt_answers(context) == (0, moved)


async def test_a_lost_secret_key_ends_no_account(
    servers, logins, worker, anna, open_restored, browser_for_app
) -> None:
    await anna.add_driver("AB000001")
    secret = base64.urlsafe_b64encode(hashlib.sha256(b"another key").digest()).decode()

    async with open_restored(logins, "app", SECRET_KEY=secret) as panel:
        person = Person(anna.email, browser_for_app(get_app(panel, create_app)))
        await person.sign_in()
        assert len(await person.list_drivers()) == 1


async def test_a_restore_refuses_what_is_there_and_what_is_no_dump(
    other_servers, logins, run_db, tmp_path
) -> None:
    file = tmp_path / "prawko.dump"
    run_db("backup", str(file), BACKUP_DATABASE_URL=logins.backup)
    other = tmp_path / "other"
    other.write_text("no dump")
    variables = {
        "ADMIN_DATABASE_URL": other_servers.urls.admin_url,
        "POSTGRES_PROGRAMS": str(POSTGRES_PROGRAMS),
    }
    # The restored database of the test above has the logins of this prefix.
    run_prawko("db", "provision", "restored", **variables)

    refused = run_prawko("db", "restore", str(other), "restored", **variables)
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert "pg_restore failed" in refused.stderr
    refused = run_prawko("db", "restore", str(file), "elsewhere", **variables)
    assert "belong to the database restored" in refused.stderr
    connection = await asyncpg.connect(url_on(other_servers, "restored"))
    await connection.execute("CREATE TABLE IF NOT EXISTS there (id int)")
    await connection.close()
    refused = run_prawko("db", "restore", str(file), "restored", **variables)
    assert refused.stderr == ("the database restored is not empty: name another one, or drop it\n")


def test_a_database_is_restored_with_the_passwords_of_the_secrets(
    servers, other_servers, run_db, tmp_path
) -> None:
    """As with containers, whose product has no program of PostgreSQL's."""
    file = dump_new_database(servers, run_db, "contained", tmp_path)
    admin = other_servers.urls.admin_url
    host = admin.partition("?")[2]
    secrets = {"ADMIN_DATABASE_URL": admin} | {
        f"{name.upper()}_DATABASE_URL": f"postgresql://contained_{name}:kept@/contained?{host}"
        for name in ROLE_NAMES
    }

    run_db("provision", "contained", "--prefix=contained", ADMIN_DATABASE_URL=admin)
    subprocess.run(
        [POSTGRES_PROGRAMS / "pg_restore", "--exit-on-error", file,
         f"--dbname={url_on(other_servers, 'contained')}"],
        check=True,
    )  # fmt: skip
    assert run_db("prepare", **secrets) == "the database contained is ready\n"
    assert "0 messages pending" in run_db("after-restore", "contained", ADMIN_DATABASE_URL=admin)

    restored, expected = (
        asyncio.run(describe(url_on(server, "contained"))) for server in (other_servers, servers)
    )
    assert restored == expected
    assert asyncio.run(read_login_role(secrets["APP_DATABASE_URL"])) == "contained_app"


@pytest.mark.parametrize(
    ("programs", "login", "reason"),
    [
        pytest.param(
            "/usr/bin",
            "backup",
            "pg_dump failed: pg_dump: error: aborting because of server",
            marks=pytest.mark.skipif(not OLDER_CLIENT, reason="no older client is installed"),
        ),
        ("/nowhere", "backup", "pg_dump was not found: install PostgreSQL's client"),
        (str(POSTGRES_PROGRAMS), "owner", "pg_dump failed: pg_dump: error: query failed: ERROR:"),
    ],
    ids=["older programs", "no programs", "a login that sees nothing"],
)
async def test_a_failed_backup_leaves_no_file_and_one_line(
    logins, worker, anna, tmp_path, programs, login, reason
) -> None:
    file = tmp_path / "prawko.dump"

    failed = run_prawko(
        "db", "backup", str(file),
        BACKUP_DATABASE_URL=getattr(logins, login), POSTGRES_PROGRAMS=programs,
    )  # fmt: skip

    assert (failed.returncode, failed.stderr.count("\n")) == (1, 1)
    assert failed.stderr.startswith(reason), failed.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_isolation_matrix_passes_on_a_restored_database(
    servers, other_servers, run_db, tmp_path
) -> None:
    file = dump_new_database(servers, run_db, "isolated", tmp_path)
    admin = other_servers.urls.admin_url
    output = run_db("restore", str(file), "isolated", ADMIN_DATABASE_URL=admin)
    restored = dataclasses.asdict(parse_logins(output))

    matrix = subprocess.run(
        [
            sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-n0",
            "tests/tenancy/test_matrix.py", "tests/tenancy/test_rights.py",
            "tests/tenancy/test_sessions.py", "-k", "not binding or foreign or unset",
        ],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "RESTORED_LOGINS": json.dumps({"prefix": "isolated", **restored})},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip

    assert matrix.returncode == 0, matrix.stdout[-3000:]
    assert set(restored) == set(ROLE_NAMES)
