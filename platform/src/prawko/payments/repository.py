"""Stores payments and mandates, in the caller's transaction."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.kit.work.lease import claim_rows, update_claimed
from prawko.kit.work.leased_work import LEASE, LONGEST_LEASE
from prawko.payments.models import Payment, PaymentMandate
from prawko.payments.state_machine import UNFINISHED_STATES
from prawko_tenants.ids import TenantId
from prawko_tenants.models import Tenant


class PaymentRepository:
    """Payments and mandates of the session's company; `claim` and `get_by_reference` of all."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def insert(self, payment: Payment) -> None:
        """Insert a payment that is about to start."""
        self._session.add(payment)
        await self._session.flush()

    async def get(self, tenant_id: TenantId, payment_id: UUID) -> Payment:
        """Return a payment. Raises LookupError if there is none."""
        return await self._get(tenant_id, payment_id, for_update=False)

    async def lock(self, payment: Payment) -> Payment:
        """Return a payment as it is now, locked until the transaction ends."""
        return await self._get(payment.tenant_id, payment.id, for_update=True)

    async def get_by_reference(self, provider: str, reference: str) -> Payment | None:
        """Return a payment by our reference; needs a session of the worker's login."""
        statement = select(Payment).where(
            Payment.reference == reference, Payment.provider == provider
        )
        return await self._session.scalar(statement)

    async def latest_for_order(self, tenant_id: TenantId, order_id: UUID) -> Payment | None:
        """Return the latest payment of an order."""
        statement = select(Payment).where(
            Payment.tenant_id == tenant_id, Payment.order_id == order_id
        )
        return await self._session.scalar(statement.order_by(Payment.id.desc()).limit(1))

    async def list_unfinished(
        self, tenant_id: TenantId, order_ids: Sequence[UUID]
    ) -> Sequence[Payment]:
        """Return the payments of these orders that are not finished."""
        statement = select(Payment).where(
            Payment.tenant_id == tenant_id,
            Payment.order_id.in_(order_ids),
            Payment.state.in_(UNFINISHED_STATES),
        )
        return (await self._session.scalars(statement.order_by(Payment.id))).all()

    async def claim(
        self,
        providers: Collection[str],
        *,
        limit: int,
        now: datetime,
        product_now: datetime,
    ) -> Sequence[Payment]:
        """Claim payments that are due, for `run_work` to renew; `now` is the system clock's."""
        statement = claim_rows(
            Payment,
            Payment.next_poll_at <= product_now,
            Payment.provider.in_(providers),
            order_by=Payment.next_poll_at,
            limit=limit,
            now=now,
            lease=LEASE,
            longest=LONGEST_LEASE,
        )
        return (await self._session.scalars(statement)).all()

    async def release(self, payment: Payment, next_poll_at: datetime | None) -> None:
        """Write a changed payment, set its next poll, and release its lease.

        The lease is not checked: the row is locked, and its state decides.
        """
        payment.next_poll_at, payment.attempts, payment.lease_until = next_poll_at, 0, None
        await self._session.flush()

    async def reschedule(self, payment: Payment, until: datetime) -> None:
        """Set the next poll of a payment that could not be queried, and release its lease."""
        await self._session.execute(
            update_claimed(payment)
            .where(Payment.tenant_id == payment.tenant_id, Payment.next_poll_at.is_not(None))
            .values(next_poll_at=until)
        )

    async def tenant_exists(self, tenant_id: TenantId) -> bool:
        """Return whether the company exists, that is, was not erased."""
        return bool(await self._session.scalar(select(exists().where(Tenant.id == tenant_id))))

    async def insert_mandate(self, mandate: PaymentMandate) -> None:
        """Insert a mandate of the session's company."""
        self._session.add(mandate)
        await self._session.flush()

    async def get_mandate(self, mandate_id: UUID) -> PaymentMandate | None:
        """Return a mandate of the session's company; None if it has ended."""
        statement = select(PaymentMandate).where(
            PaymentMandate.id == mandate_id, PaymentMandate.ended_at.is_(None)
        )
        return await self._session.scalar(statement)

    async def end_other_mandates(self, now: datetime, *, except_id: UUID | None) -> None:
        """End all mandates of the session's company except one, and clear their tokens."""
        await self._session.execute(
            update(PaymentMandate)
            .where(PaymentMandate.ended_at.is_(None), PaymentMandate.id.is_distinct_from(except_id))
            .values(ended_at=now, token=b"")
            .execution_options(synchronize_session=False)
        )

    async def count_stuck(self, providers: Collection[str], min_attempts: int) -> dict[str, int]:
        """Return the number of payments polled this often in vain, by provider.

        Of a provider that is not among `providers`, all unfinished payments count.
        """
        rows = await self._session.execute(
            select(Payment.provider, func.count().label("stuck_count"))
            .where(
                Payment.next_poll_at.is_not(None),
                Payment.state.in_(UNFINISHED_STATES),
                or_(Payment.attempts >= min_attempts, Payment.provider.not_in(providers)),
            )
            .group_by(Payment.provider)
        )
        return {row.provider: row.stuck_count for row in rows}

    async def _get(self, tenant_id: TenantId, payment_id: UUID, *, for_update: bool) -> Payment:
        statement = select(Payment).where(Payment.id == payment_id, Payment.tenant_id == tenant_id)
        if for_update:
            statement = statement.with_for_update().execution_options(populate_existing=True)
        payment: Payment | None = await self._session.scalar(statement)
        if payment is None:
            raise LookupError("the payment does not exist")
        return payment
