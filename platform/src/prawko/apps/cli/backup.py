"""Commands that dump and restore the database, with PostgreSQL's own programs."""

import asyncio
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from prawko.apps.cli.context import exit_with_error, print_logins, require_variable
from prawko.apps.cli.restored_database import (
    RECOVERY_SECONDS,
    RestoreReport,
    settle_restored,
    wait_for_recovery,
)
from prawko.kit.startup_checks import require_schema
from prawko_tenants.engine import Database
from prawko_tenants.logins import ProvisioningError, is_empty_database, provision_missing
from prawko_tenants.urls import to_libpq_variables, url_of_database

PRIVATE_UMASK = 0o077
MAX_REASON_LINES = 3

_last_invoice_option = click.option(
    "--last-invoice",
    "last_invoices",
    multiple=True,
    metavar="NUMBER",
    help="The highest number that was issued of a series and year, if the backup is older.",
)


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.pass_obj
def backup(variables: Mapping[str, str], file: Path) -> None:
    """Dump the database to a file, with the login of BACKUP_DATABASE_URL.

    The file appears when it is complete. It has no logins and no keys: `prawko db restore` creates
    new logins, and SECRET_KEY and ANSWER_KEYS are kept elsewhere.
    """
    url = require_variable(variables, "BACKUP_DATABASE_URL")
    draft = file.with_name(f"{file.name}.part")
    umask = os.umask(PRIVATE_UMASK)
    try:
        _run_program(variables, "pg_dump", "--format=custom", f"--file={draft}", url=url)
        draft.rename(file)
    finally:
        os.umask(umask)
        draft.unlink(missing_ok=True)
    click.echo(f"{file}: {file.stat().st_size:,} bytes")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("database", default="prawko")
@click.option("--jobs", default=1, help="How many connections restore at once.")
@_last_invoice_option
@click.pass_obj
def restore(
    variables: Mapping[str, str],
    file: Path,
    database: str,
    jobs: int,
    last_invoices: Sequence[str],
) -> None:
    """Restore a dump into a database that is empty or missing, and print the new logins.

    Runs as the superuser of ADMIN_DATABASE_URL, on a separate server, because the dump grants its
    rights to logins by name. Then does what `prawko db after-restore` does.
    """
    url = require_variable(variables, "ADMIN_DATABASE_URL")
    prefix = _read_prefix(variables, file)
    try:
        created = provision_missing(url, database=database, prefix=prefix)
    except ProvisioningError as error:
        exit_with_error(str(error))
    target = url_of_database(url, database)
    if not is_empty_database(target):
        exit_with_error(f"the database {database} is not empty: name another one, or drop it")
    # A failure would leave a database with tables, which a second try refuses.
    _run_program(
        variables, "pg_restore", "--exit-on-error", f"--jobs={jobs}", f"--dbname={database}",
        str(file), url=target,
    )  # fmt: skip
    _run_program(variables, "vacuumdb", "--analyze-only", "--quiet", url=target)
    print_logins(created)
    _settle(target, last_invoices)


@click.command("after-restore")
@click.argument("database", default="prawko")
@_last_invoice_option
@click.pass_obj
def after_restore(
    variables: Mapping[str, str], database: str, last_invoices: Sequence[str]
) -> None:
    """End sessions, codes and links of a restored database, and print what will be done again.

    Runs as the superuser of ADMIN_DATABASE_URL, before any process is started, on a database that
    was restored by other means, such as a base backup.
    """
    url = require_variable(variables, "ADMIN_DATABASE_URL")
    _settle(url_of_database(url, database), last_invoices)


def _settle(url: str, last_invoices: Sequence[str]) -> None:
    async def settle() -> RestoreReport:
        database = Database(url)
        try:
            await wait_for_recovery(database)
            await require_schema(database)
            return await settle_restored(database, last_invoices)
        finally:
            await database.close()

    try:
        report = asyncio.run(settle())
    except TimeoutError:
        exit_with_error(
            f"the server is still in recovery after {RECOVERY_SECONDS:.0f} s: promote it"
        )
    except ValueError as error:
        exit_with_error(str(error))
    for line in report.lines():
        click.echo(line)


def _read_prefix(variables: Mapping[str, str], file: Path) -> str:
    """Return how the logins of a dump begin: the tables belong to `…_owner`."""
    listing = _run_program(variables, "pg_restore", "--list", str(file), url=None)
    owners = set(re.findall(r" TABLE public \S+ (\S+)_owner$", listing, re.MULTILINE))
    if len(owners) != 1:
        exit_with_error(f"{file} is no dump of this product")
    return str(owners.pop())


def _run_program(variables: Mapping[str, str], name: str, *arguments: str, url: str | None) -> str:
    """Run one of PostgreSQL's programs; POSTGRES_PROGRAMS names their folder if PATH does not.

    Returns its output. Ends the command with the program's reason where it fails.
    """
    folder = variables.get("POSTGRES_PROGRAMS") or None
    program = shutil.which(name, path=folder or variables.get("PATH"))
    if program is None:
        exit_with_error(
            f"{name} was not found: install PostgreSQL's client of the server's version or a"
            " younger one, and name its folder in POSTGRES_PROGRAMS"
        )
    environment = {"PATH": variables.get("PATH", os.defpath), "LC_ALL": "C.UTF-8"}
    if url is not None:
        environment |= to_libpq_variables(url)
    result = subprocess.run(  # noqa: S603 (a program of PostgreSQL's)
        [program, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    if result.returncode:
        reason = "; ".join(result.stderr.strip().splitlines()[:MAX_REASON_LINES])
        exit_with_error(f"{name} failed: {reason}")
    return result.stdout
