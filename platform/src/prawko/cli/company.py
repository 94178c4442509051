"""A company's data in an operator's hands: found, handed out, erased."""

import argparse
import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from uuid import UUID

from prawko.base.jobs import Tools
from prawko.base.texts import Language
from prawko.cli.opening import as_owner, complain, opened
from prawko.cli.processes import Commands
from prawko.personal_data.companies import companies_of, name_of
from prawko.personal_data.erasure import LastOperatorError, NoSuchCompanyError, erase_company
from prawko.personal_data.export import Exporter
from prawko_tenants.ids import TenantId


def add_commands(commands: Commands) -> None:
    """Add company find, export and erase."""
    group = commands.add_parser("company", help="a company's data").add_subparsers(required=True)
    find = group.add_parser("find", help="which companies a person belongs to")
    find.add_argument("email")
    find.set_defaults(run=run_find)
    export = group.add_parser("export", help="write all of a company's data to a zip file")
    export.add_argument("id", type=UUID)
    export.add_argument("file", type=Path)
    export.add_argument("--language", type=Language, choices=[*Language], default=Language.PL)
    export.set_defaults(run=run_export)
    erase = group.add_parser("erase", help="erase a company, its data and its people, for good")
    erase.add_argument("id", type=UUID)
    erase.add_argument("--yes", action="store_true", help="without it, only say what would go")
    erase.set_defaults(run=run_erase)


async def run_find(parsed: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Print id and name of each company."""

    async def find(tools: Tools) -> int:
        found = await companies_of(tools, parsed.email)
        for tenant_id in found:
            print(f"{tenant_id}\t{await name_of(tools, tenant_id) or '(no name)'}")
        return 0 if found else complain(f"nobody signs in as {parsed.email}")

    return await _as_owner(variables, find)


async def run_export(parsed: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Write the archive, readable by nobody else. An existing file is not overwritten."""

    async def export(tools: Tools) -> int:
        tenant_id = TenantId(parsed.id)
        if await name_of(tools, tenant_id) is None:
            return complain(f"there is no company {parsed.id}")
        try:
            file = os.fdopen(
                os.open(parsed.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb"
            )
        except OSError as error:
            return complain(f"{parsed.file}: {error.strerror}")
        with file:
            async with tools.database.tenant(tenant_id) as session:
                exporter = Exporter(
                    session,
                    tools.vault,
                    brand=tools.settings.brand,
                    language=parsed.language,
                    now=tools.clock.now(),
                )
                archive = await exporter.company(None)
            for chunk in archive.chunks():
                await asyncio.to_thread(file.write, chunk)
        print(f"{parsed.file}: {archive.size} bytes")
        return 0

    return await _as_owner(variables, export)


async def run_erase(parsed: argparse.Namespace, variables: Mapping[str, str]) -> int:
    """Erase with --yes; without it, name the company and change nothing."""

    async def erase(tools: Tools) -> int:
        tenant_id = TenantId(parsed.id)
        name = await name_of(tools, tenant_id)
        if name is None:
            return complain(f"there is no company {parsed.id}")
        if not parsed.yes:
            return complain(f"{name or '(no name)'} {parsed.id} would be erased; add --yes")
        try:
            async with tools.database.tenant(tenant_id) as session:
                erased = await erase_company(session)
        except NoSuchCompanyError:
            return complain(f"there is no company {parsed.id}")
        except LastOperatorError:
            return complain("the last operator belongs to this company; make another one first")
        print(f"{parsed.id} is erased, with {erased.people} people who belonged to no other")
        return 0

    return await _as_owner(variables, erase)


async def _as_owner(
    variables: Mapping[str, str], command: Callable[[Tools], Awaitable[int]]
) -> int:
    """Run with the owner's login: the panel's may erase nobody, and the policies bind all."""
    async with opened(as_owner(variables)) as tools:
        return await command(tools)
