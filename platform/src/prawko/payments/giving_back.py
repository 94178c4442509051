"""Gives money back that was good for nothing: an operator's word, the provider's doing."""

from uuid import UUID

from prawko.base import logs
from prawko.base.jobs import Tools
from prawko.hooks.payments import (
    Money,
    PaymentError,
    PaymentProvider,
    PaymentRef,
    Refund,
    RefundState,
)
from prawko.payments import refund_repository as refunds
from prawko.payments.asking import answer
from prawko.payments.findings import Finding, given_back_for
from prawko.payments.words import kept_words

log = logs.logger(__name__)

BY_HAND = "this provider gives nothing back: pay it out by hand, then settle the finding"
ANOTHER_SUM = "another sum was asked for before: give that one"


async def give_back(tools: Tools, finding: Finding, grosze: int) -> Refund:
    """Ask the finding's provider to give so much of it back; hold no transaction meanwhile.

    The refund bears the finding's own id, so that asking again gives nothing twice. What was
    asked for is noted first: that it comes about is then no finding. Raises NoAnswerError when
    nobody knows whether it was given.
    """
    provider = tools.plugins.payments.get(finding.provider)
    if provider is None or not provider.capabilities.refunds:
        return Refund(RefundState.REFUSED, BY_HAND)
    if not 0 < grosze <= finding.grosze:
        return Refund(RefundState.REFUSED, "it is not that much")
    async with tools.database.system() as session:
        if not await refunds.ask_back(session, finding, grosze):
            return Refund(RefundState.REFUSED, ANOTHER_SUM)
    refund = await _asked(tools, provider, finding, grosze)
    if refund.state is RefundState.REFUSED:
        async with tools.database.system() as session:
            await refunds.refused(session, finding)
    return refund


async def look_after_refund(tools: Tools, provider: PaymentProvider, refund_key: str) -> None:
    """See to a refund of ours that is said to have been refused in the end.

    Asked for again under its key, it gives nothing twice and says how far it is. Raises
    NoAnswerError.
    """
    try:
        finding_id = UUID(hex=refund_key)
    except ValueError:
        return  # no operator asked for it here
    async with tools.database.system() as session:
        found = await given_back_for(session, provider.name, finding_id)
    if found is None:
        return
    finding, grosze = found
    refund = await _asked(tools, provider, finding, grosze)
    if refund.state is RefundState.REFUSED:
        log.error("refund_refused", provider=provider.name, key=finding.key)
        async with tools.database.system() as session:
            await refunds.reopen(session, finding, refund.reason)


async def _asked(tools: Tools, provider: PaymentProvider, finding: Finding, grosze: int) -> Refund:
    ref = PaymentRef(finding.key, finding.provider_ref or None)
    money = Money(grosze, finding.currency)
    try:
        refund = await answer(tools, provider, provider.refund(ref, money, key=finding.id.hex))
    except PaymentError as error:
        return Refund(RefundState.REFUSED, kept_words(str(error)))
    return Refund(refund.state, kept_words(refund.reason))
