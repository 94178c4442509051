"""Prepares a database: a new one whose passwords are chosen beforehand, or a restored one."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from urllib.parse import unquote, urlsplit

import click
import msgspec
from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert

from prawko.accounts.models import LoginSession, OneTimeCode
from prawko.apps.cli.context import exit_with_error
from prawko.hooks.environment import SettingsError
from prawko.invoices.models import InvoiceSeries
from prawko.invoices.rules import format_number, parse_number
from prawko.kit.clock import utc_now
from prawko.kit.database import count_changes
from prawko.kit.incidents.models import Heartbeat
from prawko.kit.outbox.models import Delivery
from prawko.payments.models import Payment
from prawko.verifications.models import CheckRun
from prawko_tenants.engine import Database
from prawko_tenants.logins import ProvisioningError, provision_database
from prawko_tenants.roles import ROLE_NAMES, Roles
from prawko_tenants.sessions import SystemSession


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


RECOVERY_SECONDS = 60.0
RECOVERY_POLL_SECONDS = 0.2


class RestoreReport(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of what was ended and is pending; `last_run`: when a check was last planned."""

    sessions: int
    codes: int
    messages: int
    payments: int
    last_invoices: Sequence[str]
    last_run: datetime | None

    def lines(self) -> list[str]:
        """Return the report for people."""
        last_run = f"{self.last_run:%Y-%m-%d %H:%M} UTC" if self.last_run else "never"
        return [
            f"{self.sessions} sessions ended, {self.codes} codes and links deleted",
            f"{self.messages} messages pending: they may have been sent after the backup",
            f"{self.payments} payments open: the workers ask their providers at once",
            f"last invoice: {', '.join(self.last_invoices) or 'none'}",
            f"last check planned: {last_run}",
        ]


async def wait_for_recovery(database: Database, seconds: float = RECOVERY_SECONDS) -> None:
    """Return once the server accepts writes: one that replays WAL already answers reads.

    Raises TimeoutError after `seconds`, as on a standby, or where the target's action is `pause`.
    """
    deadline = time.monotonic() + seconds
    while await _is_in_recovery(database):
        if time.monotonic() > deadline:
            raise TimeoutError
        await asyncio.sleep(RECOVERY_POLL_SECONDS)


async def _is_in_recovery(database: Database) -> bool:
    async with database.system() as session:
        return bool(await session.scalar(select(func.pg_is_in_recovery())))


async def settle_restored(database: Database, last_invoices: Sequence[str]) -> RestoreReport:
    """End all sessions, codes and links, and raise the invoice series to numbers that were issued.

    May be repeated. `database` has a superuser's login, because the rows are of all companies.
    Raises ValueError for a text that is no invoice number.
    """
    issued = [parse_number(number) for number in last_invoices]
    now = utc_now()
    async with database.system() as session:
        revoked = update(LoginSession).where(LoginSession.revoked_at.is_(None))
        sessions = await count_changes(session, revoked.values(revoked_at=now))
        codes = await count_changes(session, delete(OneTimeCode))
        await session.execute(delete(Heartbeat))  # of processes that no longer run
        for series, year, serial in issued:
            await _raise_series(session, series, year, serial)
        ordered = select(InvoiceSeries).order_by(InvoiceSeries.year, InvoiceSeries.series)
        rows = await session.scalars(ordered)
        return RestoreReport(
            sessions=sessions,
            codes=codes,
            messages=await _count_rows(session, Delivery.state == "pending"),
            payments=await _count_rows(session, Payment.next_poll_at.is_not(None)),
            last_invoices=[format_number(row.series, row.year, row.last_serial) for row in rows],
            last_run=await session.scalar(select(func.max(CheckRun.planned_at))),
        )


async def _raise_series(session: SystemSession, series: str, year: int, serial: int) -> None:
    """Raise the series, so that its next invoice gets a number after `serial`."""
    statement = insert(InvoiceSeries).values(series=series, year=year, last_serial=serial)
    highest = func.greatest(InvoiceSeries.last_serial, statement.excluded.last_serial)
    await session.execute(
        statement.on_conflict_do_update(
            index_elements=[InvoiceSeries.series, InvoiceSeries.year],
            set_={"last_serial": highest},
        )
    )


async def _count_rows(session: SystemSession, condition: ColumnElement[bool]) -> int:
    return await session.scalar(select(func.count()).where(condition)) or 0
