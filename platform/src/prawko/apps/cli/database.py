"""Commands about the database itself: its logins, its schema, and preparing all of it at once."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from types import ModuleType
from urllib.parse import unquote, urlsplit

import click

from prawko.apps.cli.backup import after_restore, backup, restore
from prawko.apps.cli.context import exit_with_error, print_logins, require_variable
from prawko.hooks.environment import SettingsError
from prawko.kit.startup_checks import SCHEMA_VERSION
from prawko_tenants.logins import (
    ProvisioningError,
    provision_database,
    provision_missing,
    render_provisioning,
    rotate_login,
)
from prawko_tenants.passwords import draw_password
from prawko_tenants.roles import ROLE_NAMES, Roles

DATABASE = "prawko"
PREFIX = "prawko"


@click.group(commands=[backup, restore, after_restore])
def db() -> None:
    """The database."""


@db.command()
@click.argument("database", default=DATABASE)
@click.option("--prefix", default=PREFIX, help="How the names of the logins begin.")
@click.option("--login", "renewed", multiple=True, help="Give this login a new password at once.")
@click.option("--replication", is_flag=True, help="Also create a login for base backups and WAL.")
@click.option("--sql", is_flag=True, help="Print a script for psql instead.")
@click.pass_obj
def provision(
    variables: Mapping[str, str],
    database: str,
    prefix: str,
    renewed: Sequence[str],
    *,
    replication: bool,
    sql: bool,
) -> None:
    """Create the database and its logins, and print a line for each new one.

    Runs as the superuser of ADMIN_DATABASE_URL. No password is stored: put it into the secrets of
    its process. An existing login keeps its password, unless it is named.
    """
    url = require_variable(variables, "ADMIN_DATABASE_URL")
    try:
        if sql:
            names = (*ROLE_NAMES, *(["replication"] if replication else []))
            passwords = {name: draw_password() for name in names}
            script = render_provisioning(
                database=database, prefix=prefix, passwords=passwords, replication=replication
            )
            click.echo(script, nl=False)
            for name, password in passwords.items():  # not in the script, which may be kept
                click.echo(f"{prefix}_{name}\t{password}", err=True)
            return
        created = provision_missing(
            url, database=database, prefix=prefix, renewed=renewed, replication=replication
        )
    except (ProvisioningError, ValueError) as error:
        exit_with_error(str(error))
    print_logins(created)


@db.command()
@click.argument("login", type=click.Choice(ROLE_NAMES))
@click.argument("database", default=DATABASE)
@click.option("--prefix", default=PREFIX, help="How the names of the logins begin.")
@click.option("--overlap", default=24.0, help="Hours for which the old password stays valid.")
@click.pass_obj
def rotate(
    variables: Mapping[str, str], login: str, database: str, prefix: str, overlap: float
) -> None:
    """Print a new URL for a login; the old one stays valid for a day.

    Runs as the superuser of ADMIN_DATABASE_URL. With `--overlap 0` the sessions of the old one end
    at once.
    """
    url = require_variable(variables, "ADMIN_DATABASE_URL")
    try:
        address = rotate_login(
            url, login, database=database, prefix=prefix, overlap=timedelta(hours=overlap)
        )
    except (ProvisioningError, ValueError) as error:
        exit_with_error(str(error))
    click.echo(f"{login}\t{address}")


@db.command()
@click.option("--to", "revision", help="The migration to stop after; the newest by default.")
@click.option("--wait", default=300.0, help="Seconds to wait for locks and other migrations.")
@click.pass_obj
def migrate(variables: Mapping[str, str], revision: str | None, wait: float) -> None:
    """Run the migrations, as the owner of OWNER_DATABASE_URL."""
    url = require_variable(variables, "OWNER_DATABASE_URL")
    migrations = _import_migrations()
    try:
        known = [one for one, _ in migrations.read_status(url).pending]
        if revision is not None and revision not in known:
            exit_with_error(f"{revision} is none of the pending migrations: {', '.join(known)}")
        migrations.upgrade_database(url, revision=revision or "head", wait_seconds=wait)
    except (migrations.MigrationError, ValueError) as error:
        exit_with_error(str(error))


@db.command()
@click.pass_obj
def status(variables: Mapping[str, str]) -> int:
    """Print the schema's version and the migrations that are pending, with the owner's login.

    Exits with 1 while this release needs one of them.
    """
    url = require_variable(variables, "OWNER_DATABASE_URL")
    migrations = _import_migrations()
    try:
        schema = migrations.read_status(url)
    except migrations.MigrationError as error:
        exit_with_error(str(error))
    click.echo(f"schema {schema.version or 'none'}, this release needs {SCHEMA_VERSION}")
    for revision, title in schema.pending:
        click.echo(f"pending: {revision}  {title}")
    return int((schema.version or "") < SCHEMA_VERSION)


def _import_migrations() -> ModuleType:
    try:
        import prawko_migrations  # noqa: PLC0415 (an installation may lack it)
    except ImportError:
        raise SettingsError("prawko-migrations", "is not installed") from None
    return prawko_migrations


@db.command()
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
