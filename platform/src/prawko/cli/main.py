"""`prawko`: serve, work, migrate, and the operators' commands."""

import os
import sys
from collections.abc import Sequence

import click

from prawko.base.plugins import PluginError
from prawko.base.startup_checks import SchemaError
from prawko.cli import (
    admin,
    checks,
    company,
    database,
    incidents,
    invoices,
    openapi,
    payments,
    plugins,
    processes,
    support,
)
from prawko.cli.context import INTERRUPTED, CommandError
from prawko.hooks.environment import SettingsError


@click.group(commands=[
    processes.serve, processes.console, processes.worker, processes.demo, database.db, admin.admin,
    company.company, checks.daily_check, checks.mass_change, checks.answers, incidents.incidents,
    payments.payments, invoices.invoices, support.support, plugins.plugins, openapi.openapi,
])  # fmt: skip
def prawko() -> None:
    """Keep watch over drivers' licences."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. An error is one line on standard error."""
    try:
        code = prawko.main(arguments, prog_name="prawko", obj=os.environ, standalone_mode=False)
    except CommandError as error:
        print(error.message, file=sys.stderr)
        return error.exit_code
    except click.ClickException as error:  # a mistyped command
        error.show()
        return error.exit_code
    except (SettingsError, PluginError, SchemaError) as error:
        print(f"prawko: {error}", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    return int(code or 0)
