"""Every command is declared: it reads, or it acts and leaves a row in the log of acts."""

import asyncio
import io
import os
import pwd
from collections.abc import Iterator
from functools import partial
from uuid import UUID

import click
import pyotp
import pytest
from sqlalchemy import text

from prawko.apps.cli.main import main, prawko
from prawko.apps.composition_root import create_context
from prawko.hooks.payments import Money
from prawko_testing.fake_payments import FakePaymentProvider, payment_plugin
from prawko_testing.fakes import FakeRegister, RecordingChannel, fake_plugin
from support.database import execute_as_owner, fetch_rows
from support.people import PASSWORD

pytestmark = pytest.mark.anyio

REASON = ("--reason", "a call of the customer")
DAY = "2026-11-23"
DISCREPANCY = "01890a5d-ac96-774b-bcce-b302099a8057"
ADD_REVIEW = f"""
    INSERT INTO check_run (id, day, planned_at, state, review_state, planned, quarantined)
    VALUES (gen_random_uuid(), '{DAY}', now(), 'running', 'pending', 0, 0)
"""
ADD_DISCREPANCY = f"""
    INSERT INTO payment_discrepancy
           (id, kind, provider, reference, provider_ref, grosze, currency, detail, detected_at)
    VALUES ('{DISCREPANCY}', 'unknown_payment', 'fake', 'x', '', 100, 'PLN', 'x', now())
"""
RESOLVED = "SELECT 1 FROM payment_discrepancy WHERE resolved_at IS NOT NULL"
LOG = """
    SELECT a.action_type, a.reason, a.agent, a.ip, a.admin_digest IS NULL AS is_anonymous, u.email
      FROM admin_action a LEFT JOIN user_account u ON u.id = a.admin_id ORDER BY a.sequence
"""
# Their transactions are read-only, or they read no database at all.
READING = {
    "company find", "mass-change list", "incidents", "deliveries list", "status", "doctor",
    "payments list", "support list", "db status", "plugins", "plugins hooks", "plugins new",
    "plugins try", "variables", "openapi", "roles",
}  # fmt: skip
# The action that each records.
ACTING = {
    "admin create": "operator_made", "admin remove": "operator_removed",
    "admin sign-out": "sessions_revoked",
    "admin second-factor-off": "second_factor_disabled", "company export": "company_exported",
    "company log": "history_viewed", "company erase": "company_erased",
    "daily-check": "check_started", "mass-change approve": "review_approved",
    "mass-change reject": "review_rejected", "answers reencrypt": "answers_reencrypted",
    "deliveries retry": "deliveries_retried", "payments resolve": "discrepancy_resolved",
    "payments refund": "refund_requested", "invoices export": "invoices_exported",
}  # fmt: skip
# The processes themselves, whose acts are people's, and the database as a whole: with the login of
# its superuser or owner, before the log exists or from outside of it.
PROCESSES = {"serve", "console", "worker", "demo"}
DATABASE = {
    "db provision", "db rotate", "db migrate", "db prepare", "db backup", "db restore",
    "db after-restore",
}  # fmt: skip


def find_commands(command: click.Command = prawko, *path: str) -> Iterator[tuple[str, set[str]]]:
    """Yield each command that does something by itself, with the names of its options."""
    if isinstance(command, click.Group):
        for name, child in command.commands.items():
            yield from find_commands(child, *path, name)
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield " ".join(path), {text for one in command.params for text in one.opts}


COMMANDS = dict(find_commands())


def test_every_command_is_declared() -> None:
    declared = [READING, set(ACTING), PROCESSES, DATABASE]

    assert set(COMMANDS) == set().union(*declared)
    assert sum(map(len, declared)) == len(COMMANDS)


def test_a_command_that_acts_can_name_its_operator_and_a_reason() -> None:
    naming = {name for name, options in COMMANDS.items() if {"--as", "--reason"} <= options}

    assert naming == set(ACTING)


@pytest.fixture
async def run_command(variables, logins, monkeypatch, capsys):
    """Run a command as operators do; return its exit code and what it printed."""
    provider = FakePaymentProvider()
    provider.refunds[UUID(DISCREPANCY).hex] = ("x", Money(100))  # which makes it again
    fakes = {
        "fakes": fake_plugin(FakeRegister(), RecordingChannel()),
        "payments": payment_plugin(provider),
    }
    monkeypatch.setattr(
        "prawko.apps.cli.context.create_context", partial(create_context, extra_plugins=fakes)
    )
    # Signals are the main thread's.
    monkeypatch.setattr("asyncio.SelectorEventLoop.add_signal_handler", lambda *_: None)
    environment = {
        **variables, "OWNER_DATABASE_URL": logins.owner, "DATABASE_URL": logins.worker,
        "PLANNER_DATABASE_URL": logins.planner,
    }  # fmt: skip
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    async def run(*arguments: str) -> tuple[int, str]:
        capsys.readouterr()
        code = await asyncio.to_thread(main, [*arguments])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return run


