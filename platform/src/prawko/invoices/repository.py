"""SQL of invoices: numbering, reads for the panel, and the work of the document builder."""

from collections.abc import Sequence
from datetime import date, datetime
from hashlib import sha256
from uuid import UUID

import msgspec
from sqlalchemy import select, text

from prawko.base.clock import utc_now
from prawko.base.pagination import Pagination
from prawko.invoices.models import Invoice, InvoiceLine
from prawko.invoices.state import InvoiceFileKind, InvoiceState
from prawko_tenants.ids import InvoiceId, TenantId, new_id
from prawko_tenants.sessions import BatchSession, PlannerSession, TenantSession

MAX_BATCH_SIZE = 200

# The row of the series stays locked until the caller's transaction ends.
_LOCK_SERIES = text("""
    INSERT INTO invoice_series AS s (series, year, last_serial) VALUES (:series, :year, 0)
    ON CONFLICT (series, year) DO UPDATE SET last_serial = s.last_serial
    RETURNING last_serial
""")
_SET_LAST_SERIAL = text(
    "UPDATE invoice_series SET last_serial = :last_serial WHERE series = :series AND year = :year"
)

_LIST_NEWEST = text("""
    SELECT i.id, i.number, i.issued_at, i.net, i.vat, i.gross, i.currency, i.issuer, i.state,
           EXISTS (SELECT FROM invoice_file f
                    WHERE f.tenant_id = i.tenant_id AND f.invoice_id = i.id AND f.kind = 'pdf')
           AS pdf_ready
      FROM invoice i WHERE i.tenant_id = :tenant_id ORDER BY i.id DESC LIMIT :size OFFSET :offset
""")
_COUNT = text("SELECT count(*) FROM invoice WHERE tenant_id = :tenant_id")
_FILE = text("""
    SELECT i.number, f.content, f.sha256
      FROM invoice i LEFT JOIN invoice_file f
        ON f.tenant_id = i.tenant_id AND f.invoice_id = i.id AND f.kind = :kind
     WHERE i.tenant_id = :tenant_id AND i.id = :id
""")

_SAVE_FILE = text("""
    INSERT INTO invoice_file (tenant_id, id, invoice_id, kind, content, sha256, created_at)
    VALUES (:tenant_id, :id, :invoice_id, :kind, :content, :sha256, :created_at)
    ON CONFLICT (tenant_id, invoice_id, kind) DO NOTHING
""")
_TRANSITION = text("""
    UPDATE invoice SET state = :after, schema = coalesce(:schema, schema)
     WHERE tenant_id = :tenant_id AND id = :id AND state = :before
    RETURNING id
""")
_DISCARD_DOCUMENT = text("""
    WITH reset AS (
        UPDATE invoice SET state = 'numbered', schema = NULL
         WHERE tenant_id = :tenant_id AND id = :id AND state = 'xml_built'
        RETURNING tenant_id, id
    )
    DELETE FROM invoice_file f USING reset r
     WHERE f.tenant_id = r.tenant_id AND f.invoice_id = r.id AND f.kind = 'xml'
""")
_MARK_DONE = text("""
    UPDATE invoice SET next_attempt_at = NULL, attempts = 0, reason = NULL
     WHERE tenant_id = :tenant_id AND id = :id
""")
_MARK_FAILED = text("""
    UPDATE invoice SET next_attempt_at = :next_attempt_at, attempts = attempts + 1, reason = :reason
     WHERE tenant_id = :tenant_id AND id = :id
""")
_PURGE = text("DELETE FROM invoice WHERE tenant_id = :tenant_id AND issued_on < :before")

_DUE = text("""
    SELECT tenant_id, id FROM invoice
     WHERE next_attempt_at <= :now ORDER BY next_attempt_at, id LIMIT :limit
""")
_ANY_STUCK = text("""
    SELECT EXISTS (SELECT FROM invoice WHERE next_attempt_at IS NOT NULL AND attempts > 0)
""")
_ISSUED_SINCE = text("""
    SELECT tenant_id, id FROM invoice WHERE issued_on >= :since ORDER BY issued_on, id
""")
_TENANTS_WITH_EXPIRED = text("""
    SELECT DISTINCT tenant_id FROM invoice WHERE issued_on < :before ORDER BY tenant_id LIMIT :limit
""")


class InvoiceListRow(msgspec.Struct, frozen=True):
    """A row of the company's list of invoices."""

    id: InvoiceId
    number: str
    issued_at: datetime
    net: int
    vat: int
    gross: int
    currency: str
    issuer: str | None
    state: InvoiceState
    pdf_ready: bool


class StoredInvoiceFile(msgspec.Struct, frozen=True):
    """A file of an invoice; its content is None until it is built."""

    number: str
    content: bytes | None


class CorruptedFileError(Exception):
    """A stored file does not match its hash, or is missing."""


