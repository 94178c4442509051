"""Reads a company's invoices for the panel."""

from uuid import UUID

from prawko.invoices.errors import InvoiceNotReadyError
from prawko.invoices.repository import InvoiceRepository
from prawko.invoices.schemas import InvoiceOut
from prawko.invoices.state import InvoiceFileKind
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
