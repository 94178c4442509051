"""Refunds of discrepancies: an operator decides, the provider pays."""

from uuid import UUID

from sqlalchemy import text

from prawko.base import logs
from prawko.base.context import AppContext
from prawko.base.redaction import redact
from prawko.hooks.payments import (
    Money,
    PaymentError,
    PaymentProvider,
    PaymentRef,
    Refund,
    RefundState,
)
from prawko.payments.discrepancies import Discrepancy, get_with_refund
from prawko.payments.provider_calls import call_provider
from prawko_tenants.sessions import SystemSession

log = logs.get_logger(__name__)

REFUND_BY_HAND = "this provider makes no refunds: pay it back yourself, then resolve it"
AMOUNT_TOO_HIGH = "the amount is higher than the discrepancy's"
AMOUNT_CONFLICT = "another amount was requested before: use that one"

_RESERVE = text("""
    UPDATE payment_discrepancy SET refunded_grosze = :grosze
     WHERE id = :id AND resolved_at IS NULL AND coalesce(refunded_grosze, :grosze) = :grosze
    RETURNING id
""")
_RELEASE = text("UPDATE payment_discrepancy SET refunded_grosze = NULL WHERE id = :id")
# A discrepancy may be about another payment with the same reference than the one that counts.
_UPDATE_REFUNDED_TOTAL = text("""
    UPDATE payment AS p
       SET refunded_grosze = (
               SELECT coalesce(sum(d.refunded_grosze), 0) FROM payment_discrepancy AS d
                WHERE d.provider = p.provider AND d.reference = p.reference
                  AND d.provider_ref IN ('', p.provider_ref))
     WHERE p.provider = :provider AND p.reference = :reference
""")
_REOPEN = text("""
    UPDATE payment_discrepancy
       SET resolved_at = NULL, resolution_note = NULL, reported_at = NULL, refunded_grosze = NULL,
           detail = detail || :appended
     WHERE id = :id AND refunded_grosze IS NOT NULL
""")


async def refund_discrepancy(context: AppContext, discrepancy: Discrepancy, grosze: int) -> Refund:
    """Have the discrepancy's provider refund an amount; call it outside of transactions.

    The refund's reference is the discrepancy's id, so that a repeated call refunds nothing more.
    The amount is stored before the call, so that the refund is not reported as another
    discrepancy. Raises ProviderUnavailableError if the result is unknown.
    """
    provider = context.plugins.payments.get(discrepancy.provider)
    if provider is None or not provider.capabilities.can_refund:
        return Refund(RefundState.FAILED, REFUND_BY_HAND)
    if not 0 < grosze <= discrepancy.grosze:
        return Refund(RefundState.FAILED, AMOUNT_TOO_HIGH)
    async with context.database.system() as session:
        if not await reserve_refund(session, discrepancy, grosze):
            return Refund(RefundState.FAILED, AMOUNT_CONFLICT)
    refund = await _request_refund(context, provider, discrepancy, grosze)
    if refund.state is RefundState.FAILED:
        async with context.database.system() as session:
            await release_refund(session, discrepancy)
    return refund


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
        with_refund = await get_with_refund(session, provider.name, discrepancy_id)
    if with_refund is None:
        return
    discrepancy, grosze = with_refund
    refund = await _request_refund(context, provider, discrepancy, grosze)
    if refund.state is RefundState.FAILED:
        log.error("refund_failed", provider=provider.name, reference=discrepancy.reference)
        async with context.database.system() as session:
            await reopen_discrepancy(session, discrepancy, refund.reason)


async def reserve_refund(session: SystemSession, discrepancy: Discrepancy, grosze: int) -> bool:
    """Store the amount to refund; False if another was stored before, or it is resolved."""
    reserved = await session.scalar(_RESERVE, {"id": discrepancy.id, "grosze": grosze})
    await _update_refunded_total(session, discrepancy)
    return reserved is not None


async def release_refund(session: SystemSession, discrepancy: Discrepancy) -> None:
    """Clear the amount after a failed refund, so that another can be requested."""
    await session.execute(_RELEASE, {"id": discrepancy.id})
    await _update_refunded_total(session, discrepancy)


async def reopen_discrepancy(session: SystemSession, discrepancy: Discrepancy, reason: str) -> None:
    """Reopen a discrepancy whose pending refund has failed; it is reported again."""
    appended = f"; its refund failed: {reason}" if reason else "; its refund failed"
    await session.execute(_REOPEN, {"id": discrepancy.id, "appended": appended})
    await _update_refunded_total(session, discrepancy)


async def _request_refund(
    context: AppContext, provider: PaymentProvider, discrepancy: Discrepancy, grosze: int
) -> Refund:
    ref = PaymentRef(discrepancy.reference, discrepancy.provider_ref or None)
    amount = Money(grosze, discrepancy.currency)
    call = provider.refund(ref, amount, refund_reference=discrepancy.id.hex)
    try:
        refund = await call_provider(context, provider, call)
    except PaymentError as error:
        return Refund(RefundState.FAILED, redact(str(error)))
    return Refund(refund.state, redact(refund.reason))


async def _update_refunded_total(session: SystemSession, discrepancy: Discrepancy) -> None:
    await session.execute(
        _UPDATE_REFUNDED_TOTAL,
        {"provider": discrepancy.provider, "reference": discrepancy.reference},
    )