class InvoiceRepository:
    """One company's invoices, in the session's transaction."""

    def __init__(self, session: TenantSession | BatchSession) -> None:
        self._session = session

    async def lock_series(self, series: str, year: int) -> int:
        """Lock a series until the transaction ends; its last serial, 0 for a new one."""
        last_serial = await self._session.scalar(_LOCK_SERIES, {"series": series, "year": year})
        return int(last_serial)

    async def set_last_serial(self, series: str, year: int, last_serial: int) -> None:
        """Save the last serial of the locked series."""
        await self._session.execute(
            _SET_LAST_SERIAL, {"series": series, "year": year, "last_serial": last_serial}
        )

    async def find_by_order(self, order_id: UUID) -> InvoiceId | None:
        """The id of an order's invoice, if there is one."""
        statement = select(Invoice.id).where(Invoice.order_id == order_id)
        invoice_id: InvoiceId | None = await self._session.scalar(statement)
        return invoice_id

    async def add(self, invoice: Invoice, lines: list[InvoiceLine]) -> None:
        """Insert an invoice and its lines."""
        self._session.add(invoice)
        await self._session.flush()
        for line in lines:
            line.invoice_id = InvoiceId(invoice.id)
        self._session.add_all(lines)
        await self._session.flush()

    async def list_newest(
        self, tenant_id: TenantId, pagination: Pagination | None
    ) -> list[InvoiceListRow]:
        """The company's invoices or a page of them, newest first."""
        page = (
            {"size": pagination.size, "offset": pagination.offset}
            if pagination
            else {"size": None, "offset": 0}
        )
        rows = await self._session.execute(_LIST_NEWEST, {"tenant_id": tenant_id, **page})
        return [msgspec.convert(dict(row), InvoiceListRow) for row in rows.mappings()]

    async def count(self, tenant_id: TenantId) -> int:
        """The number of the company's invoices."""
        return int(await self._session.scalar(_COUNT, {"tenant_id": tenant_id}))

    async def get_file(
        self, tenant_id: TenantId, id_: UUID, kind: InvoiceFileKind
    ) -> StoredInvoiceFile | None:
        """A file of an invoice; None if there is no such invoice. Raises CorruptedFileError."""
        params = {"tenant_id": tenant_id, "id": id_, "kind": kind}
        row = (await self._session.execute(_FILE, params)).one_or_none()
        if row is None:
            return None
        if row.content is not None and sha256(row.content).digest() != row.sha256:
            raise CorruptedFileError(f"{row.number}: its {kind} was changed after it was stored")
        return StoredInvoiceFile(row.number, row.content)

    async def get_with_lines(self, id_: UUID) -> tuple[Invoice, Sequence[InvoiceLine]] | None:
        """An invoice and its lines in order; None if there is none."""
        invoice = await self._session.scalar(select(Invoice).where(Invoice.id == id_))
        if invoice is None:
            return None
        lines = select(InvoiceLine).where(InvoiceLine.invoice_id == id_)
        rows = await self._session.scalars(lines.order_by(InvoiceLine.position))
        return invoice, rows.all()

    async def save_file(
        self, tenant_id: TenantId, id_: UUID, kind: InvoiceFileKind, content: bytes
    ) -> None:
        """Save a file; no effect if there is one of this kind."""
        row = {
            "tenant_id": tenant_id,
            "id": new_id(),
            "invoice_id": id_,
            "kind": kind,
            "content": content,
            "sha256": sha256(content).digest(),
            "created_at": utc_now(),
        }
        await self._session.execute(_SAVE_FILE, row)

    async def transition(
        self,
        tenant_id: TenantId,
        id_: UUID,
        before: InvoiceState,
        after: InvoiceState,
        schema: str | None = None,
    ) -> bool:
        """Change the state; False if it is not `before` any more."""
        params = {"tenant_id": tenant_id, "id": id_, "before": before, "after": after}
        return await self._session.scalar(_TRANSITION, {**params, "schema": schema}) is not None

    async def discard_document(self, tenant_id: TenantId, id_: UUID) -> None:
        """Delete a structured document that was not validated, and reset the state."""
        await self._session.execute(_DISCARD_DOCUMENT, {"tenant_id": tenant_id, "id": id_})

    async def mark_done(self, tenant_id: TenantId, id_: UUID) -> None:
        """Mark the invoice's documents as complete."""
        await self._session.execute(_MARK_DONE, {"tenant_id": tenant_id, "id": id_})

    async def mark_failed(
        self, tenant_id: TenantId, id_: UUID, reason: str, next_attempt_at: datetime
    ) -> None:
        """Save a failure and the time of the next attempt (system clock)."""
        params = {
            "tenant_id": tenant_id,
            "id": id_,
            "reason": reason,
            "next_attempt_at": next_attempt_at,
        }
        await self._session.execute(_MARK_FAILED, params)

    async def purge(self, tenant_id: TenantId, before: date) -> int:
        """Delete invoices issued before a date, with files and lines; their number."""
        result = await self._session.execute(_PURGE, {"tenant_id": tenant_id, "before": before})
        return int(result.rowcount)  # type: ignore[attr-defined]


async def find_due(planner: PlannerSession, now: datetime) -> list[tuple[TenantId, InvoiceId]]:
    """Invoices of all companies whose documents are due, at most MAX_BATCH_SIZE."""
    rows = await planner.execute(_DUE, {"now": now, "limit": MAX_BATCH_SIZE})
    return [(row.tenant_id, row.id) for row in rows]


async def has_stuck(planner: PlannerSession) -> bool:
    """Whether any invoice of any company has failed and is not complete."""
    return bool(await planner.scalar(_ANY_STUCK))


async def find_issued_since(
    planner: PlannerSession, since: date
) -> list[tuple[TenantId, InvoiceId]]:
    """The invoices of all companies issued on or after a date, in order."""
    rows = await planner.execute(_ISSUED_SINCE, {"since": since})
    return [(row.tenant_id, row.id) for row in rows]


async def tenants_with_expired(planner: PlannerSession, before: date) -> list[TenantId]:
    """Companies, erased ones included, with invoices issued before a date.

    At most MAX_BATCH_SIZE.
    """
    params = {"before": before, "limit": MAX_BATCH_SIZE}
    return list(await planner.scalars(_TENANTS_WITH_EXPIRED, params))
