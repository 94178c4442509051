"""Settles a restored database: ends sessions, codes and links, and reports repeated work."""

import asyncio
import time
from collections.abc import Sequence
from datetime import datetime

import msgspec
from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert

from prawko.accounts.models import LoginSession, OneTimeCode
from prawko.invoices.models import InvoiceSeries
from prawko.invoices.rules import format_number, parse_number
from prawko.kit.clock import utc_now
from prawko.kit.database import count_changes
from prawko.kit.incidents.models import Heartbeat
from prawko.kit.outbox.models import Delivery
from prawko.payments.models import Payment
from prawko.verifications.models import CheckRun
from prawko_tenants.engine import Database
from prawko_tenants.sessions import SystemSession

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
