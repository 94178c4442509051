"""Tables of invoices: invoices, their lines and files, and the series of numbers.

No login may change an amount, a name or a number of an issued invoice. An invoice outlives its
company (docs/rules.md R22), so none of these tables refers to the company's row.
"""

from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from prawko.hooks.payments import PaymentMethod
from prawko.invoices.sale import LineKind
from prawko_tenants.base import (
    Base,
    EnumText,
    GlobalTable,
    RetainedTable,
    enum_check,
    tenant_foreign_key,
)
from prawko_tenants.ids import InvoiceId


class InvoiceState(StrEnum):
    """The stored states; those from `queued` on are for sending to KSeF."""

    NUMBERED = "numbered"
    XML_BUILT = "xml_built"  # stored, and never rendered again
    XSD_OK = "xsd_ok"
    QUEUED = "queued"
    SESSION_SENT = "session_sent"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class InvoiceFileKind(StrEnum):
    """The kinds of files of an invoice."""

    PDF = "pdf"
    XML = "xml"
    UPO = "upo"  # the receipt of KSeF


class Invoice(RetainedTable, Base):
    """An issued invoice, with seller and buyer as they were. Amounts in grosze.

    `issuer` is the plugin that renders the structured invoice, None if there is none.
    `next_attempt_at` (system clock) is when a worker next builds its documents; None when done.
    """

    __tablename__ = "invoice"
    __table_args__ = (
        UniqueConstraint("tenant_id", "order_id"),
        UniqueConstraint("tenant_id", "number"),
        CheckConstraint("gross = net + vat AND net >= 0 AND vat >= 0", name="sums"),
        enum_check("method", *PaymentMethod),
        enum_check("state", *InvoiceState),
        Index(
            "ix_invoice_next_attempt",
            "tenant_id",
            "next_attempt_at",
            postgresql_where=text("next_attempt_at IS NOT NULL"),
        ),
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
    method: Mapped[PaymentMethod] = mapped_column(EnumText(PaymentMethod))
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
    state: Mapped[InvoiceState] = mapped_column(
        EnumText(InvoiceState), default=InvoiceState.NUMBERED, server_default=InvoiceState.NUMBERED
    )
    schema: Mapped[str | None]
    ksef_number: Mapped[str | None]
    reason: Mapped[str | None]
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    next_attempt_at: Mapped[datetime | None]
    lines: Mapped[list["InvoiceLine"]] = relationship(
        order_by="InvoiceLine.position", lazy="raise", passive_deletes=True
    )


class InvoiceLine(RetainedTable, Base):
    """A line of an invoice; `position` counts from 1."""

    __tablename__ = "invoice_line"
    __table_args__ = (
        tenant_foreign_key("invoice_id", "invoice.id"),
        UniqueConstraint("tenant_id", "invoice_id", "position"),
        enum_check("kind", *LineKind),
    )

    invoice_id: Mapped[InvoiceId]
    position: Mapped[int]
    kind: Mapped[LineKind] = mapped_column(EnumText(LineKind))
    driver_limit: Mapped[int]
    days: Mapped[int | None]
    name: Mapped[str]
    net: Mapped[int] = mapped_column(BigInteger)
    vat: Mapped[int] = mapped_column(BigInteger)
    vat_percent: Mapped[int]


class InvoiceFile(RetainedTable, Base):
    """A file of an invoice; no login may change its content."""

    __tablename__ = "invoice_file"
    __table_args__ = (
        tenant_foreign_key("invoice_id", "invoice.id"),
        UniqueConstraint("tenant_id", "invoice_id", "kind"),
        enum_check("kind", *InvoiceFileKind),
    )

    invoice_id: Mapped[InvoiceId]
    kind: Mapped[InvoiceFileKind] = mapped_column(EnumText(InvoiceFileKind))
    content: Mapped[bytes]
    sha256: Mapped[bytes]
    created_at: Mapped[datetime]


class InvoiceSeries(GlobalTable, Base):
    """The last serial of a series and year; the row is locked while an invoice is numbered."""

    __tablename__ = "invoice_series"

    series: Mapped[str] = mapped_column(primary_key=True)
    year: Mapped[int] = mapped_column(primary_key=True)
    last_serial: Mapped[int]
