"""Invoices, their lines and files, and the count of each series.

What is issued is a fact: no login may change an amount, a name or a number. An invoice outlives
its company (reading R22), so none of these tables hangs on the company's row.
"""

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from prawko.hooks.payments import Method
from prawko.invoices.sale import LineKind
from prawko.invoices.state import FileKind, State
from prawko_tenants.base import Base, GlobalTable, OutlivingTable, one_of
from prawko_tenants.ids import InvoiceId


class Invoice(OutlivingTable, Base):
    """One issued invoice, with seller and buyer as they were. Amounts are grosze.

    `issuer` is the structured invoices' issuer when it was numbered, None where there was none.
    `due_at`, by the machine's clock, is when a worker next goes on with it; None: it is done.
    """

    __tablename__ = "invoice"
    __table_args__ = (
        UniqueConstraint("tenant_id", "order_id"),
        UniqueConstraint("tenant_id", "number"),
        CheckConstraint("gross = net + vat AND net >= 0 AND vat >= 0", name="sums"),
        one_of("method", *Method),
        one_of("state", *State),
        Index("ix_invoice_due", "tenant_id", "due_at", postgresql_where=text("due_at IS NOT NULL")),
    )

    order_id: Mapped[UUID]
    series: Mapped[str]
    year: Mapped[int]
    serial: Mapped[int]
    number: Mapped[str]
    issued_at: Mapped[datetime]
    issued_on: Mapped[date]
    paid_at: Mapped[datetime]
    sold_on: Mapped[date]
    method: Mapped[str]
    seller_name: Mapped[str]
    seller_tax_id: Mapped[str]
    seller_street: Mapped[str]
    seller_postal_code: Mapped[str]
    seller_city: Mapped[str]
    seller_iban: Mapped[str] = mapped_column(default="", server_default="")
    buyer_name: Mapped[str]
    buyer_tax_id: Mapped[str]
    buyer_street: Mapped[str]
    buyer_postal_code: Mapped[str]
    buyer_city: Mapped[str]
    net: Mapped[int] = mapped_column(BigInteger)
    vat: Mapped[int] = mapped_column(BigInteger)
    gross: Mapped[int] = mapped_column(BigInteger)
    currency: Mapped[str] = mapped_column(default="PLN", server_default="PLN")
    issuer: Mapped[str | None]
    state: Mapped[str] = mapped_column(default=State.NUMBERED, server_default=State.NUMBERED)
    schema: Mapped[str | None]
    session_ref: Mapped[str | None]
    ksef_number: Mapped[str | None]
    reason: Mapped[str | None]
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    due_at: Mapped[datetime | None]


class InvoiceLine(OutlivingTable, Base):
    """One line; `position` counts from one."""

    __tablename__ = "invoice_line"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant_id", "invoice_id"], [Invoice.tenant_id, Invoice.id], ondelete="CASCADE"
        ),
        UniqueConstraint("tenant_id", "invoice_id", "position"),
        one_of("kind", *LineKind),
    )

    invoice_id: Mapped[InvoiceId]
    position: Mapped[int]
    kind: Mapped[str]
    driver_limit: Mapped[int]
    days: Mapped[int | None]
    name: Mapped[str]
    net: Mapped[int] = mapped_column(BigInteger)
    vat: Mapped[int] = mapped_column(BigInteger)
    vat_percent: Mapped[int]


class InvoiceFile(OutlivingTable, Base):
    """A file of an invoice, to the byte; no login may change what was stored."""

    __tablename__ = "invoice_file"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant_id", "invoice_id"], [Invoice.tenant_id, Invoice.id], ondelete="CASCADE"
        ),
        UniqueConstraint("tenant_id", "invoice_id", "kind"),
        one_of("kind", *FileKind),
    )

    invoice_id: Mapped[InvoiceId]
    kind: Mapped[str]
    content: Mapped[bytes]
    sha256: Mapped[bytes]
    made_at: Mapped[datetime]


class InvoiceSeries(GlobalTable, Base):
    """How far a series is counted; its row is locked while an invoice is numbered."""

    __tablename__ = "invoice_series"

    series: Mapped[str] = mapped_column(primary_key=True)
    year: Mapped[int] = mapped_column(primary_key=True)
    last: Mapped[int]
