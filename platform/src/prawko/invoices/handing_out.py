"""Hands invoices of all companies out, one company at a time."""

from collections.abc import AsyncIterator
from datetime import date

import msgspec

from prawko.base.jobs import Tools
from prawko.invoices.numbering import file_name
from prawko.invoices.repository import InvoiceRepository, issued_since
from prawko.invoices.state import FileKind


class File(msgspec.Struct, frozen=True):
    """One file of an invoice, called by its number."""

    name: str
    content: bytes


async def files_since(tools: Tools, since: date) -> AsyncIterator[File]:
    """The files of what was issued from that day on, as far as they are made.

    Of erased companies, too. Needs the worker's and the planner's logins. Raises
    SpoiledFileError.
    """
    async with tools.database.planner() as planner:
        issued = await issued_since(planner, since)
    for tenant_id, invoice_id in issued:
        async with tools.database.tenant(tenant_id) as session:
            invoices = InvoiceRepository(session)
            found = [(kind, await invoices.file(tenant_id, invoice_id, kind)) for kind in FileKind]
        for kind, kept in found:
            if kept is not None and kept.content is not None:
                yield File(file_name(kept.number, kind), kept.content)
