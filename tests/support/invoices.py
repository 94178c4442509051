"""Sales and invoices without orders or payments."""

import dataclasses
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import msgspec

from prawko.hooks.payments import PaymentMethod
from prawko.invoices.issuance import issue_invoice
from prawko.invoices.sale import Buyer, LineKind, Sale, SaleLine
from prawko.kit.context import AppContext
from prawko_tenants.ids import TenantId

ACME_BUYER = Buyer(
    company_name="Zażółć Gęślą Jaźń Sp. z o.o.", tax_id="5260250274", street="Prosta 1",
    postal_code="90-001", city="Łódź",
)  # fmt: skip
PAID_AT = datetime(2026, 11, 21, 12, tzinfo=UTC)


def make_sale(**changes: Any) -> Sale:
    """A sale of an upgrade and a period."""
    values = {
        "order_id": uuid4(),
        "buyer": ACME_BUYER,
        "lines": (
            SaleLine(kind=LineKind.UPGRADE, driver_limit=10, days=7, net=11_67, vat=2_68),
            SaleLine(kind=LineKind.PERIOD, driver_limit=10, net=199_00, vat=45_77),
        ),
        "paid_at": PAID_AT,
        "method": PaymentMethod.BLIK,
    }
    return Sale(**{**values, **changes})


async def issue_sale(
    context: AppContext, tenant_id: UUID, sale: Sale | None = None, now: datetime = PAID_AT
) -> UUID:
    """Issue the invoice of a sale, as fulfilment does."""
    async with context.database.tenant(TenantId(tenant_id)) as session:
        return await issue_invoice(session, sale or make_sale(), context.settings, now)


def with_issuer(context: AppContext, issuer: Any = None) -> AppContext:
    """The context with an issuer of structured invoices; the installed one by default."""
    plugins = context.plugins
    if issuer is not None:
        plugins = msgspec.structs.replace(plugins, issuers={issuer.name: issuer})
    name = "ksef" if issuer is None else issuer.name
    settings = msgspec.structs.replace(context.settings, invoice_issuer=name)
    return dataclasses.replace(context, plugins=plugins, settings=settings)
