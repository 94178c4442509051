"""Statements about subscriptions and trial claims."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import and_, exists, select
from sqlalchemy.dialects.postgresql import insert

from prawko.billing.models import (
    OrderKind,
    OrderState,
    Subscription,
    SubscriptionOrder,
    SubscriptionStatus,
    TrialClaim,
    monitored_company,
)
from prawko_tenants.ids import SubscriptionId, TenantId, new_id
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import BatchSession, PlannerSession, TenantSession

MAX_ROWS = 10_000
# Joins a company's newest subscription, which is the current one, to its row of the view.
IS_CURRENT = and_(
    Subscription.tenant_id == monitored_company.c.tenant_id,
    Subscription.id == monitored_company.c.subscription_id,
)


class SubscriptionRepository:
    """One company's subscriptions. The current one is the newest."""

    def __init__(self, session: TenantSession | BatchSession) -> None:
        self._session = session

    async def get_current(self) -> Subscription | None:
        """The current subscription, as stored; None if there never was one."""
        newest = select(Subscription).order_by(Subscription.id.desc()).limit(1)
        return await self._session.scalar(newest)

    async def get_monitored(self, now: datetime) -> Subscription | None:
        """The current subscription, if the company's drivers are monitored."""
        monitored = (
            select(Subscription)
            .join(monitored_company, IS_CURRENT)
            .where(monitored_company.c.monitored_until > now)
        )
        return await self._session.scalar(monitored)

    async def get_company_and_current(self) -> tuple[Tenant, Subscription | None]:
        """The company and its current subscription, in one statement."""
        newest = (
            select(Tenant, Subscription)
            .outerjoin(Subscription, Subscription.tenant_id == Tenant.id)
            .order_by(Subscription.id.desc().nulls_last())
            .limit(1)
        )
        row = (await self._session.execute(newest)).one()
        return row.Tenant, row.Subscription

    async def lock_company(self) -> Tenant:
        """Lock the company's row until the end of the transaction.

        A key-share lock: inserts of rows that refer to the company do not wait for it.
        """
        company = select(Tenant).with_for_update(key_share=True)
        return (await self._session.scalars(company)).one()

    async def lock_current(self) -> tuple[Tenant, Subscription | None]:
        """Lock the company and its current subscription until the end of the transaction.

        Every order, payment, cancellation and limit change takes this lock first.
        """
        company = await self.lock_company()
        newest = select(Subscription).order_by(Subscription.id.desc()).limit(1).with_for_update()
        return company, await self._session.scalar(newest)

    async def lock(self, subscription_id: SubscriptionId) -> Subscription | None:
        """Lock a subscription until the end of the transaction; None if there is none."""
        one = select(Subscription).where(Subscription.id == subscription_id).with_for_update()
        return await self._session.scalar(one)

    async def pending_renewal_ids(self) -> Sequence[UUID]:
        """The open orders of the next period."""
        renewals = select(SubscriptionOrder.id).where(
            SubscriptionOrder.kind == OrderKind.RENEWAL, SubscriptionOrder.state == OrderState.OPEN
        )
        return (await self._session.scalars(renewals)).all()

    async def has_paid_as(self, tax_id: str) -> bool:
        """Whether the company has paid an order under a tax id."""
        paid = exists().where(
            SubscriptionOrder.tax_id == tax_id, SubscriptionOrder.paid_at.is_not(None)
        )
        return bool(await self._session.scalar(select(paid)))

    async def claim_trial(
        self, tenant_id: TenantId, claims: Iterable[tuple[str, bytes]], now: datetime
    ) -> bool:
        """Claim the trial for these (kind, digest) pairs; False if one was claimed before.

        Inserted in a fixed order, so that concurrent claims cannot deadlock.
        """
        rows = [
            {
                "id": new_id(),
                "kind": kind,
                "digest": digest,
                "tenant_id": tenant_id,
                "claimed_at": now,
            }
            for kind, digest in sorted(set(claims))
        ]
        inserted = await self._session.scalars(
            insert(TrialClaim).values(rows).on_conflict_do_nothing().returning(TrialClaim.id)
        )
        return len(inserted.all()) == len(rows)


async def find_ended(
    planner: PlannerSession, now: datetime
) -> list[tuple[TenantId, SubscriptionId]]:
    """Subscriptions of all companies stored as active though their end has passed."""
    rows = await planner.execute(
        select(Subscription.tenant_id, Subscription.id)
        .where(Subscription.status == SubscriptionStatus.ACTIVE, Subscription.end_date <= now)
        .order_by(Subscription.end_date)
        .limit(MAX_ROWS)
    )
    return [(TenantId(tenant_id), SubscriptionId(row_id)) for tenant_id, row_id in rows]


async def find_ending(
    planner: PlannerSession, now: datetime, until: datetime
) -> list[tuple[TenantId, datetime]]:
    """The companies whose current subscription is active and ends in this window, and its end."""
    rows = await planner.execute(
        select(Subscription.tenant_id, Subscription.end_date)
        .join(monitored_company, IS_CURRENT)
        .where(
            Subscription.status == SubscriptionStatus.ACTIVE,
            Subscription.end_date > now,
            Subscription.end_date < until,
        )
    )
    return [(TenantId(tenant_id), end_date) for tenant_id, end_date in rows]
