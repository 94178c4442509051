"""Runs commands as operators do on a server."""

import asyncio

import pytest

from prawko.apps.cli.main import main

REGISTER_AND_MAIL = {
    "REGISTER": "public", "REGISTER_PUBLIC_URL": "http://127.0.0.1:9", "MAIL_CHANNEL": "smtp",
    "CHANNEL_SMTP_HOST": "127.0.0.1", "CHANNEL_SMTP_TLS": "none",
    "CHANNEL_SMTP_SENDER": "prawko@prawko.test",
    "CHANNEL_SMTP_USERNAME": "prawko", "CHANNEL_SMTP_PASSWORD": "hunter2-of-smtp",
}  # fmt: skip


@pytest.fixture
def run_command(variables, logins, monkeypatch, capsys):
    """Run a command with a worker's variables; returns its exit code, output and errors."""
    environment = {
        **variables, **REGISTER_AND_MAIL, "REQUIRE_REASONS": "0",
        "OWNER_DATABASE_URL": logins.owner,
        "DATABASE_URL": logins.worker, "PLANNER_DATABASE_URL": logins.planner,
    }  # fmt: skip
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    async def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = await asyncio.to_thread(main, [*arguments])
        return code, *capsys.readouterr()

    return run
