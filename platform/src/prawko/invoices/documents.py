"""Converts stored invoices to the data that issuers and the PDF renderer take."""

from prawko.hooks import invoices as hook
from prawko.invoices.models import Invoice


def to_issuer_invoice(invoice: Invoice) -> hook.InvoiceData:
    """The invoice as issued, without ids or anything else that is not printed on it."""
    return hook.InvoiceData(
        number=invoice.number,
        issued_at=invoice.issued_at,
        issued_on=invoice.issued_on,
        sold_on=invoice.sold_on,
        seller=hook.Seller(
            name=invoice.seller_name,
            tax_id=invoice.seller_tax_id,
            street=invoice.seller_street,
            postal_code=invoice.seller_postal_code,
            city=invoice.seller_city,
            iban=invoice.seller_iban,
        ),
        buyer=hook.Party(
            name=invoice.buyer_name,
            tax_id=invoice.buyer_tax_id,
            street=invoice.buyer_street,
            postal_code=invoice.buyer_postal_code,
            city=invoice.buyer_city,
        ),
        lines=tuple(
            hook.InvoiceLineData(
                name=line.name, net=line.net, vat=line.vat, vat_percent=line.vat_percent
            )
            for line in invoice.lines
        ),
        method=invoice.method,
        currency=invoice.currency,
        ksef_number=invoice.ksef_number,
    )
