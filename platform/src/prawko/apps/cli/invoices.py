"""Invoices of all companies, erased ones too, as files."""

import asyncio
import os
from datetime import datetime
from pathlib import Path

import click

from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.acts.operator_acts import OperatorActs
from prawko.apps.cli.context import DATE, exit_with_error, with_acts
from prawko.invoices.service import ExportedInvoiceFile, export_files_since
from prawko.kit.context import AppContext


@click.group()
def invoices() -> None:
    """Issued invoices."""


@invoices.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--since", metavar="YYYY-MM-DD", type=DATE, default="2000-01-01", help="first day of issue"
)
@with_acts()
async def export(
    context: AppContext, acts: OperatorActs, folder: Path, since: datetime, reason: str | None
) -> None:
    """Write the PDF and XML of invoices into a folder, those alone that it lacks.

    Only their owner can read the files. Needs a worker's variables.
    """
    written = existing = 0
    try:
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True, mode=0o700)
        async with acts.open_system():
            await acts.record(
                AdminActionType.INVOICES_EXPORTED, reason=reason, requires_reason=False,
                day=since.date().isoformat(),
            )  # fmt: skip
        async for file in export_files_since(context, since.date()):
            if await asyncio.to_thread(_write_file, folder, file):
                written += 1
            else:
                existing += 1
    except OSError as error:
        exit_with_error(f"{folder}: {error.strerror}")
    click.echo(f"{folder}: {written} files written, {existing} there already")


def _write_file(folder: Path, file: ExportedInvoiceFile) -> bool:
    """Write the file whole or not at all; an existing one stays as it is."""
    path = folder / file.name
    if path.exists():
        return False
    part = folder / f".{file.name}.part"
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as target:
        target.write(file.content)
    part.replace(path)
    return True
