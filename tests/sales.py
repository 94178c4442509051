"""What billing sells, told to invoices without an order or a payment."""

import dataclasses
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import msgspec

from prawko.base.jobs import Tools
from prawko.hooks.payments import Method
from prawko.invoices.sale import Buyer, LineKind, Sale, SaleLine
from prawko.invoices.service import issue_invoice
from prawko_tenants.ids import TenantId

ACME = Buyer(
    company_name="Zażółć Gęślą Jaźń Sp. z o.o.", tax_id="5260250274", street="Prosta 1",
    postal_code="90-001", city="Łódź",
)  # fmt: skip
PAID_AT = datetime(2026, 11, 21, 12, tzinfo=UTC)


def sale(**more: Any) -> Sale:
    """An upgrade and the next period, paid at once."""
    given = {
        "order_id": uuid4(),
        "buyer": ACME,
        "lines": (
            SaleLine(kind=LineKind.UPGRADE, driver_limit=10, days=7, net=11_67, vat=2_68),
            SaleLine(kind=LineKind.PERIOD, driver_limit=10, net=199_00, vat=45_77),
        ),
        "paid_at": PAID_AT,
        "method": Method.BLIK,
    }
    return Sale(**{**given, **more})


async def issued(
    tools: Tools, tenant_id: UUID, sold: Sale | None = None, now: datetime = PAID_AT
) -> UUID:
    """Issue the invoice of a sale, as a fulfilment does."""
    async with tools.database.tenant(TenantId(tenant_id)) as session:
        return await issue_invoice(session, sold or sale(), tools.settings, now)


def with_issuer(tools: Tools, issuer: Any = None) -> Tools:
    """The same tools with an issuer of structured invoices; the installed one by default."""
    plugins = tools.plugins
    if issuer is not None:
        plugins = msgspec.structs.replace(plugins, issuers={issuer.name: issuer})
    name = "ksef" if issuer is None else issuer.name
    settings = msgspec.structs.replace(tools.settings, invoice_issuer=name)
    return dataclasses.replace(tools, plugins=plugins, settings=settings)
