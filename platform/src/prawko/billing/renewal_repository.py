"""Rows of renewals: what is due of all companies, and what was done about one end."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.dialects.postgresql import distinct_on, insert

from prawko.billing.models import RenewalStep, Subscription
from prawko.billing.renewals import Step
from prawko.billing.status import Status
from prawko.hooks.payments import Payer
from prawko_tenants.ids import SubscriptionId, TenantId, new_id
from prawko_tenants.sessions import PlannerSession, TenantSession

MANY = 10_000
# Where a next period may come. What is cancelled or suspended keeps its limit, till it is neither.
MAY_BEGIN = frozenset({Status.ACTIVE, Status.EXPIRED})

_OWNER = text("""
    SELECT u.email, u.language
      FROM membership m JOIN user_account u ON u.id = m.user_id
     WHERE m.tenant_id = :tenant_id
     ORDER BY m.role <> 'owner', m.created_at LIMIT 1
""")


class RenewalRepository:
    """What our timetable has done about one company's ends."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def taken(self, subscription: Subscription) -> list[RenewalStep]:
        """The steps taken about the present end, oldest first."""
        steps = await self._session.scalars(
            select(RenewalStep)
            .where(
                RenewalStep.subscription_id == subscription.id,
                RenewalStep.end_date == subscription.end_date,
            )
            .order_by(RenewalStep.id)
        )
        return list(steps)

    async def take(
        self, subscription: Subscription, step: Step, order_id: UUID | None, now: datetime
    ) -> None:
        """Note that a step is taken; when it was before, that stands."""
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

    async def payer(self, company: str) -> Payer:
        """Who is charged without being there: the company's owner."""
        owner = (await self._session.execute(_OWNER, {"tenant_id": self._session.tenant_id})).one()
        return Payer(email=owner.email, name=company, language=owner.language)


async def to_renew(
    planner: PlannerSession, before: datetime
) -> list[tuple[TenantId, SubscriptionId]]:
    """The current subscriptions that renew themselves and end before that, nearest ends first.

    Without those whose timetable has come to its last step.
    """
    newest = (
        select(
            Subscription.tenant_id,
            Subscription.id,
            Subscription.status,
            Subscription.end_date,
            Subscription.cancelled_at,
            Subscription.mandate_id,
        )
        .ext(distinct_on(Subscription.tenant_id))
        .order_by(Subscription.tenant_id, Subscription.id.desc())
        .subquery()
    )
    given_up = (
        select(RenewalStep.step)
        .where(
            RenewalStep.tenant_id == newest.c.tenant_id,
            RenewalStep.subscription_id == newest.c.id,
            RenewalStep.end_date == newest.c.end_date,
            RenewalStep.step == Step.GRACE_END,
        )
        .exists()
    )
    rows = await planner.execute(
        select(newest.c.tenant_id, newest.c.id)
        .where(
            newest.c.mandate_id.is_not(None),
            newest.c.cancelled_at.is_(None),
            newest.c.status.in_(MAY_BEGIN),
            newest.c.end_date < before,
            ~given_up,
        )
        .order_by(newest.c.end_date)
        .limit(MANY)
    )
    return [(TenantId(tenant_id), SubscriptionId(row_id)) for tenant_id, row_id in rows]


async def to_change_limit(
    planner: PlannerSession, now: datetime
) -> list[tuple[TenantId, SubscriptionId]]:
    """Subscriptions of all companies whose next limit's time has come."""
    rows = await planner.execute(
        select(Subscription.tenant_id, Subscription.id)
        .where(Subscription.next_limit_at <= now, Subscription.status.in_(MAY_BEGIN))
        .order_by(Subscription.next_limit_at)
        .limit(MANY)
    )
    return [(TenantId(tenant_id), SubscriptionId(row_id)) for tenant_id, row_id in rows]
