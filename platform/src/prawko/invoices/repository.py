"""SQL of invoices: numbering, and what is read of one company's."""

from uuid import UUID

from sqlalchemy import select, text

from prawko.invoices.models import Invoice, InvoiceLine
from prawko_tenants.ids import InvoiceId
from prawko_tenants.sessions import BatchSession, TenantSession

# The row of the series stays locked until the caller's transaction ends, well or badly.
_HOLD = text("""
    INSERT INTO invoice_series AS s (series, year, last) VALUES (:series, :year, 0)
    ON CONFLICT (series, year) DO UPDATE SET last = s.last
    RETURNING last
""")
_COUNT = text("UPDATE invoice_series SET last = :last WHERE series = :series AND year = :year")


class InvoiceRepository:
    """One company's invoices, in the caller's transaction."""

    def __init__(self, session: TenantSession | BatchSession) -> None:
        self._session = session

    async def hold_series(self, series: str, year: int) -> int:
        """The last serial of a series; who else asks waits for this transaction's end."""
        last = await self._session.scalar(_HOLD, {"series": series, "year": year})
        return int(last)

    async def count_to(self, series: str, year: int, last: int) -> None:
        """Write how far the held series is counted."""
        await self._session.execute(_COUNT, {"series": series, "year": year, "last": last})

    async def of_order(self, order_id: UUID) -> InvoiceId | None:
        """The invoice of an order, if there is one."""
        mine = select(Invoice.id).where(Invoice.order_id == order_id)
        found: InvoiceId | None = await self._session.scalar(mine)
        return found

    async def add(self, invoice: Invoice, lines: list[InvoiceLine]) -> None:
        """Write an invoice and its lines."""
        self._session.add(invoice)
        await self._session.flush()
        for line in lines:
            line.invoice_id = InvoiceId(invoice.id)
        self._session.add_all(lines)
        await self._session.flush()
