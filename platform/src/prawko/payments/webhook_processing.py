"""Processes stored webhooks of providers: the content is not trusted, the provider is queried.

`apps.web.webhooks` stores them, and `payments.jobs` has them processed.

Events are claimed with a lease; no transaction is open while the provider is called, and after a
crash another process takes over.
"""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.hooks.payments import (
    PaymentEvent,
    PaymentEventKind,
    PaymentState,
    ProviderPayment,
    is_valid_reference,
)
from prawko.kit.backoff import BACKOFF, GIVE_UP_AFTER
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.crypto import DecryptionError, KeyRing
from prawko.kit.incidents.models import Detail
from prawko.kit.incidents.provider_pauses import paused_providers
from prawko.kit.incidents.service import open_incident
from prawko.kit.observability import logs
from prawko.kit.providers.returned_values import is_valid_id
from prawko.kit.single_flight import SingleFlights
from prawko.kit.webhooks.models import WebhookEvent
from prawko.kit.webhooks.repository import NewEvent, WebhookEventRepository, WebhookOutcome
from prawko.kit.work.leased_work import run_work
from prawko.payments.discrepancies import report_discrepancy
from prawko.payments.models import DiscrepancyKind, Payment
from prawko.payments.payment_updater import PaymentUpdater
from prawko.payments.provider_calls import ProviderUnavailableError, query_provider
from prawko.payments.refunds import recheck_refund
from prawko.payments.repository import PaymentRepository
from prawko.payments.returned_values import is_storable_amount
from prawko.payments.state_machine import PAID_STATES
from prawko_tenants.sessions import SystemSession

log = logs.get_logger(__name__)

DEAD_LETTER_INCIDENT = "payment_event_lost"
MONEY_MOVED_STATES = frozenset(PaymentState) - {PaymentState.OPEN, PaymentState.FAILED}


def is_storable(event: PaymentEvent) -> bool:
    """Return whether the database can hold an event's ids and amounts."""
    amounts = [money for money in (event.money, event.requested_money) if money is not None]
    ids = (event.event_id, event.ref.provider_ref or "-", event.refund_reference or "-")
    is_dispute = event.kind is PaymentEventKind.DISPUTED and event.ref.provider_ref is not None
    return (
        (is_valid_reference(event.ref.reference) or (is_dispute and not event.ref.reference))
        and all(is_valid_id(one) for one in ids)
        and all(is_storable_amount(money) for money in amounts)
    )


async def store_events(
    session: AsyncSession, key_ring: KeyRing, provider: str, events: Sequence[PaymentEvent]
) -> None:
    """Store the events that are new. The caller enqueues the job that processes them."""
    new_events = [NewEvent(event.event_id, msgspec.json.encode(event)) for event in events]
    await WebhookEventRepository(session).insert(provider, new_events, key_ring, utc_now())


async def process_events(context: AppContext) -> int:
    """Process the stored events that are due; returns their number.

    Those of different providers at once, and of each by one job of a process at a time: one that
    hangs delays no other.
    """
    works = {
        f"events {name}": partial(_process_provider, context, name)
        for name in context.plugins.payments
    }
    return await context.components.get(SingleFlights).run_all(works)


async def _process_provider(context: AppContext, provider: str) -> int:
    """Process the due events of one provider until none is left or it is unavailable."""

    async def claim(_: int) -> Sequence[WebhookEvent]:
        async with context.database.system() as session:
            if provider in await paused_providers(session, utc_now()):
                return ()
            return await WebhookEventRepository(session).claim([provider], utc_now())

    return await run_work(
        context,
        claim=claim,
        handle=lambda event: _EventHandler(context, event).run(),
        on_error=lambda event, error: _EventHandler(context, event).reschedule(error),
        limit=1,
        renews=True,
    )


