"""The database's own commands."""

import argparse
from collections.abc import Mapping

import msgspec

from prawko.cli.processes import Commands
from prawko.hooks.environment import SettingError
from prawko_tenants.logins import provision


def add_commands(commands: Commands) -> None:
    """Add db provision and db migrate."""
    group = commands.add_parser("db", help="the database").add_subparsers(required=True)
    new = group.add_parser("provision", help="make the database and its logins, and print them")
    new.add_argument("database", nargs="?", default="prawko")
    new.set_defaults(run=run_provision)
    migrate = group.add_parser("migrate", help="bring the database up to date")
    migrate.set_defaults(run=run_migrate)


def run_provision(parsed: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Make database and roles as ADMIN_DATABASE_URL's superuser; every role gets a new password.

    Prints one line for each login. Nothing keeps them: they belong into the secrets of the
    processes.
    """
    url = _required(variables, "ADMIN_DATABASE_URL")
    logins = provision(url, database=parsed.database)
    for name, address in msgspec.to_builtins(logins).items():
        print(f"{name}\t{address}")
    return 0


def run_migrate(_: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Migrate as the owner, the only login that may."""
    try:
        from prawko_migrations import upgrade  # noqa: PLC0415 (an installation may lack it)
    except ImportError:
        raise SettingError("prawko-migrations", "is not installed") from None
    upgrade(_required(variables, "OWNER_DATABASE_URL"))
    return 0


def _required(variables: Mapping[str, str], name: str) -> str:
    if not variables.get(name):
        raise SettingError(name, "is missing")
    return variables[name]
