"""Gives money back that was good for nothing: an operator's word, the provider's doing."""

from prawko.base.jobs import Tools
from prawko.hooks.payments import Money, PaymentError, PaymentRef, Refund, RefundState
from prawko.payments.asking import answer
from prawko.payments.findings import Finding
from prawko.payments.words import kept_words

BY_HAND = "this provider gives nothing back: pay it out by hand, then settle the finding"


async def give_back(tools: Tools, finding: Finding, grosze: int) -> Refund:
    """Ask the finding's provider to give so much of it back; hold no transaction meanwhile.

    The refund bears the finding's own id, so that asking again gives nothing twice. Raises
    NoAnswerError when nobody knows whether it was given.
    """
    provider = tools.plugins.payments.get(finding.provider)
    if provider is None or not provider.capabilities.refunds:
        return Refund(RefundState.REFUSED, BY_HAND)
    if not 0 < grosze <= finding.grosze:
        return Refund(RefundState.REFUSED, "it is not that much")
    ref = PaymentRef(finding.key, finding.provider_ref or None)
    money = Money(grosze, finding.currency)
    try:
        return await answer(tools, provider, provider.refund(ref, money, key=finding.id.hex))
    except PaymentError as error:
        return Refund(RefundState.REFUSED, kept_words(str(error)))