class _EventHandler:
    """Processes one claimed event."""

    def __init__(self, context: AppContext, event: WebhookEvent) -> None:
        self._context = context
        self._event = event
        self._provider = context.plugins.payments[event.provider]

    async def run(self) -> None:
        """Process the event. Raises ProviderUnavailableError."""
        outcome = await self._process()
        log.info("payment_event_processed", provider=self._provider.name, outcome=outcome.value)

    async def _process(self) -> WebhookOutcome:
        try:
            body = self._event.decrypt_body(self._context.key_ring)
        except DecryptionError:
            return await self._handle_undecryptable()
        event = msgspec.json.decode(body, type=PaymentEvent)
        if event.kind is PaymentEventKind.DISPUTED and not event.ref.reference:
            query = partial(self._provider.query_status, event.ref)
            found = await query_provider(self._context, self._provider, query, event.ref)
            if found is None:  # of another shop
                return await self._complete(WebhookOutcome.UNKNOWN)
            event = msgspec.structs.replace(event, ref=found.ref)
        async with self._context.database.system() as session:
            payment = await PaymentRepository(session).get_by_reference(
                self._provider.name, event.ref.reference
            )
        if event.kind is PaymentEventKind.REFUND_FAILED and event.refund_reference is not None:
            await recheck_refund(self._context, self._provider, event.refund_reference)
        if payment is None:
            return await self._handle_unknown(event)
        capture = partial(self._provider.capture, event, expected=payment.money)
        status = await query_provider(self._context, self._provider, capture, event.ref)
        if (
            event.kind is PaymentEventKind.PAID
            and payment.state not in PAID_STATES
            and _is_lagging(status)
        ):
            raise ProviderUnavailableError(self._provider.name, is_plugin_error=True)
        return await self._apply(payment, status)

    async def _apply(self, payment: Payment, status: ProviderPayment | None) -> WebhookOutcome:
        async with self._context.database.tenant(payment.tenant_id) as session:
            updated = await PaymentUpdater(self._context, session).apply(payment, status)
            is_repeated = updated.state is payment.state
            outcome = WebhookOutcome.DUPLICATE if is_repeated else WebhookOutcome.APPLIED
            await WebhookEventRepository(session).complete(self._event, outcome, utc_now())
        return outcome

    async def _handle_unknown(self, event: PaymentEvent) -> WebhookOutcome:
        """Report an event about no payment of ours, if money was moved."""
        query = partial(self._provider.query_status, event.ref)
        status = await query_provider(self._context, self._provider, query, event.ref)
        money = event.money if status is None else status.money
        is_paid = event.kind is PaymentEventKind.PAID or (
            status is not None and status.state in MONEY_MOVED_STATES
        )
        async with self._context.database.system() as session:
            if is_paid and money is not None:
                provider_ref = (event.ref if status is None else status.ref).provider_ref
                await report_discrepancy(
                    session,
                    DiscrepancyKind.UNKNOWN_PAYMENT,
                    Detail("unknown_reference"),
                    provider=self._provider.name,
                    ref=msgspec.structs.replace(event.ref, provider_ref=provider_ref),
                    money=money,
                    now=self._context.clock.now(),
                )
            await WebhookEventRepository(session).complete(
                self._event, WebhookOutcome.UNKNOWN, utc_now()
            )
        return WebhookOutcome.UNKNOWN

    async def _complete(self, outcome: WebhookOutcome) -> WebhookOutcome:
        async with self._context.database.system() as session:
            await WebhookEventRepository(session).complete(self._event, outcome, utc_now())
        return outcome

    async def _handle_undecryptable(self) -> WebhookOutcome:
        async with self._context.database.system() as session:
            await WebhookEventRepository(session).complete(
                self._event, WebhookOutcome.UNDECRYPTABLE, utc_now()
            )
            await self._dead_letter(session, "event_unreadable")
        return WebhookOutcome.UNDECRYPTABLE

    async def reschedule(self, error: Exception) -> bool:
        """Schedule the next attempt; after days of plugin errors, give up and open an incident.

        Returns False if the provider is unavailable. An event that it cannot answer for, or not
        yet, does not stop the others.
        """
        event, now = self._event, utc_now()
        is_plugin_error, min_delay = True, timedelta(0)
        if isinstance(error, ProviderUnavailableError):
            is_plugin_error, min_delay = error.is_plugin_error, error.retry_delay
        else:
            log.error("payment_event_failed", provider=event.provider, exc_info=error)
        log.warning("payment_event_rescheduled", provider=event.provider, attempts=event.attempts)
        async with self._context.database.system() as session:
            repository = WebhookEventRepository(session)
            if is_plugin_error and event.received_at < now - GIVE_UP_AFTER:
                await repository.complete(event, WebhookOutcome.GIVEN_UP, now)
                await self._dead_letter(session, "event_failed", error=type(error).__name__)
            else:
                delay = max(BACKOFF.delay(event.attempts), min_delay)
                await repository.release(event, now + delay)
        return is_plugin_error

    async def _dead_letter(self, session: SystemSession, text: str, **params: str) -> None:
        await open_incident(
            session,
            kind=DEAD_LETTER_INCIDENT,
            key=str(self._event.id),
            detail=Detail(
                text,
                {"provider": self._event.provider, "event": self._event.event_id, **params},
            ),
            now=utc_now(),
        )


def _is_lagging(status: ProviderPayment | None) -> bool:
    """Return whether a provider that reported a payment does not know of it yet."""
    return status is None or status.state is PaymentState.OPEN
