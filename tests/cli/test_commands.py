"""Errors at the start, and commands that print or create something."""

import asyncio
import json
import subprocess

import pytest

from prawko.apps.cli.main import main
from prawko.kit.incidents.heartbeats import HeartbeatKind, record_heartbeat
from prawko.kit.incidents.service import close_incident, open_incident
from support.database import fetch_rows
from support.operator_details import OPERATOR
from support.processes import PRAWKO, run_prawko

GOOD = {
    "DATABASE_URL": "postgresql://somebody@127.0.0.1:9/none",
    "REDIS_URL": "redis://127.0.0.1:9",
    "SECRET_KEY": "hR2lq0TjZb6cW9sXn4vKp1yDfGm3uEoAiB7tJ5wL8Qk=",
}


REGISTER = {
    "REGISTER": "public", "REGISTER_PUBLIC_URL": "http://127.0.0.1:9",
    "CHANNEL_SMTP_HOST": "127.0.0.1", "CHANNEL_SMTP_TLS": "none",
    "CHANNEL_SMTP_SENDER": "prawko@prawko.test",
}  # fmt: skip
UNCONFIGURED = (
    "prawko: REGISTER names 'upki'; configured registers: none\n"
    "prawko: MAIL_CHANNEL names 'smtp'; configured: none\n"
)
CONSOLE = {**REGISTER, "CONSOLE_DIR": "none", "PORT": "0"}


@pytest.mark.parametrize(
    ("command", "missing"), [*zip(("console", "worker", "daily-check"), GOOD, strict=True)]
)
def test_an_error_names_the_missing_variable(command, missing) -> None:
    given = {**GOOD, **CONSOLE, "PLANNER_DATABASE_URL": GOOD["DATABASE_URL"]}

    result = run_prawko(command, **{name: given[name] for name in given if name != missing})

    assert result.returncode == 2
    assert result.stderr == f"prawko: {missing} is missing\n"


def test_a_server_names_everything_that_is_missing_or_wrong_each_in_a_line() -> None:
    result = run_prawko(
        "serve", SECRET_KEY="0" * 44, REGISTER_UPKI_URL="https://127.0.0.1:1/", PORT="many",
        CHANNEL_SMTP_TLS="some", FRONTEND_DIR="/nowhere",
    )  # fmt: skip

    assert result.returncode == 2
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert all(line.startswith("prawko: ") for line in lines)
    named = [line.split(" ")[1] for line in lines]
    assert sorted(named) == sorted([
        "DATABASE_URL", "REDIS_URL", "SECRET_KEY", "PORT", "FRONTEND_DIR", *OPERATOR,
        "REGISTER_UPKI_P12", "REGISTER_UPKI_P12_PASSWORD", "CHANNEL_SMTP_HOST",
        "CHANNEL_SMTP_SENDER", "CHANNEL_SMTP_TLS",
    ])  # fmt: skip


def test_a_worker_needs_the_planners_login() -> None:
    result = run_prawko("worker", **GOOD, **REGISTER)

    assert result.returncode == 2
    assert result.stderr == (
        "prawko: PLANNER_DATABASE_URL is missing (a worker plans the daily check)\n"
    )


def test_the_panel_does_not_start_without_the_operators_details() -> None:
    given = {name: OPERATOR[name] for name in OPERATOR if not name.startswith("OPERATOR")}

    result = run_prawko("serve", **GOOD, **REGISTER, **given, FRONTEND_DIR="none", PORT="0")

    assert result.returncode == 2
    assert result.stderr == "".join(
        f"prawko: {name} is missing (the terms name the operator's details)\n"
        for name in OPERATOR
        if name not in given
    )


def test_an_error_names_a_malformed_variable_once() -> None:
    given = {**OPERATOR, "OPERATOR_SHARE_CAPITAL": "5000 zł"}

    result = run_prawko("serve", **GOOD, **REGISTER, **given, FRONTEND_DIR="none", PORT="0")

    assert result.returncode == 2
    [line] = result.stderr.splitlines()
    assert line.startswith("prawko: OPERATOR_SHARE_CAPITAL is malformed: ")


