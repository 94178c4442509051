"""Commands about one company's data: find, export, erase."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from uuid import UUID

import click

from prawko.base.i18n import Language
from prawko.cli.context import exit_with_error, open_owner_context, run_async
from prawko.personal_data.company_lookup import find_companies_by_email, find_company_name
from prawko.personal_data.erasure import CompanyNotFoundError, LastOperatorError, erase_company
from prawko.personal_data.export import DataExporter
from prawko_tenants.ids import TenantId


@click.group()
def company() -> None:
    """A company's data."""


@company.command()
@click.argument("email")
@click.pass_obj
@run_async
async def find(variables: Mapping[str, str], email: str) -> None:
    """Print id and name of each company that a person belongs to."""
    async with open_owner_context(variables) as context:
        companies = await find_companies_by_email(context, email)
        for tenant_id in companies:
            click.echo(f"{tenant_id}\t{await find_company_name(context, tenant_id) or '(no name)'}")
    if not companies:
        exit_with_error(f"nobody signs in as {email}")


@company.command()
@click.argument("company_id", metavar="ID", type=click.UUID)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--language", type=click.Choice([one.value for one in Language]), default="pl")
@click.pass_obj
@run_async
async def export(variables: Mapping[str, str], company_id: UUID, file: Path, language: str) -> None:
    """Write all of a company's data to a zip file.

    The file is readable by nobody else; an existing one is not overwritten.
    """
    async with open_owner_context(variables) as context:
        tenant_id = TenantId(company_id)
        if await find_company_name(context, tenant_id) is None:
            exit_with_error(f"there is no company {company_id}")
        try:
            target = os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        except OSError as error:
            exit_with_error(f"{file}: {error.strerror}")
        with target:
            async with context.database.tenant(tenant_id) as session:
                exporter = DataExporter(
                    session,
                    context.key_ring,
                    brand=context.settings.brand,
                    language=Language(language),
                    now=context.clock.now(),
                )
                archive = await exporter.export_company(None)
            for chunk in archive.chunks():
                await asyncio.to_thread(target.write, chunk)
    click.echo(f"{file}: {archive.size} bytes")


@company.command()
@click.argument("company_id", metavar="ID", type=click.UUID)
@click.option("--yes", is_flag=True, help="without it, only say what would be erased")
@click.pass_obj
@run_async
async def erase(variables: Mapping[str, str], company_id: UUID, *, yes: bool) -> None:
    """Erase a company, its data and its people, for good."""
    # The panel's login may erase nobody, and the policies bind all others.
    async with open_owner_context(variables) as context:
        tenant_id = TenantId(company_id)
        name = await find_company_name(context, tenant_id)
        if name is None:
            exit_with_error(f"there is no company {company_id}")
        if not yes:
            exit_with_error(f"{name or '(no name)'} {company_id} would be erased; add --yes")
        try:
            async with context.database.tenant(tenant_id) as session:
                erased = await erase_company(session)
        except CompanyNotFoundError:
            exit_with_error(f"there is no company {company_id}")
        except LastOperatorError:
            exit_with_error("the last operator belongs to this company; make another one first")
    click.echo(f"{company_id} is erased, with {erased.people} people who belonged to no other")
