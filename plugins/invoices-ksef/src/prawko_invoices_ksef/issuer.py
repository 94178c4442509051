"""The issuer that the platform knows: both its works block, and run in a thread.

The client and lxml are loaded with the first invoice: the panel loads this plugin, too, and
never writes one.
"""

import asyncio

from prawko.hooks.invoices import Invoice, StructuredInvoice

SCHEMA = "FA (3) 1-0E"


class KsefIssuer:
    """Writes FA(3) and holds it against the ministry's schema, offline."""

    name = "ksef"

    async def issue(self, invoice: Invoice) -> StructuredInvoice:
        """Write the document; its time of making is the invoice's own, so it comes out alike."""
        return StructuredInvoice(await asyncio.to_thread(_write, invoice), SCHEMA)

    async def check(self, document: StructuredInvoice) -> None:
        """Hold the bytes against the schema, and the sums of the lines against the totals."""
        await asyncio.to_thread(_check, document.xml)

    async def close(self) -> None:
        """Nothing is open."""


def _write(invoice: Invoice) -> bytes:
    from prawko_invoices_ksef.fa3 import written  # noqa: PLC0415 (see above)

    return written(invoice)


def _check(xml: bytes) -> None:
    from prawko_invoices_ksef.fa3 import checked  # noqa: PLC0415

    checked(xml)