def test_an_error_names_the_missing_frontend() -> None:
    result = run_prawko("serve", **GOOD, **OPERATOR, FRONTEND_DIR="/nowhere")

    assert result.returncode == 2
    assert result.stderr.startswith("prawko: FRONTEND_DIR names /nowhere")


def test_a_register_that_is_not_configured_stops_the_start() -> None:
    result = run_prawko("daily-check", **GOOD)

    assert result.returncode == 2
    assert result.stderr == UNCONFIGURED


@pytest.mark.parametrize("command", ["serve", "console"])
def test_a_server_checks_its_plugins_once_before_it_starts_processes(command) -> None:
    result = run_prawko(
        command, **GOOD, **OPERATOR, PORT="0", FRONTEND_DIR="none", CONSOLE_DIR="none"
    )

    assert result.returncode == 2
    assert result.stderr == UNCONFIGURED


def test_a_half_configured_plugin_stops_the_start() -> None:
    result = run_prawko("status", **GOOD, REGISTER_UPKI_URL="https://127.0.0.1:1")

    assert result.returncode == 2
    assert result.stderr.startswith("prawko: REGISTER_UPKI_")


def test_the_plugins_are_listed_also_without_any_setting() -> None:
    result = subprocess.run(
        [PRAWKO, "plugins"], env={}, capture_output=True, text=True, check=False
    )

    assert result.returncode == 2, "no process starts without settings"
    states = dict(line.split()[1::-1] for line in result.stdout.splitlines() if line[0] != " ")
    assert states == {
        "channel-sendgrid": "unset", "channel-smsapi": "unset", "channel-smtp": "unset",
        "channel-webpush": "unset",
        "invoices-ksef": "ok", "payments-przelewy24": "unset", "payments-stripe": "unset",
        "payments-transfer": "unset", "register-public": "unset", "register-upki": "unset",
        "settings": "fail",
    }  # fmt: skip


def test_the_document_is_printed() -> None:
    result = run_prawko("openapi")

    assert json.loads(result.stdout)["info"]["title"] == "Prawko"


def test_an_operator_is_created_with_the_owners_login_only(logins, variables) -> None:
    panel_variables = {**variables, "REGISTER": "public", "REGISTER_PUBLIC_URL": "http://127.0.0.1:9",
           "MAIL_CHANNEL": "smtp", "CHANNEL_SMTP_HOST": "127.0.0.1", "CHANNEL_SMTP_TLS": "none",
           "CHANNEL_SMTP_SENDER": "prawko@prawko.test"}  # fmt: skip

    refused = run_prawko("admin", "create", "ola@prawko.test", stdin="Nowe0haslo\n",
                      **panel_variables, OWNER_DATABASE_URL=logins.app)  # fmt: skip
    result = run_prawko("admin", "create", "ola@prawko.test", stdin="Nowe0haslo\n",
                      **panel_variables, OWNER_DATABASE_URL=logins.owner)  # fmt: skip

    assert refused.returncode != 0
    assert result.returncode == 0, result.stderr
    assert result.stdout == "ola@prawko.test is an operator\n"
    rows = asyncio.run(fetch_rows(logins, "SELECT email FROM user_account WHERE is_admin"))
    assert rows == [{"email": "ola@prawko.test"}]
    common = run_prawko("admin", "create", "ola@prawko.test", stdin="Haslo123\n",
                    **panel_variables, OWNER_DATABASE_URL=logins.owner)  # fmt: skip
    assert (common.returncode, common.stderr) == (
        1,
        "This password is too common. Choose another one.\n",
    )


@pytest.mark.anyio
async def test_an_operator_ends_all_sessions_of_a_person(anna, celina, logins, variables) -> None:
    owner = {
        "REGISTER": "public", "REGISTER_PUBLIC_URL": "http://127.0.0.1:9", "MAIL_CHANNEL": "smtp",
        "CHANNEL_SMTP_HOST": "127.0.0.1", "CHANNEL_SMTP_TLS": "none",
        "CHANNEL_SMTP_SENDER": "prawko@prawko.test", "OWNER_DATABASE_URL": logins.owner,
    }  # fmt: skip

    async def sign_out(email: str):
        return await asyncio.to_thread(
            lambda: run_prawko(
                "admin", "sign-out", email, "--reason", "a lost phone", **{**variables, **owner}
            )
        )

    result = await sign_out("Anna@acme.test")
    unknown = await sign_out("nikt@acme.test")

    assert (result.returncode, result.stdout) == (0, "Anna@acme.test: 1 session(s) ended\n")
    assert (unknown.returncode, unknown.stderr) == (1, "nobody signs in as nikt@acme.test\n")
    assert (await anna.get("/api/user")).status_code == 401
    assert (await celina.get("/api/user")).status_code == 200


