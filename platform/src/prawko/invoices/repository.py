"""Stores and reads invoices, their lines and files, and the series of numbers."""

from collections.abc import Sequence
from datetime import date, datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Row, and_, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import selectinload

from prawko.invoices.models import (
    Invoice,
    InvoiceFile,
    InvoiceFileKind,
    InvoiceSeries,
    InvoiceState,
)
from prawko.kit.clock import utc_now
from prawko.kit.database import Pagination
from prawko_tenants.ids import InvoiceId, TenantId
from prawko_tenants.sessions import PlannerSession, TenantSession

MAX_BATCH_SIZE = 200


class StoredInvoiceFile(msgspec.Struct, frozen=True):
    """A file of an invoice; its content is None until it is built."""

    number: str
    content: bytes | None


class CorruptedFileError(Exception):
    """A stored file does not match its hash, or is missing."""


class InvoiceRepository:
    """One company's invoices, in the session's transaction."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def lock_series(self, name: str, year: int) -> InvoiceSeries:
        """Lock a series until the transaction ends; a new one is created."""
        row = insert(InvoiceSeries).values(series=name, year=year, last_serial=0)
        locked = row.on_conflict_do_update(
            index_elements=[InvoiceSeries.series, InvoiceSeries.year],
            set_={"last_serial": InvoiceSeries.last_serial},
        ).returning(InvoiceSeries)
        fresh = {"populate_existing": True}
        return (await self._session.scalars(locked, execution_options=fresh)).one()

    async def find_by_order(self, order_id: UUID) -> UUID | None:
        """The id of an order's invoice, if there is one."""
        return await self._session.scalar(select(Invoice.id).where(Invoice.order_id == order_id))

    async def add(self, invoice: Invoice) -> None:
        """Insert an invoice and its lines."""
        self._session.add(invoice)
        await self._session.flush()

    async def list_newest(self, pagination: Pagination | None) -> Sequence[Row[Invoice, bool]]:
        """The company's invoices or a page of them, newest first, each with `pdf_ready`."""
        pdf_ready = _file_of_invoice(InvoiceFileKind.PDF)
        statement = select(Invoice, InvoiceFile.id.is_not(None).label("pdf_ready"))
        statement = statement.outerjoin(InvoiceFile, pdf_ready).order_by(Invoice.id.desc())
        if pagination is not None:
            statement = statement.limit(pagination.size).offset(pagination.offset)
        return (await self._session.execute(statement)).all()

    async def count(self) -> int:
        """The number of the company's invoices."""
        return await self._session.scalar(select(func.count(Invoice.id))) or 0

    async def get_file(self, invoice_id: UUID, kind: InvoiceFileKind) -> StoredInvoiceFile | None:
        """A file of an invoice; None if there is no such invoice. Raises CorruptedFileError."""
        statement = (
            select(Invoice.number, InvoiceFile.content, InvoiceFile.sha256)
            .outerjoin(InvoiceFile, _file_of_invoice(kind))
            .where(Invoice.id == invoice_id)
        )
        row = (await self._session.execute(statement)).one_or_none()
        if row is None:
            return None
        if row.content is not None and sha256(row.content).digest() != row.sha256:
            raise CorruptedFileError(f"{row.number}: its {kind} was changed after it was stored")
        return StoredInvoiceFile(row.number, row.content)

    async def get(self, invoice_id: UUID) -> Invoice | None:
        """An invoice with its lines in order."""
        statement = select(Invoice).where(Invoice.id == invoice_id)
        return await self._session.scalar(statement.options(selectinload(Invoice.lines)))

    async def save_file(self, invoice_id: UUID, kind: InvoiceFileKind, content: bytes) -> None:
        """Save a file; no effect if there is one of this kind."""
        row = insert(InvoiceFile).values(
            tenant_id=self._session.tenant_id,
            invoice_id=invoice_id,
            kind=kind,
            content=content,
            sha256=sha256(content).digest(),
            created_at=utc_now(),
        )
        unique = [InvoiceFile.tenant_id, InvoiceFile.invoice_id, InvoiceFile.kind]
        await self._session.execute(row.on_conflict_do_nothing(index_elements=unique))

    async def transition(
        self, invoice_id: UUID, before: InvoiceState, after: InvoiceState, **changes: str | None
    ) -> bool:
        """Change the state, and the `schema` if given; False if it is not `before` any more."""
        changed = await self._session.scalar(
            update(Invoice)
            .where(Invoice.id == invoice_id, Invoice.state == before)
            .values(state=after, **changes)
            .returning(Invoice.id)
        )
        return changed is not None

    async def discard_xml(self, invoice_id: UUID) -> None:
        """Delete a structured document that was not validated, and reset the state."""
        if await self.transition(
            invoice_id, InvoiceState.XML_BUILT, InvoiceState.NUMBERED, schema=None
        ):
            await self._session.execute(
                delete(InvoiceFile).where(
                    InvoiceFile.invoice_id == invoice_id, InvoiceFile.kind == InvoiceFileKind.XML
                )
            )

    async def mark_done(self, invoice_id: UUID) -> None:
        """Mark the invoice's documents as complete."""
        done = update(Invoice).where(Invoice.id == invoice_id)
        await self._session.execute(done.values(next_attempt_at=None, attempts=0, reason=None))

    async def mark_failed(self, invoice_id: UUID, reason: str, next_attempt_at: datetime) -> None:
        """Save a failure and the time of the next attempt (system clock)."""
        await self._session.execute(
            update(Invoice)
            .where(Invoice.id == invoice_id)
            .values(next_attempt_at=next_attempt_at, attempts=Invoice.attempts + 1, reason=reason)
        )

    async def purge(self, before: date) -> int:
        """Delete invoices issued before a date, with files and lines; their number."""
        purged = await self._session.scalars(
            delete(Invoice).where(Invoice.issued_on < before).returning(Invoice.id)
        )
        return len(purged.all())


