"""Commands about the database itself."""

from collections.abc import Mapping

import click
import msgspec

from prawko.hooks.environment import SettingsError
from prawko_tenants.logins import provision_database


@click.group()
def db() -> None:
    """The database."""


@db.command()
@click.argument("database", default="prawko")
@click.pass_obj
def provision(variables: Mapping[str, str], database: str) -> None:
    """Create the database and its logins, and print a line for each.

    Runs as the superuser of ADMIN_DATABASE_URL. Every login gets a new password, which is
    stored nowhere: it belongs to the secrets of its process.
    """
    url = _require_variable(variables, "ADMIN_DATABASE_URL")
    logins = provision_database(url, database=database)
    for name, address in msgspec.to_builtins(logins).items():
        click.echo(f"{name}\t{address}")


@db.command()
@click.pass_obj
def migrate(variables: Mapping[str, str]) -> None:
    """Run the migrations, as the owner."""
    try:
        from prawko_migrations import upgrade_database  # noqa: PLC0415 (an installation may lack it)
    except ImportError:
        raise SettingsError("prawko-migrations", "is not installed") from None
    upgrade_database(_require_variable(variables, "OWNER_DATABASE_URL"))


def _require_variable(variables: Mapping[str, str], name: str) -> str:
    if not variables.get(name):
        raise SettingsError(name, "is missing")
    return variables[name]
