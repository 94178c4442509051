"""Exports the invoice files of all companies, one company at a time."""

from collections.abc import AsyncIterator
from datetime import date

import msgspec

from prawko.invoices.numbering import file_name
from prawko.invoices.repository import InvoiceRepository, find_issued_since
from prawko.invoices.state import InvoiceFileKind
from prawko.kit.context import AppContext


class ExportedInvoiceFile(msgspec.Struct, frozen=True):
    """A file of an invoice, named by its number."""

    name: str
    content: bytes


async def export_files_since(
    context: AppContext, since: date
) -> AsyncIterator[ExportedInvoiceFile]:
    """The files of invoices issued on or after a Warsaw date, as far as they are built.

    Erased companies included. Needs the worker's and the planner's logins. Raises
    CorruptedFileError.
    """
    async with context.database.planner() as planner:
        issued = await find_issued_since(planner, since)
    for tenant_id, invoice_id in issued:
        async with context.database.tenant(tenant_id) as session:
            invoices = InvoiceRepository(session)
            files = [(kind, await invoices.get_file(invoice_id, kind)) for kind in InvoiceFileKind]
        for kind, file in files:
            if file is not None and file.content is not None:
                yield ExportedInvoiceFile(file_name(file.number, kind), file.content)
