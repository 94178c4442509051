"""Statements about subscriptions and trial claims, orders, renewal steps, and what is due."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import (
    Select,
    and_,
    exists,
    func,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from prawko.accounts.models import Membership, UserAccount
from prawko.accounts.roles import Role
from prawko.billing.models import (
    RENEWABLE_STATUSES,
    OrderKind,
    OrderState,
    RenewalStep,
    RenewalStepKind,
    Subscription,
    SubscriptionOrder,
    SubscriptionStatus,
    TrialClaim,
    monitored_company,
)
from prawko.billing.period_net import PERIOD_NET
from prawko.billing.price import OrderLine
from prawko.hooks.payments import Payer
from prawko_tenants.ids import SubscriptionId, TenantId, new_id
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import BatchSession, PlannerSession, TenantSession

MAX_ROWS = 10_000  # of what is due, a run
_UNPAID_STATES = (OrderState.OPEN, OrderState.FAILED, OrderState.EXPIRED)
_PERIOD_KINDS = (OrderKind.PERIOD, OrderKind.RENEWAL)
# Joins a company's newest subscription, which is the current one, to its row of the view.
IS_CURRENT = and_(
    Subscription.tenant_id == monitored_company.c.tenant_id,
    Subscription.id == monitored_company.c.subscription_id,
)
DueSubscriptions = list[tuple[TenantId, SubscriptionId]]
_SUBSCRIPTIONS = select(Subscription.tenant_id, Subscription.id)


class SubscriptionRepository:
    """One company's subscriptions. The current one is the newest."""

    def __init__(self, session: TenantSession | BatchSession) -> None:
        self._session = session

    async def get_current(self) -> Subscription | None:
        """The current subscription, as stored; None if there never was one."""
        newest = select(Subscription).order_by(Subscription.id.desc()).limit(1)
        return await self._session.scalar(newest)

    async def period_net(self, subscription: Subscription, now: datetime) -> int:
        """What the period at `now`, or the last one, was bought for, as `PERIOD_NET` has it."""
        price = select(PERIOD_NET).where(Subscription.id == subscription.id)
        return (await self._session.scalars(price, {"now": now})).one()

    async def monitored_since(self) -> datetime | None:
        """When the company's first trial or period began; None if there never was one."""
        return await self._session.scalar(select(func.min(Subscription.created_at)))

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


class OrderRepository:
    """One company's orders. Writers lock the company first."""

    def __init__(self, session: TenantSession | BatchSession) -> None:
        self._session = session

    async def add(self, order: SubscriptionOrder) -> None:
        """Insert an order."""
        self._session.add(order)
        await self._session.flush()

    async def get(self, order_id: UUID) -> SubscriptionOrder | None:
        """An order; None if the company has none with this id."""
        one = select(SubscriptionOrder).where(SubscriptionOrder.id == order_id)
        return await self._session.scalar(one)

    async def get_pending(self) -> SubscriptionOrder | None:
        """The newest open order that was not superseded."""
        newest = (
            select(SubscriptionOrder)
            .where(
                SubscriptionOrder.state == OrderState.OPEN,
                SubscriptionOrder.superseded_by.is_(None),
            )
            .order_by(SubscriptionOrder.id.desc())
            .limit(1)
        )
        return await self._session.scalar(newest)

    async def was_replaced_by_paid(self, order: SubscriptionOrder) -> bool:
        """Whether the order that superseded this one was paid for a period."""
        if order.superseded_by is None:
            return False
        other = await self.get(order.superseded_by)
        return other is not None and other.state == OrderState.PAID and other.kind in _PERIOD_KINDS

    async def supersede(self, by: UUID) -> Sequence[UUID]:
        """Supersede all other open orders by this one; their ids."""
        statement = (
            update(SubscriptionOrder)
            .where(
                SubscriptionOrder.state == OrderState.OPEN,
                SubscriptionOrder.superseded_by.is_(None),
                SubscriptionOrder.id != by,
            )
            .values(superseded_by=by)
            .returning(SubscriptionOrder.id)
        )
        return (await self._session.scalars(statement)).all()

    async def supersede_unpaid(self, paid: SubscriptionOrder) -> None:
        """Supersede every other unpaid period ordered up to now by the paid order.

        Later orders are further periods: the order of the transactions decides, not the clock.
        """
        statement = (
            update(SubscriptionOrder)
            .where(
                SubscriptionOrder.kind.in_(_PERIOD_KINDS),
                SubscriptionOrder.state.in_(_UNPAID_STATES),
                SubscriptionOrder.id != paid.id,
            )
            .values(superseded_by=paid.id)
        )
        await self._session.execute(statement)


def parse_order_lines(order: SubscriptionOrder) -> tuple[OrderLine, ...]:
    """The lines of an order."""
    return msgspec.convert(order.lines, tuple[OrderLine, ...])


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
            .order_by(Membership.role != Role.OWNER, Membership.created_at)
            .limit(1)
        )
        owner = (await self._session.execute(oldest)).one()
        return Payer(email=owner.email, name=company_name, language=owner.language)


async def find_ended(planner: PlannerSession, now: datetime) -> DueSubscriptions:
    """Subscriptions of all companies stored as active though their end has passed."""
    is_ended = Subscription.status == SubscriptionStatus.ACTIVE, Subscription.end_date <= now
    ended = _SUBSCRIPTIONS.where(*is_ended).order_by(Subscription.end_date)
    return await _list_due(planner, ended)


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


async def due_for_renewal(planner: PlannerSession, until: datetime) -> DueSubscriptions:
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
    renewing = _SUBSCRIPTIONS.join(monitored_company, IS_CURRENT).where(
        Subscription.mandate_id.is_not(None),
        Subscription.cancelled_at.is_(None),
        Subscription.status.in_(RENEWABLE_STATUSES),
        Subscription.end_date < until,
        ~last_step,
    )
    return await _list_due(planner, renewing.order_by(Subscription.end_date))


async def due_limit_changes(planner: PlannerSession, now: datetime) -> DueSubscriptions:
    """Subscriptions of all companies whose scheduled limit is due."""
    is_due = Subscription.scheduled_limit_at <= now, Subscription.status.in_(RENEWABLE_STATUSES)
    due = _SUBSCRIPTIONS.where(*is_due).order_by(Subscription.scheduled_limit_at)
    return await _list_due(planner, due)


async def _list_due(planner: PlannerSession, due: Select[TenantId, UUID]) -> DueSubscriptions:
    rows = await planner.execute(due.limit(MAX_ROWS))
    return [(TenantId(tenant_id), SubscriptionId(row_id)) for tenant_id, row_id in rows]