@pytest.mark.anyio
async def test_incidents_are_listed(worker, logins, variables) -> None:
    incident_variables = {
        **variables, "REGISTER": "public", "REGISTER_PUBLIC_URL": "http://127.0.0.1:9",
        "MAIL_CHANNEL": "smtp", "CHANNEL_SMTP_HOST": "127.0.0.1", "CHANNEL_SMTP_TLS": "none",
        "CHANNEL_SMTP_SENDER": "prawko@prawko.test", "DATABASE_URL": logins.worker,
    }  # fmt: skip
    refused = {"kind": "channel_refused", "key": "smtp", "now": worker.clock.now()}

    async def incidents(*options: str):
        return await asyncio.to_thread(
            lambda: run_prawko("incidents", *options, **incident_variables)
        )

    unwatched = await incidents()
    async with worker.database.system() as session:
        for kind in (HeartbeatKind.WORKER, HeartbeatKind.MONITORING):
            await record_heartbeat(session, kind)
    listed = await incidents()
    async with worker.database.system() as session:
        await open_incident(session, **refused, detail="535 bad password")
    failed = await incidents()
    async with worker.database.system() as session:
        await close_incident(session, **refused)
    after_end, everything = await incidents(), await incidents("--all")

    assert (unwatched.returncode, unwatched.stdout) == (2, "")
    assert unwatched.stderr.startswith("monitoring has stopped: ")
    assert (listed.returncode, listed.stdout) == (0, "")
    assert failed.returncode == 1, failed.stderr
    assert failed.stdout.endswith("Z  unsent  channel_refused smtp: 535 bad password\n")
    assert (after_end.returncode, after_end.stdout) == (0, "")
    assert everything.returncode == 0
    assert "Z  closed  channel_refused smtp: " in everything.stdout


def test_no_command_is_an_error(capsys) -> None:
    assert main([]) == 2
    assert "COMMAND" in capsys.readouterr().err


def test_a_mistyped_argument_is_named(capsys) -> None:
    assert main(["mass-change", "approve", "tomorrow"]) == 2
    assert "'tomorrow' does not match the format" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    ["incidents", "status", "deliveries list", "db after-restore", "db prepare", "db rotate app"],
)
@pytest.mark.parametrize(
    ("host", "reason"), [("127.0.0.1:9", "ConnectionRefusedError"), ("host.invalid", "gaierror")]
)
def test_a_database_that_is_away_is_one_line(command, host, reason) -> None:
    names = ("ADMIN", "OWNER", "APP", "WORKER", "PLANNER", "OPERATOR", "BACKUP")
    urls = {
        f"{name}_DATABASE_URL": f"postgresql://prawko_{name.lower()}:secret@{host}/prawko"
        for name in names
    }

    result = run_prawko(
        *command.split(),
        **{**GOOD, **REGISTER, **urls, "DATABASE_URL": urls["WORKER_DATABASE_URL"]},
    )

    assert result.returncode == 2
    assert result.stderr == f"prawko: PostgreSQL does not serve this command ({reason})\n"
    assert result.stdout == ""


@pytest.mark.anyio
@pytest.mark.parametrize("decision", ["approve", "reject"])
async def test_a_day_without_a_mass_change_is_no_success(logins, variables, decision) -> None:
    given = {**variables, **REGISTER, "MAIL_CHANNEL": "smtp", "DATABASE_URL": logins.worker}

    result = await asyncio.to_thread(
        lambda: run_prawko("mass-change", decision, "2026-11-23", **given)
    )

    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == "no mass change of 2026-11-23 awaits a review\n"
