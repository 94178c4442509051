"""Payments, mandates, what does not add up, and providers that rest."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from prawko.payments.settling import State
from prawko_tenants.base import Base, ControlTable, GlobalTable, TenantTable, one_of
from prawko_tenants.ids import TenantId, new_id

KINDS = (
    "paid_twice",
    "wrong_amount",
    "wrong_currency",
    "unknown_payment",
    "void_order",
    "refunded_elsewhere",
    "suspended",
)


class Payment(ControlTable, Base):
    """One try at paying an order with one provider, which knows it by `key`.

    Without a key to the company: money outlives it (docs/personal-data.md). `provider_ref` is
    the provider's name for it; once it is paid, of what paid it. `mandate_id` is there where a
    mandate is charged, and then `sealed` holds what the provider must be told of the payer
    until it ends. `given_back` is how much of it operators asked its provider to give back.
    Leases go by the machine's clock, all else by the product's.
    """

    __tablename__ = "payment"
    __table_args__ = (
        one_of("state", *State),
        Index(None, "tenant_id", "order_id", "id"),
        Index("ix_payment_asked", "next_ask_at", postgresql_where=text("next_ask_at IS NOT NULL")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    tenant_id: Mapped[TenantId]
    key: Mapped[str] = mapped_column(unique=True)
    order_id: Mapped[UUID]
    provider: Mapped[str]
    method: Mapped[str]
    grosze: Mapped[int] = mapped_column(BigInteger)
    currency: Mapped[str]
    save: Mapped[bool]
    state: Mapped[str]
    provider_ref: Mapped[str | None]
    url: Mapped[str | None]
    transfer: Mapped[dict[str, Any] | None]
    mandate_id: Mapped[UUID | None]
    sealed: Mapped[bytes | None]
    reason: Mapped[str | None]
    open_until: Mapped[datetime | None]
    next_ask_at: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    lease_until: Mapped[datetime | None]
    created_at: Mapped[datetime]
    settled_at: Mapped[datetime | None]
    given_back: Mapped[int] = mapped_column(BigInteger, default=0, server_default=text("0"))


class PaymentMandate(TenantTable, Base):
    """A saved card or a standing consent. Its token is sealed with the key that is named."""

    __tablename__ = "payment_mandate"

    provider: Mapped[str]
    method: Mapped[str]
    token: Mapped[bytes]
    key_id: Mapped[str]
    label: Mapped[str]
    created_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class PaymentFinding(GlobalTable, Base):
    """Money that does not match: shown to operators until one of them settles it.

    It says the same once, however often it is found. Without a key to the company, and naming
    nobody. `told_at` is set when its incident has been opened; `given_back` is what an operator
    asked its provider to give back for it.
    """

    __tablename__ = "payment_finding"
    __table_args__ = (
        one_of("kind", *KINDS),
        UniqueConstraint(
            "kind",
            "provider",
            "key",
            "provider_ref",
            "grosze",
            "currency",
            name="uq_payment_finding_said",
        ),
        Index(None, "found_at", postgresql_where=text("settled_at IS NULL")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    kind: Mapped[str]
    provider: Mapped[str]
    key: Mapped[str]
    provider_ref: Mapped[str]
    grosze: Mapped[int] = mapped_column(BigInteger)
    currency: Mapped[str]
    tenant_id: Mapped[TenantId | None]
    detail: Mapped[str]
    found_at: Mapped[datetime]
    told_at: Mapped[datetime | None]
    settled_at: Mapped[datetime | None]
    settled_note: Mapped[str | None]
    given_back: Mapped[int | None] = mapped_column(BigInteger)


class PaymentPause(GlobalTable, Base):
    """A provider that refused our own account and rests; gone when it has answered again."""

    __tablename__ = "payment_pause"

    provider: Mapped[str] = mapped_column(primary_key=True)
    since: Mapped[datetime]
    paused_until: Mapped[datetime]
    reason: Mapped[str]
