"""Reads a company's invoices for the panel, and the files of all companies for an export."""

from collections.abc import AsyncIterator
from datetime import date
from uuid import UUID

import msgspec

from prawko.invoices.errors import InvoiceNotReadyError
from prawko.invoices.models import InvoiceFileKind
from prawko.invoices.repository import InvoiceRepository, find_issued_since
from prawko.invoices.rules import file_name
from prawko.invoices.schemas import InvoiceOut
from prawko.kit.context import AppContext
from prawko.kit.database import Pagination
from prawko.kit.errors import NotFoundError
from prawko_tenants.sessions import TenantSession

# The PDF is enqueued on commit and rendered in a fraction of a second.
RETRY_AFTER_SECONDS = 5


class InvoiceService:
    """Reads the invoices of the session's company."""

    def __init__(self, session: TenantSession) -> None:
        self._invoices = InvoiceRepository(session)

    async def list_newest(self, pagination: Pagination | None = None) -> list[InvoiceOut]:
        """All invoices or a page of them, newest first."""
        return [
            InvoiceOut(
                id=invoice.id,
                number=invoice.number,
                issued_at=invoice.issued_at,
                net=invoice.net,
                vat=invoice.vat,
                gross=invoice.gross,
                currency=invoice.currency,
                pdf_ready=pdf_ready,
                ksef_state=invoice.state if invoice.issuer is not None else None,
            )
            for invoice, pdf_ready in await self._invoices.list_newest(pagination)
        ]

    async def count(self) -> int:
        """The number of invoices."""
        return await self._invoices.count()

    async def get_pdf(self, invoice_id: UUID) -> tuple[str, bytes]:
        """The number and the PDF of an invoice. Raises NotFoundError, InvoiceNotReadyError."""
        file = await self._invoices.get_file(invoice_id, InvoiceFileKind.PDF)
        if file is None:
            raise NotFoundError
        if file.content is None:
            raise InvoiceNotReadyError(retry_after=RETRY_AFTER_SECONDS)
        return file.number, file.content


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
