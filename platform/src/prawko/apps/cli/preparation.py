"""Prepares the database of an installation whose passwords are chosen beforehand."""

from collections.abc import Mapping
from urllib.parse import unquote, urlsplit

import click

from prawko.apps.cli.context import exit_with_error
from prawko.hooks.environment import SettingsError
from prawko_tenants.logins import ProvisioningError, provision_database
from prawko_tenants.roles import ROLE_NAMES, Roles


@click.command()
@click.pass_obj
def prepare(variables: Mapping[str, str]) -> None:
    """Create the database and its logins, then migrate; each may exist.

    Runs as the superuser of ADMIN_DATABASE_URL. Database, names and passwords are those of
    OWNER_DATABASE_URL, APP_DATABASE_URL, WORKER_DATABASE_URL, PLANNER_DATABASE_URL,
    OPERATOR_DATABASE_URL and BACKUP_DATABASE_URL: a login that has another password gets this one.
    Each may be the second login of its role, as `db rotate` prints it.
    """
    from prawko_migrations import (  # noqa: PLC0415 (an installation may lack it)
        MigrationError,
        upgrade_database,
    )

    admin_url = _require_url(variables, "ADMIN_DATABASE_URL")
    urls = {name: _require_url(variables, f"{name.upper()}_DATABASE_URL") for name in ROLE_NAMES}
    logins = {name: urlsplit(url) for name, url in urls.items()}
    try:
        roles = Roles.from_owner(logins["owner"].username or "")
    except ValueError as error:
        raise SettingsError("OWNER_DATABASE_URL", f"is malformed: {error}") from None
    database = logins["owner"].path.removeprefix("/")
    on_standby = {name for name, login in logins.items() if login.username == roles.standby(name)}
    for name, login in logins.items():
        expected = roles.standby(name) if name in on_standby else roles.login(name)
        if login.username != expected or login.path != logins["owner"].path:
            raise SettingsError(
                f"{name.upper()}_DATABASE_URL",
                f"must name the login {expected} and the database {database}",
            )
    passwords = {name: unquote(login.password or "") for name, login in logins.items()}
    try:
        provision_database(
            admin_url, database=database, passwords=passwords, prefix=roles.prefix,
            on_standby=on_standby,
        )  # fmt: skip
        upgrade_database(urls["owner"])
    except (ProvisioningError, MigrationError, ValueError) as error:
        exit_with_error(str(error))
    click.echo(f"the database {database} is ready")


def _require_url(variables: Mapping[str, str], name: str) -> str:
    url = variables.get(name)
    if not url:
        raise SettingsError(name, "is missing")
    if not urlsplit(url).password:
        raise SettingsError(name, "is malformed: a URL with a password is expected")
    return url
