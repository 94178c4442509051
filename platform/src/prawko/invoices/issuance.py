"""Issues the invoices of paid orders, and names their lines."""

from datetime import datetime
from uuid import UUID

from prawko.hooks.invoices import Seller
from prawko.invoices.errors import SellerNotConfiguredError
from prawko.invoices.models import Invoice, InvoiceLine
from prawko.invoices.repository import InvoiceRepository
from prawko.invoices.rules import format_number, invoice_year
from prawko.invoices.sale import LineKind, Sale, SaleLine
from prawko.kit.clock import utc_now, warsaw_date
from prawko.kit.dates import format_date
from prawko.kit.money import VAT_PERCENT
from prawko.kit.settings import Settings
from prawko.kit.text.i18n import Language, translate
from prawko_tenants.sessions import TenantSession


async def issue_invoice(
    session: TenantSession, sale: Sale, settings: Settings, now: datetime
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
    series = await invoices.lock_series(settings.invoice_series, invoice_year(now))
    existing = await invoices.find_by_order(sale.order_id)  # read under the lock
    if existing is not None:
        return existing
    series.last_serial += 1
    invoice = _to_invoice(sale, seller, now)
    invoice.series, invoice.year, invoice.serial = series.series, series.year, series.last_serial
    invoice.number = format_number(series.series, series.year, series.last_serial)
    invoice.issuer = settings.invoice_issuer or None
    invoice.lines = _build_lines(sale, settings.brand)
    await invoices.add(invoice)
    return invoice.id


def _to_invoice(sale: Sale, seller: Seller, now: datetime) -> Invoice:
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


def line_name(brand: str, sale: Sale, line: SaleLine) -> str:
    """The name of one line of a sale."""
    params: dict[str, object] = {"brand": brand, "limit": line.driver_limit}
    kind = line.kind.value
    if line.kind is LineKind.PERIOD and sale.period_from and sale.period_to:
        kind = "period_dated"
        first, last = warsaw_date(sale.period_from), warsaw_date(sale.period_to)
        params["first"] = format_date(first)
        params["last"] = format_date(last)
    elif line.kind is LineKind.UPGRADE and line.days is not None:
        kind = "upgrade_days"
        params["days"] = line.days
    return translate(f"invoices.lines.{kind}", Language.PL, **params)
