"""Errors at the start, and commands that print or create something."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from prawko.cli.main import main
from prawko.incidents.service import close_incident, open_incident
from support.database import fetch_rows
from support.processes import run_prawko

PRAWKO = Path(sys.executable).parent / "prawko"


GOOD = {
    "DATABASE_URL": "postgresql://somebody@127.0.0.1:9/none",
    "REDIS_URL": "redis://127.0.0.1:9",
    "SECRET_KEY": "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=",
}


OPERATOR = {
    "SELLER_NAME": "Prawko Sp. z o.o.",
    "SELLER_TAX_ID": "5260250274",
    "SELLER_STREET": "Prosta 1",
    "SELLER_POSTAL_CODE": "00-950",
    "SELLER_CITY": "Warszawa",
    "OPERATOR_KRS": "0000123456",
    "OPERATOR_REGISTER_COURT": "Sąd Rejonowy w Warszawie",
    "OPERATOR_SHARE_CAPITAL": "5000",
    "OPERATOR_CONTACT_EMAIL": "kontakt@prawko.test",
}


@pytest.mark.parametrize(
    ("command", "missing"), [*zip(("serve", "worker", "daily-check"), GOOD, strict=True)]
)
def test_an_error_names_the_missing_variable(command, missing) -> None:
    result = run_prawko(command, **{name: value for name, value in GOOD.items() if name != missing})

    assert result.returncode == 2
    assert result.stderr == f"prawko: {missing} is missing\n"


def test_the_panel_does_not_start_without_the_operators_details() -> None:
    given = {name: OPERATOR[name] for name in OPERATOR if not name.startswith("OPERATOR")}

    result = run_prawko("serve", **GOOD, **given, FRONTEND_DIR="none")

    assert result.returncode == 2
    assert result.stderr == (
        "prawko: OPERATOR_KRS, OPERATOR_REGISTER_COURT, OPERATOR_SHARE_CAPITAL,"
        " OPERATOR_CONTACT_EMAIL are missing (the terms name the operator's details)\n"
    )


def test_an_error_names_the_missing_frontend() -> None:
    result = run_prawko("serve", **GOOD, **OPERATOR, FRONTEND_DIR="/nowhere")

    assert result.returncode == 2
    assert result.stderr.startswith("prawko: FRONTEND_DIR names /nowhere")


def test_a_register_that_is_not_configured_stops_the_start() -> None:
    result = run_prawko("worker", **GOOD)

    assert result.returncode == 2
    assert result.stderr == "prawko: REGISTER names 'upki'; configured registers: none\n"


@pytest.mark.parametrize("command", ["serve", "console"])
def test_a_server_checks_its_plugins_once_before_it_starts_processes(command) -> None:
    result = run_prawko(
        command, **GOOD, **OPERATOR, PORT="0", FRONTEND_DIR="none", CONSOLE_DIR="none"
    )

    assert result.returncode == 2
    assert result.stderr == "prawko: REGISTER names 'upki'; configured registers: none\n"


def test_a_half_configured_plugin_stops_the_start() -> None:
    result = run_prawko("plugins", REGISTER_UPKI_URL="https://127.0.0.1:1")

    assert result.returncode == 2
    assert result.stderr.startswith("prawko: REGISTER_UPKI_")


def test_the_plugins_are_listed() -> None:
    result = subprocess.run(
        [PRAWKO, "plugins"], env={}, capture_output=True, text=True, check=False
    )

    assert result.returncode == 0
    assert (
        "channel-sendgrid, channel-smsapi, channel-smtp, invoices-ksef, payments-przelewy24,"
        " payments-stripe, payments-transfer, register-public, register-upki" in result.stdout
    )
    assert "none configured" in result.stdout


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
            lambda: run_prawko("admin", "sign-out", email, **{**variables, **owner})
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

    listed = await incidents()
    async with worker.database.system() as session:
        await open_incident(session, **refused, detail="535 bad password")
    failed = await incidents()
    async with worker.database.system() as session:
        await close_incident(session, **refused)
    after_end, everything = await incidents(), await incidents("--all")

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
