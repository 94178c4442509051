"""Asks providers. No transaction is open meanwhile; whoever fails is told apart here alone."""

import asyncio
from collections.abc import Awaitable
from datetime import timedelta
from typing import TypeVar

from prawko.base import logs
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.hooks.failures import AccountError
from prawko.hooks.payments import Payment as Said
from prawko.hooks.payments import PaymentError, PaymentProvider, PaymentState, event_of
from prawko.payments.pauses import pause
from prawko.payments.repository import Stored
from prawko.payments.telling import tell_of_payments
from prawko.payments.words import kept_words

log = logs.logger(__name__)

T = TypeVar("T")

DEADLINE_SECONDS = 30.0


LONGEST_OBEYED = timedelta(hours=1)


class NoAnswerError(Exception):
    """Nobody knows what happened: ask again later. `bug`: the provider's plugin broke.

    `wait` is how long the provider asks to be left alone, obeyed up to an hour.
    """

    def __init__(
        self, provider: str, *, bug: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(provider)
        self.bug = bug
        self.wait = min(timedelta(seconds=max(0.0, retry_after or 0.0)), LONGEST_OBEYED)


async def answer(tools: Tools, provider: PaymentProvider, asked: Awaitable[T]) -> T:
    """Wait for a provider's answer, up to the deadline.

    Raises PaymentError for what is refused for good, NoAnswerError for everything else; after
    a refusal of our own account the provider rests, and operators are told.
    """
    try:
        async with asyncio.timeout(DEADLINE_SECONDS):
            return await asked
    except AccountError as error:
        async with tools.database.system() as session:
            await pause(session, provider.name, kept_words(str(error)), machine_now())
        await tools.queue.put(tell_of_payments)
        raise NoAnswerError(provider.name) from error
    except PaymentError as error:
        if error.permanent:
            raise
        log.warning("provider_away", provider=provider.name, reason=kept_words(str(error)))
        raise NoAnswerError(provider.name, retry_after=error.retry_after) from error
    except TimeoutError as error:
        log.warning("provider_silent", provider=provider.name)
        raise NoAnswerError(provider.name) from error
    except Exception as error:
        log.exception("provider_broke", provider=provider.name)
        raise NoAnswerError(provider.name, bug=True) from error


async def last_word(tools: Tools, provider: PaymentProvider, payment: Stored) -> Said | None:
    """The truth of a payment that is over for us: what is unpaid is ended where that can be.

    Raises NoAnswerError.
    """
    said = await truth(tools, provider, payment)
    unpaid = said is None or said.state is PaymentState.OPEN
    if not (unpaid and provider.capabilities.cancels):
        return said
    try:
        said = await answer(tools, provider, provider.cancel(payment.ref))
    except PaymentError as error:
        raise NoAnswerError(provider.name) from error
    if said is not None and said.state is PaymentState.CLAIMED:  # its payer was faster
        return await truth(tools, provider, payment)
    return said


async def truth(tools: Tools, provider: PaymentProvider, payment: Stored) -> Said | None:
    """What the provider says of a payment; the money is taken where the right sum waits.

    Raises NoAnswerError.
    """
    try:
        said = await answer(tools, provider, provider.status(payment.ref))
        if said is None or said.state is not PaymentState.CLAIMED or said.money != payment.money:
            return said
        event = event_of(said, machine_now())
        if event is None:
            return said
        return await answer(tools, provider, provider.confirm(event, expected=payment.money))
    except PaymentError as error:  # nothing to be refused for good was asked for
        log.warning(
            "provider_refused_to_say", provider=provider.name, reason=kept_words(str(error))
        )
        raise NoAnswerError(provider.name) from error
