"""Issues invoices, inside the transaction that fulfils what was paid; and hands them out."""

from datetime import datetime
from uuid import UUID

from prawko.base.clock import machine_now, warsaw_day
from prawko.base.errors import NotFoundError
from prawko.base.pages import Page
from prawko.base.settings import Settings
from prawko.hooks.invoices import Seller
from prawko.invoices.errors import InvoiceNotReadyError, NoSellerError
from prawko.invoices.models import Invoice, InvoiceLine
from prawko.invoices.numbering import number, year_of
from prawko.invoices.repository import InvoiceRepository
from prawko.invoices.sale import VAT_PERCENT, Sale
from prawko.invoices.schemas import InvoiceOut
from prawko.invoices.state import FileKind
from prawko.invoices.wording import line_name
from prawko_tenants.sessions import BatchSession, TenantSession

# A worker is rung for with the commit, and draws in a fraction of a second.
SECONDS_TO_DRAW = 5


async def issue_invoice(
    session: TenantSession | BatchSession, sale: Sale, settings: Settings, now: datetime
) -> UUID:
    """Number and write the invoice of a paid order; an order that has one keeps it.

    The number is taken in the caller's transaction: undone with it, so that no gap is left.
    Every other issue waits for this transaction's end: call it last, and ask nobody after it.
    `now` is the product's. Raises NoSellerError.
    """
    seller = settings.seller
    if seller is None:
        raise NoSellerError
    invoices = InvoiceRepository(session)
    series, year = settings.invoice_series, year_of(now)
    serial = await invoices.hold_series(series, year) + 1
    known = await invoices.of_order(sale.order_id)  # asked under the lock: two at once are one
    if known is not None:
        return known
    await invoices.count_to(series, year, serial)
    invoice = _invoice(sale, seller, now)
    invoice.series, invoice.year, invoice.serial = series, year, serial
    invoice.number = number(series, year, serial)
    invoice.issuer = settings.invoice_issuer or None
    await invoices.add(invoice, _lines(sale, settings.brand))
    return invoice.id


def _invoice(sale: Sale, seller: Seller, now: datetime) -> Invoice:
    buyer = sale.buyer
    return Invoice(
        order_id=sale.order_id,
        issued_at=now,
        issued_on=warsaw_day(now),
        paid_at=sale.paid_at,
        sold_on=warsaw_day(sale.paid_at),
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
        due_at=machine_now(),
    )


def _lines(sale: Sale, brand: str) -> list[InvoiceLine]:
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
    """One company's invoices, as its people see them."""

    def __init__(self, session: TenantSession) -> None:
        self._tenant_id = session.tenant_id
        self._invoices = InvoiceRepository(session)

    async def newest(self, page: Page | None = None) -> list[InvoiceOut]:
        """The list, or a page of it, newest first."""
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
            for row in await self._invoices.newest(self._tenant_id, page)
        ]

    async def count(self) -> int:
        """How many there are in all."""
        return await self._invoices.count(self._tenant_id)

    async def sheet(self, invoice_id: UUID) -> tuple[str, bytes]:
        """The number and the PDF. Refuses what is not the company's, or not drawn yet."""
        kept = await self._invoices.file(self._tenant_id, invoice_id, FileKind.PDF)
        if kept is None:
            raise NotFoundError
        if kept.content is None:
            raise InvoiceNotReadyError(retry_after=SECONDS_TO_DRAW)
        return kept.number, kept.content
