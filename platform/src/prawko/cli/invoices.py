"""Invoices of all companies, erased ones too, as files in an operator's hands."""

import argparse
import asyncio
import os
from collections.abc import Mapping
from datetime import date
from pathlib import Path

from prawko.cli.opening import complain, opened
from prawko.cli.processes import Commands
from prawko.invoices.handing_out import File, files_since

EVER = date(2000, 1, 1)


def add_commands(commands: Commands) -> None:
    """Add invoices export."""
    group = commands.add_parser("invoices", help="what was issued").add_subparsers(required=True)
    export = group.add_parser("export", help="write the PDF and XML of invoices into a folder")
    export.add_argument("folder", type=Path)
    export.add_argument(
        "--since", type=date.fromisoformat, default=EVER, help="first day of issue, YYYY-MM-DD"
    )
    export.set_defaults(run=run_export)


async def run_export(parsed: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Write what is not there yet, readable by nobody else. Needs a worker's variables."""
    written = there = 0
    async with opened(variables) as tools:
        try:
            parsed.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            async for file in files_since(tools, parsed.since):
                if await asyncio.to_thread(_write, parsed.folder, file):
                    written += 1
                else:
                    there += 1
        except OSError as error:
            return complain(f"{parsed.folder}: {error.strerror}")
    print(f"{parsed.folder}: {written} files written, {there} there already")
    return 0


def _write(folder: Path, file: File) -> bool:
    """Write the file whole or not at all; one that is there stays as it is."""
    path = folder / file.name
    if path.exists():
        return False
    part = folder / f".{file.name}.part"
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as target:
        target.write(file.content)
    part.replace(path)
    return True