@pytest.fixture
async def prepare(anna, worker, logins, tmp_path, monkeypatch):
    """Return a function that prepares what a command acts on, and returns its arguments."""
    company = str(await anna.tenant_id(worker))

    async def prepare_arguments(command: str) -> list[str]:
        if command == "admin create":
            monkeypatch.setattr("sys.stdin", io.StringIO("Nowe0haslo\n"))
            return ["ola@prawko.test"]
        if command == "admin remove":
            await execute_as_owner(logins, "UPDATE user_account SET is_admin = true")
        if command == "admin second-factor-off":
            answer = await anna.post("/api/user/second-factor", {"password": PASSWORD})
            code = {"code": pyotp.TOTP(answer.json()["secret"]).now()}
            await anna.post("/api/user/second-factor/confirm", code)
        if command.startswith("mass-change"):
            await execute_as_owner(logins, ADD_REVIEW)
        if command.startswith("payments"):
            await execute_as_owner(logins, ADD_DISCREPANCY)
        return {
            "admin remove": [anna.email],
            "admin sign-out": [anna.email],
            "admin second-factor-off": [anna.email],
            "company export": [company, str(tmp_path / "company.zip")],
            "company log": [company],
            "company erase": [company, "--yes"],
            "mass-change approve": [DAY],
            "mass-change reject": [DAY],
            "deliveries retry": ["--waiting"],
            "payments resolve": [DISCREPANCY, "--note", "paid back"],
            "payments refund": [DISCREPANCY, "1.00"],
            "invoices export": [str(tmp_path / "invoices")],
        }.get(command, [])

    return prepare_arguments


@pytest.mark.parametrize("command", ACTING)
async def test_what_a_command_does_is_an_act_of_its_operator(
    command, prepare, run_command, olga, logins
) -> None:
    arguments = await prepare(command)

    code, printed = await run_command(
        *command.split(), *arguments, "--as", olga.email.upper(), *REASON
    )

    assert code == 0, printed
    [row] = await fetch_rows(logins, LOG)
    assert (row["action_type"], row["email"], row["reason"]) == (
        ACTING[command], olga.email, REASON[1],
    )  # fmt: skip
    assert (row["ip"], row["agent"]) == ("", f"prawko {command} ({system_user()})")


def system_user() -> str:
    return pwd.getpwuid(os.getuid()).pw_name


async def test_a_command_without_an_account_acts_as_the_system_user(
    prepare, run_command, olga, logins, monkeypatch
) -> None:
    monkeypatch.setenv("USER", "somebody else")
    monkeypatch.setenv("LOGNAME", "somebody else")
    arguments = await prepare("payments resolve")
    assert (await run_command("payments", "resolve", *arguments))[0] == 0

    [row] = await fetch_rows(logins, LOG)
    assert (row["email"], row["is_anonymous"], row["reason"]) == (None, True, "paid back")
    [listed] = (await olga.get("/api/admin/actions")).json()
    assert listed["adminEmail"] is None
    assert listed["command"] == f"prawko payments resolve ({system_user()})"
    assert (await olga.get("/api/admin/actions/verification")).json()["brokenAt"] is None


async def test_a_setting_refuses_acts_without_an_account(
    prepare, run_command, olga, anna, logins, monkeypatch
) -> None:
    monkeypatch.setenv("REQUIRE_NAMED_OPERATOR", "1")
    arguments = await prepare("payments resolve")

    nameless = await run_command("payments", "resolve", *arguments)
    stranger = await run_command("payments", "resolve", *arguments, "--as", anna.email)

    assert nameless == (1, "name the operator who acts: --as EMAIL\n")
    assert stranger == (1, f"no operator has the address {anna.email}\n")
    assert await fetch_rows(logins, LOG) == []
    assert await fetch_rows(logins, RESOLVED) == []


async def test_the_first_operator_has_no_actor(prepare, run_command, monkeypatch) -> None:
    monkeypatch.setenv("REQUIRE_NAMED_OPERATOR", "1")
    assert (await run_command("admin", "create", *await prepare("admin create")))[0] == 0

    again = await run_command("admin", "create", *await prepare("admin create"))

    assert again == (1, "name the operator who acts: --as EMAIL\n")


async def test_who_is_removed_is_signed_out_and_no_operator(
    prepare, run_command, olga, anna, logins
) -> None:
    arguments = await prepare("admin remove")

    assert (await run_command("admin", "remove", *arguments))[0] == 0
    again = await run_command("admin", "remove", *arguments)
    last = await run_command("admin", "remove", olga.email)

    assert again == (1, f"{anna.email} is no operator\n")
    assert last == (1, f"{olga.email} is the last operator: make another one first\n")
    assert (await anna.get("/api/user")).status_code == 401
    assert (await olga.get("/api/admin/stats")).status_code == 200
    await anna.sign_in()  # with the password of before
    assert (await anna.get("/api/admin/stats")).status_code == 403


async def test_an_act_without_a_reason_does_not_happen(prepare, run_command, logins) -> None:
    arguments = await prepare("company erase")

    assert await run_command("company", "erase", *arguments) == (1, "say why: --reason TEXT\n")

    assert await fetch_rows(logins, LOG) == []
    assert len(await fetch_rows(logins, "SELECT 1 FROM tenant")) == 1


async def test_an_export_that_did_not_happen_leaves_no_file(prepare, run_command, tmp_path) -> None:
    arguments = await prepare("company export")

    assert await run_command("company", "export", *arguments) == (1, "say why: --reason TEXT\n")

    assert list(tmp_path.glob("*.zip")) == []


async def test_a_command_that_reads_cannot_write(run_command, logins, monkeypatch) -> None:
    async def write(session, **_: object) -> list[object]:
        await session.execute(text("DELETE FROM payment_discrepancy"))
        return []

    monkeypatch.setattr("prawko.apps.cli.payments.list_discrepancies", write)

    await execute_as_owner(logins, ADD_DISCREPANCY)

    # PostgreSQL refuses: `read_only_sql_transaction`.
    assert await run_command("payments", "list") == (
        2, "prawko: PostgreSQL does not serve this command (25006)\n",
    )  # fmt: skip
    assert len(await fetch_rows(logins, "SELECT 1 FROM payment_discrepancy")) == 1
