"""Statements about renewals: due subscriptions of all companies, and the steps for one end."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from prawko.accounts.models import Membership, UserAccount
from prawko.billing.models import (
    RENEWABLE_STATUSES,
    RenewalStep,
    RenewalStepKind,
    Subscription,
    monitored_company,
)
from prawko.billing.subscription.repository import IS_CURRENT
from prawko.hooks.payments import Payer
from prawko_tenants.ids import SubscriptionId, TenantId, new_id
from prawko_tenants.sessions import PlannerSession, TenantSession

MAX_ROWS = 10_000


class RenewalRepository:
    """The renewal steps of one company."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def list_steps(self, subscription: Subscription) -> list[RenewalStep]:
        """The steps taken for the present end, oldest first."""
        steps = await self._session.scalars(
            select(RenewalStep)
            .where(
                RenewalStep.subscription_id == subscription.id,
                RenewalStep.end_date == subscription.end_date,
            )
            .order_by(RenewalStep.id)
        )
        return list(steps)

    async def record_step(
        self,
        subscription: Subscription,
        step: RenewalStepKind,
        order_id: UUID | None,
        now: datetime,
    ) -> None:
        """Record a step as taken; no effect if it was before."""
        await self._session.execute(
            insert(RenewalStep)
            .values(
                tenant_id=subscription.tenant_id,
                id=new_id(),
                subscription_id=subscription.id,
                end_date=subscription.end_date,
                step=step,
                taken_at=now,
                order_id=order_id,
            )
            .on_conflict_do_nothing()
        )

    async def owner_contact(self, company_name: str) -> Payer:
        """The payer of a renewal: the company's owner."""
        oldest = (
            select(UserAccount.email, UserAccount.language)
            .join(Membership, Membership.user_id == UserAccount.id)
            .where(Membership.tenant_id == self._session.tenant_id)
            .order_by(Membership.role != "owner", Membership.created_at)
            .limit(1)
        )
        owner = (await self._session.execute(oldest)).one()
        return Payer(email=owner.email, name=company_name, language=owner.language)


async def due_for_renewal(
    planner: PlannerSession, until: datetime
) -> list[tuple[TenantId, SubscriptionId]]:
    """The current subscriptions that renew and end before `until`, nearest ends first.

    Without those whose last step was taken.
    """
    last_step = (
        select(RenewalStep.step)
        .where(
            RenewalStep.tenant_id == Subscription.tenant_id,
            RenewalStep.subscription_id == Subscription.id,
            RenewalStep.end_date == Subscription.end_date,
            RenewalStep.step == RenewalStepKind.GRACE_END,
        )
        .exists()
    )
    rows = await planner.execute(
        select(Subscription.tenant_id, Subscription.id)
        .join(monitored_company, IS_CURRENT)
        .where(
            Subscription.mandate_id.is_not(None),
            Subscription.cancelled_at.is_(None),
            Subscription.status.in_(RENEWABLE_STATUSES),
            Subscription.end_date < until,
            ~last_step,
        )
        .order_by(Subscription.end_date)
        .limit(MAX_ROWS)
    )
    return [(TenantId(tenant_id), SubscriptionId(row_id)) for tenant_id, row_id in rows]


async def due_limit_changes(
    planner: PlannerSession, now: datetime
) -> list[tuple[TenantId, SubscriptionId]]:
    """Subscriptions of all companies whose scheduled limit is due."""
    rows = await planner.execute(
        select(Subscription.tenant_id, Subscription.id)
        .where(Subscription.scheduled_limit_at <= now, Subscription.status.in_(RENEWABLE_STATUSES))
        .order_by(Subscription.scheduled_limit_at)
        .limit(MAX_ROWS)
    )
    return [(TenantId(tenant_id), SubscriptionId(row_id)) for tenant_id, row_id in rows]
