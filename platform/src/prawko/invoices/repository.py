"""SQL of invoices: numbering, what a company reads, and what a worker goes on with."""

from collections.abc import Sequence
from datetime import date, datetime
from hashlib import sha256
from uuid import UUID

import msgspec
from sqlalchemy import select, text

from prawko.base.clock import machine_now
from prawko.base.pages import Page
from prawko.invoices.models import Invoice, InvoiceLine
from prawko.invoices.state import FileKind, State
from prawko_tenants.ids import InvoiceId, TenantId, new_id
from prawko_tenants.sessions import BatchSession, PlannerSession, TenantSession

MOST_AT_ONCE = 200

# The row of the series stays locked until the caller's transaction ends, well or badly.
_HOLD = text("""
    INSERT INTO invoice_series AS s (series, year, last) VALUES (:series, :year, 0)
    ON CONFLICT (series, year) DO UPDATE SET last = s.last
    RETURNING last
""")
_COUNT_TO = text("UPDATE invoice_series SET last = :last WHERE series = :series AND year = :year")

_NEWEST = text("""
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

_KEEP_FILE = text("""
    INSERT INTO invoice_file (tenant_id, id, invoice_id, kind, content, sha256, made_at)
    VALUES (:tenant_id, :id, :invoice_id, :kind, :content, :sha256, :made_at)
    ON CONFLICT (tenant_id, invoice_id, kind) DO NOTHING
""")
_TURN = text("""
    UPDATE invoice SET state = :after, schema = coalesce(:schema, schema)
     WHERE tenant_id = :tenant_id AND id = :id AND state = :before
    RETURNING id
""")
_DISCARD = text("""
    WITH refused AS (
        UPDATE invoice SET state = 'numbered', schema = NULL
         WHERE tenant_id = :tenant_id AND id = :id AND state = 'xml_built'
        RETURNING tenant_id, id
    )
    DELETE FROM invoice_file f USING refused r
     WHERE f.tenant_id = r.tenant_id AND f.invoice_id = r.id AND f.kind = 'xml'
""")
_DONE = text("""
    UPDATE invoice SET due_at = NULL, attempts = 0, reason = NULL
     WHERE tenant_id = :tenant_id AND id = :id
""")
_FAILED = text("""
    UPDATE invoice SET due_at = :due_at, attempts = attempts + 1, reason = :reason
     WHERE tenant_id = :tenant_id AND id = :id
""")
_FORGET = text("DELETE FROM invoice WHERE tenant_id = :tenant_id AND issued_on < :before")

_DUE = text("""
    SELECT tenant_id, id FROM invoice WHERE due_at <= :now ORDER BY due_at, id LIMIT :most
""")
_ANY_STUCK = text("""
    SELECT EXISTS (SELECT FROM invoice WHERE due_at IS NOT NULL AND attempts > 0)
""")
_ISSUED_SINCE = text("""
    SELECT tenant_id, id FROM invoice WHERE issued_on >= :since ORDER BY issued_on, id
""")
_OWNERS_OF_OLD = text("""
    SELECT DISTINCT tenant_id FROM invoice WHERE issued_on < :before ORDER BY tenant_id LIMIT :most
""")


class Listed(msgspec.Struct, frozen=True):
    """One row of a company's list."""

    id: InvoiceId
    number: str
    issued_at: datetime
    net: int
    vat: int
    gross: int
    currency: str
    issuer: str | None
    state: State
    pdf_ready: bool


class KeptFile(msgspec.Struct, frozen=True):
    """A file of an invoice; its content is None while it is not there yet."""

    number: str
    content: bytes | None


class SpoiledFileError(Exception):
    """What is stored is not what was stored."""


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
        await self._session.execute(_COUNT_TO, {"series": series, "year": year, "last": last})

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

    async def newest(self, tenant_id: TenantId, page: Page | None) -> list[Listed]:
        """The company's list, or a page of it, newest first."""
        window = {"size": page.size, "offset": page.offset} if page else {"size": None, "offset": 0}
        rows = await self._session.execute(_NEWEST, {"tenant_id": tenant_id, **window})
        return [msgspec.convert(dict(row), Listed) for row in rows.mappings()]

    async def count(self, tenant_id: TenantId) -> int:
        """How many invoices the company has."""
        return int(await self._session.scalar(_COUNT, {"tenant_id": tenant_id}))

    async def file(self, tenant_id: TenantId, id_: UUID, kind: FileKind) -> KeptFile | None:
        """A file of an invoice; None where there is no such invoice. Raises SpoiledFileError."""
        asked = {"tenant_id": tenant_id, "id": id_, "kind": kind}
        row = (await self._session.execute(_FILE, asked)).one_or_none()
        if row is None:
            return None
        if row.content is not None and sha256(row.content).digest() != row.sha256:
            raise SpoiledFileError(f"{row.number}: its {kind} was changed after it was stored")
        return KeptFile(row.number, row.content)

    async def with_lines(self, id_: UUID) -> tuple[Invoice, Sequence[InvoiceLine]] | None:
        """An invoice and its lines in their order."""
        invoice = await self._session.scalar(select(Invoice).where(Invoice.id == id_))
        if invoice is None:
            return None
        lines = select(InvoiceLine).where(InvoiceLine.invoice_id == id_)
        found = await self._session.scalars(lines.order_by(InvoiceLine.position))
        return invoice, found.all()

    async def keep_file(
        self, tenant_id: TenantId, id_: UUID, kind: FileKind, content: bytes
    ) -> None:
        """Store a file; one that is there already stays as it is."""
        row = {
            "tenant_id": tenant_id,
            "id": new_id(),
            "invoice_id": id_,
            "kind": kind,
            "content": content,
            "sha256": sha256(content).digest(),
            "made_at": machine_now(),
        }
        await self._session.execute(_KEEP_FILE, row)

    async def turn(
        self, tenant_id: TenantId, id_: UUID, before: State, after: State, schema: str | None = None
    ) -> bool:
        """Write how far it is; False when somebody else was first."""
        step = {"tenant_id": tenant_id, "id": id_, "before": before, "after": after}
        return await self._session.scalar(_TURN, {**step, "schema": schema}) is not None

    async def discard_document(self, tenant_id: TenantId, id_: UUID) -> None:
        """Throw away a document that its own check refused; one that passed stays."""
        await self._session.execute(_DISCARD, {"tenant_id": tenant_id, "id": id_})

    async def done(self, tenant_id: TenantId, id_: UUID) -> None:
        """Nothing is left to do."""
        await self._session.execute(_DONE, {"tenant_id": tenant_id, "id": id_})

    async def failed(self, tenant_id: TenantId, id_: UUID, reason: str, due_at: datetime) -> None:
        """It did not work; when to try again, by the machine's clock."""
        failure = {"tenant_id": tenant_id, "id": id_, "reason": reason, "due_at": due_at}
        await self._session.execute(_FAILED, failure)

    async def forget(self, tenant_id: TenantId, before: date) -> int:
        """Delete what was issued before a day, files and lines included."""
        done = await self._session.execute(_FORGET, {"tenant_id": tenant_id, "before": before})
        return int(done.rowcount)  # type: ignore[attr-defined]


async def due(planner: PlannerSession, now: datetime) -> list[tuple[TenantId, InvoiceId]]:
    """Some invoices of all companies that a worker goes on with, by id."""
    rows = await planner.execute(_DUE, {"now": now, "most": MOST_AT_ONCE})
    return [(row.tenant_id, row.id) for row in rows]


async def any_stuck(planner: PlannerSession) -> bool:
    """Whether any company's invoice has failed and is not done."""
    return bool(await planner.scalar(_ANY_STUCK))


async def issued_since(planner: PlannerSession, since: date) -> list[tuple[TenantId, InvoiceId]]:
    """The invoices of all companies that were issued from that day on, by id."""
    rows = await planner.execute(_ISSUED_SINCE, {"since": since})
    return [(row.tenant_id, row.id) for row in rows]


async def owners_of_old(planner: PlannerSession, before: date) -> list[TenantId]:
    """Some companies, erased ones too, with invoices that were issued before a day."""
    return list(await planner.scalars(_OWNERS_OF_OLD, {"before": before, "most": MOST_AT_ONCE}))
