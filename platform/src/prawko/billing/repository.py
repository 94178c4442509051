"""Rows of subscriptions, their history, and the claims on the one trial."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on, insert

from prawko.billing.models import Subscription, SubscriptionHistory, TrialClaim
from prawko_tenants.company import Tenant
from prawko_tenants.ids import SubscriptionId, TenantId, new_id
from prawko_tenants.sessions import BatchSession, PlannerSession, TenantSession

MANY = 10_000


class SubscriptionRepository:
    """One company's subscriptions. The current one is the one that was written last."""

    def __init__(self, session: TenantSession | BatchSession) -> None:
        self._session = session

    async def current(self) -> Subscription | None:
        """The current subscription, as stored; None where there never was one."""
        newest = select(Subscription).order_by(Subscription.id.desc()).limit(1)
        return await self._session.scalar(newest)

    async def company_and_current(self) -> tuple[Tenant, Subscription | None]:
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
        """The company, held until the end of the transaction: who else locks it waits.

        Rows that only point at the company (every check writes some) do not wait.
        """
        held = select(Tenant).with_for_update(key_share=True)
        return (await self._session.scalars(held)).one()

    async def hold_current(self) -> tuple[Tenant, Subscription | None]:
        """The company and its current subscription, both held until the end of the transaction.

        Whoever orders, pays, cancels or changes a limit comes through here, one at a time.
        """
        company = await self.lock_company()
        newest = select(Subscription).order_by(Subscription.id.desc()).limit(1).with_for_update()
        return company, await self._session.scalar(newest)

    async def lock(self, subscription_id: SubscriptionId) -> Subscription | None:
        """A subscription, held until the end of the transaction."""
        held = select(Subscription).where(Subscription.id == subscription_id).with_for_update()
        return await self._session.scalar(held)

    async def add(self, subscription: Subscription, note: str) -> None:
        """Write a new subscription and the first row of its history."""
        self._session.add(subscription)
        await self._session.flush()
        self._session.add(
            SubscriptionHistory(
                subscription_id=subscription.id,
                changed_at=subscription.created_at,
                new_status=subscription.status,
                new_end_date=subscription.end_date,
                note=note,
            )
        )

    def change_status(
        self, subscription: Subscription, status: str, note: str, now: datetime,
        *, end: datetime | None = None,
    ) -> None:  # fmt: skip
        """Change the status, and the end where another is given, with their row of history."""
        new_end = subscription.end_date if end is None else end
        self._session.add(
            SubscriptionHistory(
                subscription_id=subscription.id,
                changed_at=now,
                old_status=subscription.status,
                new_status=status,
                old_end_date=subscription.end_date,
                new_end_date=new_end,
                note=note,
            )
        )
        subscription.status = status
        subscription.end_date = new_end
        subscription.updated_at = now

    async def claim_trial(
        self, tenant_id: TenantId, claims: Iterable[tuple[str, bytes]], now: datetime
    ) -> bool:
        """Claim the trial for these (kind, digest); False if somebody had one of them.

        Written in one order by everybody, so that two claims never wait for each other.
        """
        wanted = [
            {
                "id": new_id(),
                "kind": kind,
                "digest": digest,
                "tenant_id": tenant_id,
                "claimed_at": now,
            }
            for kind, digest in sorted(set(claims))
        ]
        written = await self._session.scalars(
            insert(TrialClaim).values(wanted).on_conflict_do_nothing().returning(TrialClaim.id)
        )
        return len(written.all()) == len(wanted)


async def ended(planner: PlannerSession, now: datetime) -> list[tuple[TenantId, SubscriptionId]]:
    """Subscriptions of all companies that say active though their end has come."""
    rows = await planner.execute(
        select(Subscription.tenant_id, Subscription.id)
        .where(Subscription.status == "active", Subscription.end_date <= now)
        .order_by(Subscription.end_date)
        .limit(MANY)
    )
    return [(TenantId(tenant_id), SubscriptionId(row_id)) for tenant_id, row_id in rows]


async def ending(
    planner: PlannerSession, now: datetime, before: datetime
) -> list[tuple[TenantId, datetime]]:
    """The companies whose current subscription is active and ends between these; and when."""
    newest = (
        select(Subscription.tenant_id, Subscription.status, Subscription.end_date)
        .ext(distinct_on(Subscription.tenant_id))
        .order_by(Subscription.tenant_id, Subscription.id.desc())
        .subquery()
    )
    rows = await planner.execute(
        select(newest.c.tenant_id, newest.c.end_date).where(
            newest.c.status == "active", newest.c.end_date > now, newest.c.end_date < before
        )
    )
    return [(TenantId(tenant_id), end_date) for tenant_id, end_date in rows]
