"""Discrepancies: stored once, reported to the operators, resolved by one of them."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.hooks.payments import Money, PaymentRef, ProviderPayment
from prawko.kit.incidents.models import Detail, to_facts
from prawko.kit.incidents.service import close_incident, open_incident
from prawko.kit.observability import logs
from prawko.payments.models import DiscrepancyKind, Payment, PaymentDiscrepancy
from prawko_tenants.ids import TenantId, new_id
from prawko_tenants.sessions import TenantAwareSession

log = logs.get_logger(__name__)

MAX_BATCH_SIZE = 100


class RefundNotMadeError(Exception):
    """The discrepancy's refund is requested and not made; making it resolves it."""


async def report_discrepancy(
    session: AsyncSession,
    kind: DiscrepancyKind,
    detail: Detail,
    *,
    provider: str,
    ref: PaymentRef,
    money: Money,
    now: datetime,
    tenant_id: TenantId | None = None,
) -> None:
    """Store a discrepancy, unless the same one is stored."""
    statement = insert(PaymentDiscrepancy).values(
        id=new_id(),
        kind=kind,
        provider=provider,
        reference=ref.reference,
        provider_ref=ref.provider_ref or "",
        grosze=money.grosze,
        currency=money.currency,
        tenant_id=tenant_id,
        detail=str(detail),
        facts=to_facts(detail),
        detected_at=now,
    )
    # Without a conflict target, because the panel's login may insert here and select nothing.
    await session.execute(statement.on_conflict_do_nothing())
    log.error(
        "payment_discrepancy_reported", kind=kind.value, provider=provider, reference=ref.reference
    )


async def report_payment_discrepancy(
    session: AsyncSession,
    payment: Payment,
    kind: DiscrepancyKind,
    detail: Detail,
    now: datetime,
    *,
    received: ProviderPayment | None = None,
) -> None:
    """Store a discrepancy of a payment, or of what was received under its reference."""
    found = received or payment
    await report_discrepancy(
        session,
        kind,
        detail,
        provider=payment.provider,
        ref=PaymentRef(payment.reference, found.ref.provider_ref),
        money=found.money,
        now=now,
        tenant_id=payment.tenant_id,
    )


async def open_discrepancy_incidents(
    session: TenantAwareSession, now: datetime, system_now: datetime
) -> None:
    """Open the incidents of new discrepancies.

    Needs a session of the worker's login. Incidents are dated by the system clock.
    """
    unreported = (
        select(PaymentDiscrepancy)
        .where(PaymentDiscrepancy.reported_at.is_(None), PaymentDiscrepancy.resolved_at.is_(None))
        .order_by(PaymentDiscrepancy.detected_at, PaymentDiscrepancy.id)
        .limit(MAX_BATCH_SIZE)
        .with_for_update(skip_locked=True)
    )
    discrepancies = (await session.scalars(unreported)).all()
    for discrepancy in discrepancies:
        await open_incident(
            session,
            kind=discrepancy.kind.value,
            key=discrepancy.incident_key,
            detail=discrepancy.incident_detail,
            now=system_now,
        )
        discrepancy.reported_at = now


async def list_discrepancies(
    session: AsyncSession, *, include_resolved: bool
) -> Sequence[PaymentDiscrepancy]:
    """Return the discrepancies, oldest first."""
    statement = select(PaymentDiscrepancy).order_by(
        PaymentDiscrepancy.detected_at, PaymentDiscrepancy.id
    )
    if not include_resolved:
        statement = statement.where(PaymentDiscrepancy.resolved_at.is_(None))
    return (await session.scalars(statement)).all()


async def discrepancy_exists(session: AsyncSession, discrepancy_id: UUID) -> bool:
    """Return whether there is such a discrepancy, open or resolved."""
    statement = select(PaymentDiscrepancy.id).where(PaymentDiscrepancy.id == discrepancy_id)
    return await session.scalar(statement) is not None


async def lock_open_discrepancy(
    session: AsyncSession, discrepancy_id: UUID
) -> PaymentDiscrepancy | None:
    """Lock a discrepancy until the transaction ends; None if it is not open."""
    statement = select(PaymentDiscrepancy).where(
        PaymentDiscrepancy.id == discrepancy_id, PaymentDiscrepancy.resolved_at.is_(None)
    )
    return await session.scalar(statement.with_for_update())


async def resolve_discrepancy(
    session: TenantAwareSession,
    discrepancy_id: UUID,
    note: str,
    now: datetime,
    system_now: datetime,
    *,
    is_refunded: bool = False,
) -> PaymentDiscrepancy | None:
    """Resolve a discrepancy with a note and close its incident; None if it is not open.

    `is_refunded`: its requested refund is made. Raises RefundNotMadeError for one that is not: the
    worker makes no refund of a resolved discrepancy.
    """
    discrepancy = await lock_open_discrepancy(session, discrepancy_id)
    if discrepancy is None:
        return None
    if discrepancy.refunded_grosze is not None and not is_refunded:
        raise RefundNotMadeError
    discrepancy.resolved_at, discrepancy.resolution_note = now, note
    await close_incident(
        session, kind=discrepancy.kind.value, key=discrepancy.incident_key, now=system_now
    )
    return discrepancy
