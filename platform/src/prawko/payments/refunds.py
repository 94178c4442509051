"""Refunds: those that an operator requests for a discrepancy, and those made elsewhere.

The amount that an operator refunds is stored before the provider is called, so that the refund
is not reported as another discrepancy.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from uuid import UUID

from sqlalchemy import func, select, update

from prawko.hooks.payments import (
    Money,
    PaymentError,
    PaymentProvider,
    PaymentRef,
    Refund,
    RefundState,
)
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.incidents.models import Detail
from prawko.kit.money import format_amount
from prawko.kit.observability import logs
from prawko.kit.providers.calls import describe_error
from prawko.kit.text.plain_text import redact
from prawko.payments.discrepancies import (
    lock_open_discrepancy,
    report_payment_discrepancy,
    resolve_discrepancy,
)
from prawko.payments.models import DiscrepancyKind, Payment, PaymentDiscrepancy
from prawko.payments.order_handler import get_order_handler
from prawko.payments.provider_calls import call_provider
from prawko.payments.repository import PaymentRepository
from prawko.payments.returned_values import validate_refund
from prawko_tenants.sessions import SystemSession, TenantSession

log = logs.get_logger(__name__)

REFUND_BY_HAND = "this provider makes no refunds: pay it back yourself, then resolve it"
AMOUNT_TOO_HIGH = "the amount is higher than the discrepancy's"
AMOUNT_CONFLICT = "another amount was requested before: use that one"
REFUNDED_REASON = "it was refunded"


class RefundRefusedError(Exception):
    """Nothing was refunded; the message says why."""


async def refund_discrepancy(
    context: AppContext, discrepancy_id: UUID, grosze: int
) -> PaymentDiscrepancy:
    """Have the provider refund an amount, and resolve the discrepancy.

    Call it outside of transactions. The refund's reference is the discrepancy's id, so that a
    repeated call refunds nothing more. Raises LookupError if the discrepancy is not open,
    RefundRefusedError, and ProviderUnavailableError if the result is unknown.
    """
    async with context.database.system() as session:
        discrepancy = await lock_open_discrepancy(session, discrepancy_id)
        if discrepancy is None:
            raise LookupError(f"no open discrepancy has the id {discrepancy_id}")
        provider = await reserve_refund(context, session, discrepancy, grosze)
        await _update_payment(session, discrepancy)
    refund = await _request_refund(context, provider, discrepancy, grosze)
    if refund.state is RefundState.FAILED:
        async with context.database.system() as session:
            await _set_refunded(session, discrepancy, None)
            await _update_payment(session, discrepancy)
        raise RefundRefusedError(refund.reason)
    amount = format_amount(grosze, discrepancy.currency)
    note = f"refunded: {amount} ({refund.state.value})"
    async with context.database.system() as session:
        resolved = await resolve_discrepancy(
            session, discrepancy_id, note, context.clock.now(), utc_now(), is_refunded=True
        )
    return resolved or discrepancy


async def reserve_refund(
    context: AppContext, session: SystemSession, discrepancy: PaymentDiscrepancy, grosze: int
) -> PaymentProvider:
    """Store the amount to refund of a locked discrepancy, and return its provider.

    The refund itself checks the payment's sum, because the console's login sees no payment without
    its company. Raises RefundRefusedError.
    """
    provider = context.plugins.payments.get(discrepancy.provider)
    if provider is None or not provider.capabilities.can_refund:
        raise RefundRefusedError(REFUND_BY_HAND)
    if not 0 < grosze <= discrepancy.grosze:
        raise RefundRefusedError(AMOUNT_TOO_HIGH)
    if discrepancy.refunded_grosze not in {None, grosze}:
        raise RefundRefusedError(AMOUNT_CONFLICT)
    await _set_refunded(session, discrepancy, grosze)
    return provider


async def make_reserved_refund(context: AppContext, discrepancy_id: UUID) -> bool:
    """Make the refund that an operator requested in the console; False if there is none.

    One that the provider refuses is noted in the discrepancy, which stays open. Raises
    ProviderUnavailableError if the result is unknown: repeat it then.
    """
    async with context.database.system() as session:
        discrepancy = await session.get(PaymentDiscrepancy, discrepancy_id)
    if discrepancy is None or discrepancy.resolved_at or discrepancy.refunded_grosze is None:
        return False
    try:
        await refund_discrepancy(context, discrepancy_id, discrepancy.refunded_grosze)
    except LookupError:  # resolved meanwhile
        return False
    except RefundRefusedError as error:
        async with context.database.system() as session:
            await _note_failure(session, discrepancy_id, str(error))
        return False
    return True


async def list_reserved_refunds(session: SystemSession) -> Sequence[UUID]:
    """Return the open discrepancies of which an amount is to be refunded."""
    statement = select(PaymentDiscrepancy.id).where(
        PaymentDiscrepancy.resolved_at.is_(None), PaymentDiscrepancy.refunded_grosze.is_not(None)
    )
    return (await session.scalars(statement.order_by(PaymentDiscrepancy.id))).all()


async def recheck_refund(
    context: AppContext, provider: PaymentProvider, refund_reference: str
) -> None:
    """Query a refund of ours that a webhook reports as failed, and reopen its discrepancy.

    The query is the refund's repetition, which is idempotent. Raises ProviderUnavailableError.
    """
    try:
        discrepancy_id = UUID(hex=refund_reference)
    except ValueError:
        return  # not requested by an operator of this installation
    async with context.database.system() as session:
        discrepancy = await session.get(PaymentDiscrepancy, discrepancy_id)
    if discrepancy is None or discrepancy.provider != provider.name:
        return
    if discrepancy.refunded_grosze is None:
        return
    refund = await _request_refund(context, provider, discrepancy, discrepancy.refunded_grosze)
    if refund.state is RefundState.FAILED:
        log.error("refund_failed", provider=provider.name, reference=discrepancy.reference)
        async with context.database.system() as session:
            await _reopen_discrepancy(session, discrepancy_id, refund.reason)


async def reverse_payment(
    context: AppContext, session: TenantSession, payment: Payment, now: datetime
) -> None:
    """Notify the order handler of a refunded payment; report a refund that is not ours."""
    if payment.refunded_grosze < payment.grosze:  # not refunded by an operator here
        await report_payment_discrepancy(
            session, payment, DiscrepancyKind.REFUNDED_ELSEWHERE, Detail("refunded"), now
        )
    if await PaymentRepository(session).tenant_exists(payment.tenant_id):
        await get_order_handler(context).on_refunded(session, payment)


async def _reopen_discrepancy(session: SystemSession, discrepancy_id: UUID, reason: str) -> None:
    """Reopen a discrepancy whose pending refund has failed; it is reported again."""
    discrepancy = await session.get(PaymentDiscrepancy, discrepancy_id, with_for_update=True)
    if discrepancy is None or discrepancy.refunded_grosze is None:
        return
    discrepancy.resolved_at = discrepancy.resolution_note = discrepancy.reported_at = None
    discrepancy.add_detail(_describe_failure(reason))
    await _set_refunded(session, discrepancy, None)
    await _update_payment(session, discrepancy)


async def _note_failure(session: SystemSession, discrepancy_id: UUID, reason: str) -> None:
    discrepancy = await lock_open_discrepancy(session, discrepancy_id)
    if discrepancy is not None:  # so that it can be resolved, also without its provider
        discrepancy.add_detail(_describe_failure(reason))
        await _set_refunded(session, discrepancy, None)
        await _update_payment(session, discrepancy)


def _describe_failure(reason: str) -> Detail:
    if not reason:
        return Detail("refund_failed")
    return Detail("refund_failed_because", {"reason": reason})


async def _request_refund(
    context: AppContext, provider: PaymentProvider, discrepancy: PaymentDiscrepancy, grosze: int
) -> Refund:
    ref = PaymentRef(discrepancy.reference, discrepancy.provider_ref or None)
    amount = Money(grosze, discrepancy.currency)
    call = partial(provider.refund, ref, amount, refund_reference=discrepancy.id.hex)
    try:
        refund = await call_provider(context, provider, call, validate_refund)
    except PaymentError as error:
        return Refund(RefundState.FAILED, describe_error(error))
    return Refund(refund.state, redact(refund.reason))


async def _set_refunded(
    session: SystemSession, discrepancy: PaymentDiscrepancy, grosze: int | None
) -> None:
    await session.execute(
        update(PaymentDiscrepancy)
        .where(PaymentDiscrepancy.id == discrepancy.id)
        .values(refunded_grosze=grosze)
    )


async def _update_payment(session: SystemSession, discrepancy: PaymentDiscrepancy) -> None:
    """Store in a discrepancy's payment the sum of the refunds.

    A discrepancy may be about another payment with the same reference than the one that counts.
    Needs a session of the worker's login.
    """
    total = select(func.coalesce(func.sum(PaymentDiscrepancy.refunded_grosze), 0)).where(
        PaymentDiscrepancy.provider == Payment.provider,
        PaymentDiscrepancy.reference == Payment.reference,
        PaymentDiscrepancy.provider_ref.in_(("", Payment.provider_ref)),
    )
    await session.execute(
        update(Payment)
        .where(Payment.provider == discrepancy.provider, Payment.reference == discrepancy.reference)
        .values(refunded_grosze=total.scalar_subquery())
        .execution_options(synchronize_session=False)
    )
