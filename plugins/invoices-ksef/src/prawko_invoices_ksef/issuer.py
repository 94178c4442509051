"""The KSeF issuer: rendering and validating block, so they run in a thread.

`ksef_client` and lxml are imported with the first invoice, because web processes load this
plugin as well and never render one.
"""

import asyncio

from prawko.hooks.invoices import InvoiceData, StructuredInvoice

SCHEMA_NAME = "FA (3) 1-0E"


class KsefIssuer:
    """Renders FA(3) and validates it against the ministry's schema, offline."""

    name = "ksef"

    async def render(self, invoice: InvoiceData) -> StructuredInvoice:
        return StructuredInvoice(await asyncio.to_thread(_render, invoice), SCHEMA_NAME)

    async def validate(self, document: StructuredInvoice) -> None:
        await asyncio.to_thread(_validate, document.xml)

    async def close(self) -> None:
        """Do nothing: there are no connections."""


def _render(invoice: InvoiceData) -> bytes:
    from prawko_invoices_ksef.fa3 import render_xml  # noqa: PLC0415 (see above)

    return render_xml(invoice)


def _validate(xml: bytes) -> None:
    from prawko_invoices_ksef.fa3 import validate_xml  # noqa: PLC0415

    validate_xml(xml)
