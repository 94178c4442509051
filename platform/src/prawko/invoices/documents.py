"""From rows to the invoice that sheets and issuers see. Pure."""

from collections.abc import Sequence

from prawko.hooks import invoices as hook
from prawko.hooks.payments import Method
from prawko.invoices.models import Invoice, InvoiceLine


def as_issued(invoice: Invoice, lines: Sequence[InvoiceLine]) -> hook.Invoice:
    """What was issued, with nothing of the company but what stands on paper."""
    return hook.Invoice(
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
            hook.InvoiceLine(
                name=line.name, net=line.net, vat=line.vat, vat_percent=line.vat_percent
            )
            for line in lines
        ),
        method=Method(invoice.method),
        currency=invoice.currency,
        ksef_number=invoice.ksef_number,
    )
