"""Subscriptions, their history, what was ordered, and who has had the trial."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, ForeignKeyConstraint, Index, Numeric, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from prawko.accounts.models import Membership
from prawko.billing.orders import OrderKind, OrderState
from prawko.billing.renewals import Step
from prawko.billing.status import Status
from prawko_tenants.base import Base, GlobalTable, TenantTable, one_of
from prawko_tenants.company import Tenant
from prawko_tenants.ids import SubscriptionId, TenantId, UserId, new_id


class Subscription(TenantTable, Base):
    """A company's right to use the panel, until `end_date`, for so many drivers.

    `next_limit` is the limit from `next_limit_at` on, where another follows. `cancelled_at` is
    set when the customer cancels; access lasts until the end. `mandate_id` is what the next
    period is charged to, None where nobody is charged. Drivers are checked until
    `checked_until`: the end, or that of the grace for one that renews itself. The company's
    details are a snapshot of the day it was ordered.
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
    checked_until: Mapped[datetime]
    next_limit: Mapped[int | None]
    next_limit_at: Mapped[datetime | None]
    mandate_id: Mapped[UUID | None]
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


class SubscriptionOrder(TenantTable, Base):
    """What a company is to pay for, once. Amounts in grosze; `lines` are `ordering.Line`s.

    `from_limit` and `end_date` are what an upgrade was priced for; a renewal has the end that it
    renews. `payment_id` is the payment that paid it. `superseded_by` is the order that took its
    place: a newer one, or the one that was paid instead.
    """

    __tablename__ = "subscription_order"
    __table_args__ = (
        one_of("kind", *OrderKind),
        one_of("state", *OrderState),
        ForeignKeyConstraint(
            ["tenant_id", "created_by"],
            [Membership.tenant_id, Membership.user_id],
            ondelete="SET NULL (created_by)",
        ),
    )

    kind: Mapped[str]
    state: Mapped[str]
    driver_limit: Mapped[int]
    from_limit: Mapped[int | None]
    end_date: Mapped[datetime | None]
    lines: Mapped[list[Any]]
    net: Mapped[int]
    vat: Mapped[int]
    method: Mapped[str]
    company_name: Mapped[str]
    tax_id: Mapped[str]
    street: Mapped[str]
    postal_code: Mapped[str]
    city: Mapped[str]
    created_by: Mapped[UserId | None]
    created_at: Mapped[datetime]
    paid_at: Mapped[datetime | None]
    payment_id: Mapped[UUID | None]
    superseded_by: Mapped[UUID | None]


class RenewalStep(TenantTable, Base):
    """What our timetable has done about an end: each step once, a charge with what it was for.

    Two charges may share an order: the second asks again while the first one's fate is open.
    """

    __tablename__ = "renewal_step"
    __table_args__ = (
        one_of("step", *Step),
        ForeignKeyConstraint(
            ["tenant_id", "subscription_id"],
            [Subscription.tenant_id, Subscription.id],
            ondelete="CASCADE",
        ),
        ForeignKeyConstraint(
            ["tenant_id", "order_id"],
            [SubscriptionOrder.tenant_id, SubscriptionOrder.id],
            ondelete="SET NULL (order_id)",
        ),
        UniqueConstraint("tenant_id", "subscription_id", "end_date", "step"),
    )

    subscription_id: Mapped[SubscriptionId]
    end_date: Mapped[datetime]
    step: Mapped[str]
    taken_at: Mapped[datetime]
    order_id: Mapped[UUID | None]


class TrialClaim(GlobalTable, Base):
    """A business that has had its trial, known by a keyed digest alone; outlives the company."""

    __tablename__ = "trial_claim"
    __table_args__ = (one_of("kind", "tax_id", "email"), UniqueConstraint("kind", "digest"))

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    kind: Mapped[str]
    digest: Mapped[bytes]
    tenant_id: Mapped[TenantId | None] = mapped_column(ForeignKey(Tenant.id, ondelete="SET NULL"))
    claimed_at: Mapped[datetime]
