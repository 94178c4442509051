"""Issues the invoices of paid orders, and reads them for the panel."""

from datetime import datetime
from uuid import UUID

from prawko.base.clock import utc_now, warsaw_date
from prawko.base.errors import NotFoundError
from prawko.base.money import VAT_PERCENT
from prawko.base.pagination import Pagination
from prawko.base.settings import Settings
from prawko.hooks.invoices import Seller
from prawko.invoices.errors import InvoiceNotReadyError, SellerNotConfiguredError
from prawko.invoices.line_names import line_name
from prawko.invoices.models import Invoice, InvoiceLine
from prawko.invoices.numbering import format_number, invoice_year
from prawko.invoices.repository import InvoiceRepository
from prawko.invoices.sale import Sale
from prawko.invoices.schemas import InvoiceOut
from prawko.invoices.state import InvoiceFileKind
from prawko_tenants.sessions import BatchSession, TenantSession

# The PDF is enqueued on commit and rendered in a fraction of a second.
RETRY_AFTER_SECONDS = 5


async def issue_invoice(
    session: TenantSession | BatchSession, sale: Sale, settings: Settings, now: datetime
) -> UUID:
    """Number and save the invoice of a paid order; an existing one is returned as it is.

    The number belongs to the caller's transaction, so that a rollback leaves no gap. Other
    invoices wait for the lock until it ends: call this last, and do nothing slow after it. `now`
    is of the product clock. Raises SellerNotConfiguredError.
    """
    seller = settings.seller
    if seller is None:
        raise SellerNotConfiguredError
    invoices = InvoiceRepository(session)
    series, year = settings.invoice_series, invoice_year(now)
    serial = await invoices.lock_series(series, year) + 1
    existing = await invoices.find_by_order(sale.order_id)  # read under the lock
    if existing is not None:
        return existing
    await invoices.set_last_serial(series, year, serial)
    invoice = _build_invoice(sale, seller, now)
    invoice.series, invoice.year, invoice.serial = series, year, serial
    invoice.number = format_number(series, year, serial)
    invoice.issuer = settings.invoice_issuer or None
    await invoices.add(invoice, _build_lines(sale, settings.brand))
    return invoice.id


def _build_invoice(sale: Sale, seller: Seller, now: datetime) -> Invoice:
    buyer = sale.buyer
    return Invoice(
        order_id=sale.order_id,
        issued_at=now,
        issued_on=warsaw_date(now),
        paid_at=sale.paid_at,
        sold_on=warsaw_date(sale.paid_at),
        method=sale.method,
        seller_name=seller.name,
        seller_tax_id=seller.tax_id,
        seller_street=seller.street,
        seller_postal_code=seller.postal_code,
        seller_city=seller.city,
        seller_iban=seller.iban,
        buyer_name=buyer.company_name,
        buyer_tax_id=buyer.tax_id,
        buyer_street=buyer.street,
        buyer_postal_code=buyer.postal_code,
        buyer_city=buyer.city,
        net=sale.net,
        vat=sale.vat,
        gross=sale.gross,
        next_attempt_at=utc_now(),
    )


def _build_lines(sale: Sale, brand: str) -> list[InvoiceLine]:
    return [
        InvoiceLine(
            position=position,
            kind=line.kind,
            driver_limit=line.driver_limit,
            days=line.days,
            name=line_name(brand, sale, line),
            net=line.net,
            vat=line.vat,
            vat_percent=VAT_PERCENT,
        )
        for position, line in enumerate(sale.lines, start=1)
    ]


class InvoiceService:
    """Reads one company's invoices for the panel."""

    def __init__(self, session: TenantSession) -> None:
        self._tenant_id = session.tenant_id
        self._invoices = InvoiceRepository(session)

    async def list_newest(self, pagination: Pagination | None = None) -> list[InvoiceOut]:
        """All invoices or a page of them, newest first."""
        return [
            InvoiceOut(
                id=row.id,
                number=row.number,
                issued_at=row.issued_at,
                net=row.net,
                vat=row.vat,
                gross=row.gross,
                currency=row.currency,
                pdf_ready=row.pdf_ready,
                ksef_state=row.state if row.issuer is not None else None,
            )
            for row in await self._invoices.list_newest(self._tenant_id, pagination)
        ]

    async def count(self) -> int:
        """The number of invoices."""
        return await self._invoices.count(self._tenant_id)

    async def get_pdf(self, invoice_id: UUID) -> tuple[str, bytes]:
        """The number and the PDF of an invoice. Raises NotFoundError, InvoiceNotReadyError."""
        file = await self._invoices.get_file(self._tenant_id, invoice_id, InvoiceFileKind.PDF)
        if file is None:
            raise NotFoundError
        if file.content is None:
            raise InvoiceNotReadyError(retry_after=RETRY_AFTER_SECONDS)
        return file.number, file.content