def _file_of_invoice(kind: InvoiceFileKind) -> Any:
    """The condition that joins an invoice with its file of a kind."""
    return and_(
        InvoiceFile.tenant_id == Invoice.tenant_id,
        InvoiceFile.invoice_id == Invoice.id,
        InvoiceFile.kind == kind,
    )


async def find_due(planner: PlannerSession, now: datetime) -> list[tuple[TenantId, InvoiceId]]:
    """Invoices of all companies whose documents are due, at most MAX_BATCH_SIZE."""
    due = select(Invoice.tenant_id, Invoice.id).where(Invoice.next_attempt_at <= now)
    due = due.order_by(Invoice.next_attempt_at, Invoice.id).limit(MAX_BATCH_SIZE)
    return [(TenantId(row.tenant_id), InvoiceId(row.id)) for row in await planner.execute(due)]


async def has_stuck(planner: PlannerSession) -> bool:
    """Whether any invoice of any company has failed and is not complete."""
    stuck = select(Invoice.id).where(Invoice.next_attempt_at.is_not(None), Invoice.attempts > 0)
    return await planner.scalar(stuck.limit(1)) is not None


async def find_issued_since(
    planner: PlannerSession, since: date
) -> list[tuple[TenantId, InvoiceId]]:
    """The invoices of all companies issued on or after a date, in order."""
    issued = select(Invoice.tenant_id, Invoice.id).where(Invoice.issued_on >= since)
    rows = await planner.execute(issued.order_by(Invoice.issued_on, Invoice.id))
    return [(TenantId(row.tenant_id), InvoiceId(row.id)) for row in rows]


async def tenants_with_expired(planner: PlannerSession, before: date) -> Sequence[TenantId]:
    """Companies, erased ones included, with invoices issued before a date.

    At most MAX_BATCH_SIZE.
    """
    expired = select(Invoice.tenant_id).where(Invoice.issued_on < before).distinct()
    return (await planner.scalars(expired.order_by(Invoice.tenant_id).limit(MAX_BATCH_SIZE))).all()
