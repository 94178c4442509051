"""The database's own commands."""

import argparse
from collections.abc import Mapping

from prawko.cli.processes import Commands
from prawko.hooks.environment import SettingError


def add_commands(commands: Commands) -> None:
    """Add db migrate."""
    group = commands.add_parser("db", help="the database").add_subparsers(required=True)
    migrate = group.add_parser("migrate", help="bring the database up to date")
    migrate.set_defaults(run=run_migrate)


def run_migrate(_: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Migrate as the owner, the only login that may."""
    try:
        from prawko_migrations import upgrade  # noqa: PLC0415 (an installation may lack it)
    except ImportError:
        raise SettingError("prawko-migrations", "is not installed") from None
    url = variables.get("OWNER_DATABASE_URL") or variables.get("DATABASE_URL")
    if not url:
        raise SettingError("OWNER_DATABASE_URL", "is missing")
    upgrade(url)
    return 0
