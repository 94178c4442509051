"""Commands about one company's data: find, log, export, erase."""

import asyncio
import os
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import click

from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.acts.operator_acts import OperatorActs
from prawko.accounts.errors import LastOperatorError
from prawko.apps.cli.company_history import format_entries, load_history
from prawko.apps.cli.context import exit_with_error, with_acts, with_context
from prawko.console.companies import erase_company, record_export
from prawko.console.schemas import ReasonIn
from prawko.kit.context import AppContext
from prawko.kit.errors import NotFoundError
from prawko.kit.text.i18n import Language
from prawko.personal_data.export import DataExporter
from prawko.personal_data.repository import find_companies_by_email, find_company_name
from prawko_tenants.ids import TenantId


@click.group()
def company() -> None:
    """A company's data."""


@company.command()
@click.argument("email")
@with_context(as_owner=True)
async def find(context: AppContext, email: str) -> None:
    """Print id and name of each company that a person belongs to."""
    companies = await find_companies_by_email(context, email)
    for tenant_id in companies:
        click.echo(f"{tenant_id}\t{await find_company_name(context, tenant_id) or '(no name)'}")
    if not companies:
        exit_with_error(f"nobody signs in as {email}")


@company.command()
@click.argument("company_id", metavar="ID", type=click.UUID)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--language", type=click.Choice([one.value for one in Language]), default="pl")
@with_acts(as_owner=True)
async def export(
    context: AppContext, acts: OperatorActs, company_id: UUID, file: Path, language: str,
    reason: str | None,
) -> None:  # fmt: skip
    """Write all of a company's data to a zip file.

    Only its owner can read the file; an existing one is not overwritten.
    """
    tenant_id = TenantId(company_id)
    await _require_company(context, tenant_id)
    try:
        target = os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
    except OSError as error:
        exit_with_error(f"{file}: {error.strerror}")
    with target:
        try:
            await record_export(acts, tenant_id, reason)
            async with context.database.tenant(tenant_id) as session:
                exporter = DataExporter(context, session, Language(language))
                archive = await exporter.export_company(None)
            for chunk in archive.chunks():
                await asyncio.to_thread(target.write, chunk)
        except BaseException:  # the same command is given again
            await asyncio.to_thread(file.unlink)
            raise
    click.echo(f"{file}: {archive.size} bytes")


@company.command()
@click.argument("company_id", metavar="ID", type=click.UUID)
@click.option("--days", type=click.IntRange(1, 90), default=2, show_default=True)
@with_acts(as_owner=True)
async def log(
    context: AppContext, acts: OperatorActs, company_id: UUID, *, days: int, reason: str | None
) -> None:
    """Print what happened to a company, oldest first: who changed what, checks and messages.

    Times are UTC.
    """
    tenant_id = TenantId(company_id)
    await _require_company(context, tenant_id)
    async with acts.open_company(tenant_id):
        await acts.record(
            AdminActionType.HISTORY_VIEWED, tenant_id=tenant_id, reason=reason,
            requires_reason=False,
        )  # fmt: skip
    since = context.clock.now() - timedelta(days=days)
    for line in format_entries(await load_history(context, tenant_id, since)):
        click.echo(line)


@company.command()
@click.argument("company_id", metavar="ID", type=click.UUID)
@click.option("--yes", is_flag=True, help="without it, only say what would be erased")
@with_acts(as_owner=True)
async def erase(
    context: AppContext, acts: OperatorActs, company_id: UUID, *, yes: bool, reason: str | None
) -> None:
    """Erase a company, its data and its people, for good."""
    # The panel's login has no right to erase, and the policies bind all other logins.
    tenant_id = TenantId(company_id)
    name = await _require_company(context, tenant_id)
    if not yes:
        exit_with_error(f"{name or '(no name)'} {company_id} would be erased; add --yes")
    try:
        erased = await erase_company(acts, company_id, ReasonIn(reason=reason))
    except NotFoundError:
        exit_with_error(f"there is no company {company_id}")
    except LastOperatorError:
        exit_with_error("the last operator belongs to this company; make another one first")
    click.echo(f"{company_id} is erased, with {erased.people} people who belonged to no other")


async def _require_company(context: AppContext, tenant_id: TenantId) -> str:
    """Return the company's name, which may be empty; ends the command if there is none."""
    name = await find_company_name(context, tenant_id)
    if name is None:
        exit_with_error(f"there is no company {tenant_id}")
    return name
