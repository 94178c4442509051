"""`prawko`: serve, work, migrate, and the operators' commands."""

import os
import re
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from prawko.apps.cli import (
    admin,
    checks,
    company,
    database,
    deliveries,
    doctor,
    invoices,
    payments,
    plugins,
    processes,
    reference,
    status,
    support,
)
from prawko.apps.cli.context import INTERRUPTED, CommandError
from prawko.hooks.environment import SettingsError
from prawko.kit.clock import ClockDiffersError
from prawko.kit.process_protection import hide_process
from prawko.kit.providers.registry import PluginError
from prawko.kit.startup_checks import REFUSED, SchemaError, print_error
from prawko_tenants.outages import is_forbidden, is_unavailable, message_of, sqlstate_of
from prawko_tenants.pooler_checks import PoolerError


@click.group(commands=[
    processes.serve, processes.console, processes.worker, processes.demo, database.db, admin.admin,
    company.company, checks.daily_check, checks.mass_change, checks.answers, status.incidents,
    deliveries.deliveries, status.status, doctor.doctor,
    payments.payments, invoices.invoices, support.support, plugins.plugins, reference.variables,
    reference.openapi, reference.roles,
])  # fmt: skip
def prawko() -> None:
    """Monitor drivers' licences."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. Each error is one line on standard error."""
    hide_process()
    try:
        os.environ.update(read_secret_files(os.environ))
        code = prawko.main(arguments, prog_name="prawko", obj=os.environ, standalone_mode=False)
    except CommandError as error:
        print(error.message, file=sys.stderr)
        return error.exit_code
    except click.ClickException as error:  # a mistyped command
        error.show()
        return error.exit_code
    except (SettingsError, PluginError, SchemaError, PoolerError, ClockDiffersError) as error:
        print_error(error)
        return REFUSED
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except Exception as error:
        if (sentence := _explain_database_error(error)) is None:
            raise
        print(f"prawko: {sentence}", file=sys.stderr)
        return REFUSED
    return int(code or 0)


def _explain_database_error(error: Exception) -> str | None:
    if is_forbidden(error):
        return f"the command's database login has no right to this: {message_of(error)}"
    if is_unavailable(error) or isinstance(error, socket.gaierror):
        reason = sqlstate_of(error) or type(error).__name__  # its text may quote the URL
        return f"PostgreSQL does not serve this command ({reason})"
    return None


FOLDER_VARIABLE = "CREDENTIALS_DIRECTORY"
_VARIABLE_NAME = re.compile(r"[A-Z][A-Z0-9_]*")


def read_secret_files(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that have a file and no value. Raises SettingsError."""
    folder = variables.get(FOLDER_VARIABLE)
    if not folder:
        return {}
    try:
        files = list(Path(folder).iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        text = f"names a folder that cannot be read: {folder} ({error.strerror})"
        raise SettingsError(FOLDER_VARIABLE, text) from None
    secrets = {}
    for file in files:
        if _VARIABLE_NAME.fullmatch(file.name) and not variables.get(file.name):
            try:
                secrets[file.name] = file.read_text(encoding="utf-8").rstrip("\n")
            except (OSError, UnicodeDecodeError) as error:
                reason = getattr(error, "strerror", None) or "it is no text"
                raise SettingsError(file.name, f"cannot be read from {file} ({reason})") from None
    return secrets
