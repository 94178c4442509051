"""What providers call us about: kept in the inbox, and worked on by asking the provider.

An event is taken with a lease, so no transaction is open while its provider is asked. What a
call says is only a reason to ask. Whoever dies on the way leaves the event to the next one.
"""

from collections.abc import Sequence
from datetime import timedelta

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.base import logs
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.base.secrets import LostKeyError, Vault
from prawko.deliveries.backoff import KEEP_TRYING, wait_after
from prawko.deliveries.inbox import Arrived, Inbox, Outcome, Waiting
from prawko.deliveries.incidents import open_incident
from prawko.hooks.payments import (
    EventKind,
    Payment,
    PaymentError,
    PaymentEvent,
    PaymentState,
    is_key,
)
from prawko.payments.asking import NoAnswerError, answer
from prawko.payments.buyers import Buyers
from prawko.payments.findings import Kind, find
from prawko.payments.giving_back import look_after_refund
from prawko.payments.pauses import paused
from prawko.payments.recording import HAS_PAID, Recorder
from prawko.payments.repository import PaymentRepository, Stored

log = logs.logger(__name__)

LEASE = timedelta(minutes=2)  # longer than a question and its writing may take
LONGEST_ID = 400
MOST_GROSZE = 2**53  # what JSON carries exactly
EVENT_LOST = "payment_event_lost"
OURS = frozenset({PaymentState.CLAIMED, PaymentState.PAID, PaymentState.REFUNDED})


def fits(event: PaymentEvent) -> bool:
    """Whether the database can hold what names the event and the payment."""
    sums = [money.grosze for money in (event.money, event.ordered) if money is not None]
    names = (event.event_id, event.ref.provider_ref or "-", event.refund_key or "-")
    return (
        is_key(event.ref.key)
        and all(0 < len(name) <= LONGEST_ID and name.isprintable() for name in names)
        and all(grosze <= MOST_GROSZE for grosze in sums)
    )


async def keep(
    session: AsyncSession, vault: Vault, provider: str, events: Sequence[PaymentEvent]
) -> None:
    """Keep the events that are new; ring `work_on_payments` when they are committed."""
    arrived = [Arrived(event.event_id, msgspec.json.encode(event)) for event in events]
    await Inbox(session).keep(provider, arrived, vault, machine_now())


async def work_on_events(tools: Tools, buyers: Buyers) -> int:
    """Work on what waits in the inbox; returns how many events were looked at.

    A provider that does not answer is left alone for the rest of this run.
    """
    silent: set[str] = set()
    worked_on = 0
    while not tools.stopping:
        async with tools.database.system() as session:
            resting = await paused(session, machine_now())
            awake = tools.plugins.payments.keys() - resting - silent
            event = await Inbox(session).claim(awake, machine_now(), LEASE) if awake else None
        if event is None:
            break
        worked_on += 1
        if not await _Work(tools, buyers, event).go():
            silent.add(event.provider)
    return worked_on


class _Work:
    """One event that is ours until its lease ends."""

    def __init__(self, tools: Tools, buyers: Buyers, event: Waiting) -> None:
        self._tools = tools
        self._buyers = buyers
        self._waiting = event
        self._provider = tools.plugins.payments[event.provider]

    async def go(self) -> bool:
        """Work on it; False when its provider did not answer. Never raises."""
        try:
            try:
                outcome = await self._work()
            except NoAnswerError as error:
                await self._put_off(error, bug=error.bug, asked_for=error.wait)
                return False
        except Exception as error:  # the edge of a job: one event must not hold up the others
            log.exception("payment_event_broke", provider=self._waiting.provider)
            await self._put_off(error, bug=True)
            return True
        log.info("payment_event_worked_on", provider=self._provider.name, outcome=outcome.value)
        return True

    async def _work(self) -> Outcome:
        try:
            event = msgspec.json.decode(self._waiting.opened(self._tools.vault), type=PaymentEvent)
        except LostKeyError:
            return await self._unreadable()
        async with self._tools.database.system() as session:
            payment = await PaymentRepository(session).by_key(self._provider.name, event.ref.key)
        if event.kind is EventKind.REFUND_REFUSED and event.refund_key is not None:
            await look_after_refund(self._tools, self._provider, event.refund_key)
        if payment is None:
            return await self._stranger(event)
        try:
            said = await answer(
                self._tools,
                self._provider,
                self._provider.confirm(event, expected=payment.money),
            )
        except PaymentError as error:  # nothing to be refused for good was asked for
            raise NoAnswerError(self._provider.name, bug=True) from error
        if event.kind is EventKind.PAID and payment.state not in HAS_PAID and _lags(said):
            raise NoAnswerError(self._provider.name, bug=True)
        return await self._record(payment, said)

    async def _record(self, payment: Stored, said: Payment | None) -> Outcome:
        async with self._tools.database.tenant(payment.tenant_id) as session:
            written = await Recorder(self._tools, session, self._buyers).record(payment, said)
            outcome = Outcome.REPEATED if written.state is payment.state else Outcome.APPLIED
            await Inbox(session).finish(self._waiting, outcome, machine_now())
        return outcome

    async def _stranger(self, event: PaymentEvent) -> Outcome:
        """An event about no payment of ours: money that nobody here asked for is flagged."""
        try:
            said = await answer(self._tools, self._provider, self._provider.status(event.ref))
        except PaymentError as error:
            raise NoAnswerError(self._provider.name, bug=True) from error
        money = event.money if said is None else said.money
        paid = event.kind is EventKind.PAID or (said is not None and said.state in OURS)
        async with self._tools.database.system() as session:
            if paid and money is not None:
                await find(
                    session,
                    Kind.UNKNOWN_PAYMENT,
                    provider=self._provider.name,
                    key=event.ref.key,
                    provider_ref=(event.ref if said is None else said.ref).provider_ref,
                    money=money,
                    tenant_id=None,
                    detail=f"{event.kind.value}, and no payment of ours has this key",
                    now=self._tools.clock.now(),
                )
            await Inbox(session).finish(self._waiting, Outcome.UNKNOWN, machine_now())
        return Outcome.UNKNOWN

    async def _unreadable(self) -> Outcome:
        async with self._tools.database.system() as session:
            await Inbox(session).finish(self._waiting, Outcome.UNREADABLE, machine_now())
            await self._lost(session, "the key it was sealed with is gone")
        return Outcome.UNREADABLE

    async def _put_off(
        self, error: Exception, *, bug: bool, asked_for: timedelta = timedelta(0)
    ) -> None:
        """Again later; after days of breaking each time, the operators take it over."""
        waiting, now = self._waiting, machine_now()
        log.warning("payment_event_put_off", provider=waiting.provider, attempts=waiting.attempts)
        async with self._tools.database.system() as session:
            if bug and waiting.received_at < now - KEEP_TRYING:
                await Inbox(session).finish(waiting, Outcome.GIVEN_UP, now)
                await self._lost(session, f"working on it broke each time: {type(error).__name__}")
            else:
                wait = max(wait_after(waiting.attempts), asked_for)
                await Inbox(session).put_back(waiting, now + wait)

    async def _lost(self, session: AsyncSession, why: str) -> None:
        await open_incident(
            session,
            kind=EVENT_LOST,
            key=str(self._waiting.id),
            detail=f"{self._waiting.provider}, event {self._waiting.event_id}: {why}",
            now=machine_now(),
        )


def _lags(said: Payment | None) -> bool:
    """Whether a provider that called of money knows nothing of it when it is asked, as yet."""
    return said is None or said.state is PaymentState.OPEN
