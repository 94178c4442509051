"""Subscriptions, their history, and who has had the trial."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from sqlalchemy import ForeignKey, ForeignKeyConstraint, Index, Numeric, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from prawko.billing.status import Status
from prawko_tenants.base import Base, GlobalTable, TenantTable, one_of
from prawko_tenants.company import Tenant
from prawko_tenants.ids import SubscriptionId, TenantId, new_id


class Subscription(TenantTable, Base):
    """A company's right to use the panel, until `end_date`, for so many drivers.

    `cancelled_at` is set when the customer cancels; access lasts until the end. The company's
    details are a snapshot of the day it was ordered. The references are the provider's.
    """

    __tablename__ = "subscription"
    __table_args__ = (
        one_of("status", *Status),
        Index(None, "tenant_id", "created_at"),
    )

    status: Mapped[str]
    driver_limit: Mapped[int]
    price_net: Mapped[Decimal] = mapped_column(Numeric(10, 2))
    is_trial: Mapped[bool] = mapped_column(default=False, server_default="false")
    start_date: Mapped[datetime]
    end_date: Mapped[datetime]
    cancelled_at: Mapped[datetime | None]
    company_name: Mapped[str] = mapped_column(default="", server_default="")
    tax_id: Mapped[str] = mapped_column(default="", server_default="")
    street: Mapped[str] = mapped_column(default="", server_default="")
    postal_code: Mapped[str] = mapped_column(default="", server_default="")
    city: Mapped[str] = mapped_column(default="", server_default="")
    provider: Mapped[str | None]
    session_ref: Mapped[str | None]
    subscription_ref: Mapped[str | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class SubscriptionHistory(TenantTable, Base):
    """One change of a subscription; the first has no old status."""

    __tablename__ = "subscription_history"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant_id", "subscription_id"],
            [Subscription.tenant_id, Subscription.id],
            ondelete="CASCADE",
        ),
        Index(None, "tenant_id", "subscription_id", "changed_at"),
    )

    subscription_id: Mapped[SubscriptionId]
    changed_at: Mapped[datetime]
    old_status: Mapped[str | None]
    new_status: Mapped[str]
    old_end_date: Mapped[datetime | None]
    new_end_date: Mapped[datetime | None]
    note: Mapped[str | None]


class TrialClaim(GlobalTable, Base):
    """A business that has had its trial, known by a keyed digest alone; outlives the company."""

    __tablename__ = "trial_claim"
    __table_args__ = (one_of("kind", "tax_id", "email"), UniqueConstraint("kind", "digest"))

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    kind: Mapped[str]
    digest: Mapped[bytes]
    tenant_id: Mapped[TenantId | None] = mapped_column(ForeignKey(Tenant.id, ondelete="SET NULL"))
    claimed_at: Mapped[datetime]
