"""Tables of billing: subscriptions and their history, orders, renewal steps, trial claims."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import DateTime, ForeignKey, Index, Integer, UniqueConstraint, Uuid, column, table
from sqlalchemy.orm import Mapped, mapped_column

from prawko.kit.clock import add_days
from prawko_tenants.base import Base, GlobalTable, TenantTable, enum_check, tenant_foreign_key
from prawko_tenants.ids import SubscriptionId, TenantId, UserId, new_id
from prawko_tenants.models import Tenant


class OrderKind(StrEnum):
    """The kinds of order."""

    PERIOD = "period"  # a period, ordered by a person
    UPGRADE = "upgrade"  # a higher limit for the rest of the period
    RENEWAL = "renewal"  # the next period, ordered by the renewal schedule

    @property
    def text_key(self) -> str:
        """The key of the text that describes the order, with `brand` and `limit`."""
        return f"billing.order.{'upgrade' if self is OrderKind.UPGRADE else 'period'}"


class OrderState(StrEnum):
    """The states of an order."""

    OPEN = "open"
    PAID = "paid"
    FAILED = "failed"
    EXPIRED = "expired"
    VOID = "void"  # paid when it no longer applied: its money is to be refunded


class RenewalStepKind(StrEnum):
    """The steps of the schedule for one end, each taken once."""

    FIRST_CHARGE = "first_charge"
    SECOND_CHARGE = "second_charge"
    THIRD_CHARGE = "third_charge"
    CLOSING = "closing"
    GRACE_END = "grace_end"


class SubscriptionStatus(StrEnum):
    """The stored statuses (docs/rules.md P27). Only `active` grants access (R3)."""

    ACTIVE = "active"
    INACTIVE = "inactive"
    CANCELLED = "cancelled"
    TRIAL = "trial"
    EXPIRED = "expired"


# Statuses in which a subscription may renew, its scheduled limit applies, and drivers are
# monitored: neither cancelled nor closed by an operator.
RENEWABLE_STATUSES = frozenset({SubscriptionStatus.ACTIVE, SubscriptionStatus.EXPIRED})


GRACE_DAYS = 3


def grace_end(end: datetime) -> datetime:
    """The end, exclusive, of monitoring after a failed renewal."""
    return add_days(end, GRACE_DAYS)


class Subscription(TenantTable, Base):
    """A company's access to the panel until `end_date`, for at most `driver_limit` drivers.

    `scheduled_limit` replaces the limit from `scheduled_limit_at` on. `cancelled_at` is set when
    the customer cancels; access lasts until the end (R5). The next period is charged to
    `mandate_id`, if any. Drivers are monitored until `monitored_until`: the end, or the end of
    the grace period if the subscription renews, or the change that ended it in the grace period.
    The billing details are those of the last order.
    """

    __tablename__ = "subscription"
    __table_args__ = (
        enum_check("status", *SubscriptionStatus),
        Index(None, "tenant_id", "created_at"),
    )

    status: Mapped[str]
    driver_limit: Mapped[int]
    is_trial: Mapped[bool] = mapped_column(default=False, server_default="false")
    start_date: Mapped[datetime]
    end_date: Mapped[datetime]
    cancelled_at: Mapped[datetime | None]
    monitored_until: Mapped[datetime]
    scheduled_limit: Mapped[int | None]
    scheduled_limit_at: Mapped[datetime | None]
    mandate_id: Mapped[UUID | None]
    company_name: Mapped[str] = mapped_column(default="", server_default="")
    tax_id: Mapped[str] = mapped_column(default="", server_default="")
    street: Mapped[str] = mapped_column(default="", server_default="")
    postal_code: Mapped[str] = mapped_column(default="", server_default="")
    city: Mapped[str] = mapped_column(default="", server_default="")
    provider: Mapped[str | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]

    @property
    def auto_renews(self) -> bool:
        """Whether the next period is charged to a mandate by the renewal schedule."""
        return not self.is_trial and self.cancelled_at is None and self.mandate_id is not None

    @property
    def renewal_limit(self) -> int:
        """The driver limit of the next period: the scheduled one, else the present one."""
        return self.driver_limit if self.scheduled_limit is None else self.scheduled_limit

    def status_at(self, now: datetime) -> SubscriptionStatus:
        """The effective status at `now` (R4).

        From `end_date` on, an active subscription is cancelled if the customer cancelled it, else
        expired; so is a trial. Every other stored status holds as it is.
        """
        if self.status != SubscriptionStatus.ACTIVE or now < self.end_date:
            return SubscriptionStatus(self.status)
        is_cancelled = self.cancelled_at is not None
        return SubscriptionStatus.CANCELLED if is_cancelled else SubscriptionStatus.EXPIRED

    def set_monitored_until(self, now: datetime) -> None:
        """Set `monitored_until`: the end of the grace period if it renews, else the end.

        One that is past by a change at `now` ends at the change: until then drivers were checked.
        """
        until = grace_end(self.end_date) if self.auto_renews else self.end_date
        self.monitored_until = until if until > now else min(self.monitored_until, now)


# The view of whose drivers are monitored, until when, and how many of them: a row for every company
# that has, or had, a subscription. Monitored are those with `monitored_until` after now.
monitored_company = table(
    "monitored_company",
    column("tenant_id", Uuid),
    column("subscription_id", Uuid),
    column("driver_limit", Integer),
    column("monitored_until", DateTime(timezone=True)),
)


class SubscriptionHistory(TenantTable, Base):
    """One change of a subscription (P24); the first has no old status.

    `order_id` is the paid order that caused it. Processes of the release before write none.
    """

    __tablename__ = "subscription_history"
    __table_args__ = (
        tenant_foreign_key("subscription_id", "subscription.id"),
        tenant_foreign_key("order_id", "subscription_order.id", ondelete="SET NULL"),
        Index(None, "tenant_id", "subscription_id", "changed_at"),
    )

    subscription_id: Mapped[SubscriptionId]
    changed_at: Mapped[datetime]
    old_status: Mapped[str | None]
    new_status: Mapped[str]
    old_end_date: Mapped[datetime | None]
    new_end_date: Mapped[datetime | None]
    note: Mapped[str | None]
    order_id: Mapped[UUID | None]


class SubscriptionOrder(TenantTable, Base):
    """An order of a company, paid once. Amounts in grosze; `lines` are `OrderLine`s.

    An upgrade is priced for `from_limit` and `end_date`; a renewal has the `end_date` that it
    renews. `payment_id` is the payment that paid it. `superseded_by` is the order that replaced
    it: a newer one, or the one that was paid instead.
    """

    __tablename__ = "subscription_order"
    __table_args__ = (
        enum_check("kind", *OrderKind),
        enum_check("state", *OrderState),
        tenant_foreign_key("created_by", "membership.user_id", ondelete="SET NULL"),
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
    """A step of the renewal schedule taken for one end: each once, a charge with its order.

    Two charge steps may share an order: no second one is placed while the first is unresolved.
    """

    __tablename__ = "renewal_step"
    __table_args__ = (
        enum_check("step", *RenewalStepKind),
        tenant_foreign_key("subscription_id", "subscription.id"),
        tenant_foreign_key("order_id", "subscription_order.id", ondelete="SET NULL"),
        UniqueConstraint("tenant_id", "subscription_id", "end_date", "step"),
    )

    subscription_id: Mapped[SubscriptionId]
    end_date: Mapped[datetime]
    step: Mapped[str]
    taken_at: Mapped[datetime]
    order_id: Mapped[UUID | None]


class TrialClaim(GlobalTable, Base):
    """A used trial, identified by a keyed digest of a tax id or e-mail; outlives the company."""

    __tablename__ = "trial_claim"
    __table_args__ = (enum_check("kind", "tax_id", "email"), UniqueConstraint("kind", "digest"))

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    kind: Mapped[str]
    digest: Mapped[bytes]
    tenant_id: Mapped[TenantId | None] = mapped_column(ForeignKey(Tenant.id, ondelete="SET NULL"))
    claimed_at: Mapped[datetime]
