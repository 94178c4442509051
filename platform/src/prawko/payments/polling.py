"""Polls open payments, because webhooks get lost and some providers send none.

Payments are claimed with a lease; no transaction is open while their provider is called. An open
payment is cancelled once its order is no longer wanted, whatever ended it: an operator, a dispute,
a cancellation, an erasure, or another order whose process ended before it cancelled this payment.
"""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from prawko.kit.backoff import Backoff
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.incidents.provider_pauses import paused_providers
from prawko.kit.observability import logs
from prawko.kit.single_flight import SingleFlights
from prawko.kit.work.leased_work import run_work
from prawko.payments.mandate_charges import charge_payment, is_wanted
from prawko.payments.models import Payment
from prawko.payments.payment_updater import PaymentUpdater
from prawko.payments.provider_calls import (
    ProviderUnavailableError,
    fetch_final_status,
    fetch_status,
)
from prawko.payments.repository import PaymentRepository
from prawko.payments.state_machine import (
    POLL_INTERVAL,
    UNKNOWN_TIMEOUT,
    PaymentRecordState,
    is_payment_expired,
)

log = logs.get_logger(__name__)

BATCH_SIZE = 8
BACKOFF = Backoff(timedelta(minutes=1), POLL_INTERVAL)


async def poll_due(context: AppContext) -> int:
    """Poll the payments that are due, of all providers at once; returns their number."""
    works = {
        f"polling {name}": partial(_poll_provider, context, name)
        for name in context.plugins.payments
    }
    return await context.components.get(SingleFlights).run_all(works)


async def _poll_provider(context: AppContext, provider: str) -> int:
    """Poll the due payments of one provider until none is left or it is unavailable."""

    async def claim(room: int) -> Sequence[Payment]:
        async with context.database.system() as session:
            if provider in await paused_providers(session, utc_now()):
                return ()
            return await PaymentRepository(session).claim(
                [provider],
                limit=room,
                now=utc_now(),
                product_now=context.clock.now(),
            )

    handle, on_error = partial(_refresh, context), partial(_reschedule, context)
    return await run_work(
        context, claim=claim, handle=handle, on_error=on_error, limit=BATCH_SIZE, renews=True
    )


async def _reschedule(context: AppContext, payment: Payment, error: Exception) -> bool:
    """Schedule the next poll of a payment; False if its provider is unavailable."""
    is_available, min_delay = True, timedelta(0)
    if isinstance(error, ProviderUnavailableError):
        is_available, min_delay = error.is_plugin_error, error.retry_delay
    else:
        log.error("payment_poll_failed", payment_id=str(payment.id), exc_info=error)
    async with context.database.system() as session:
        await PaymentRepository(session).reschedule(
            payment, context.clock.now() + max(BACKOFF.delay(payment.attempts), min_delay)
        )
    return is_available


async def _refresh(context: AppContext, payment: Payment) -> None:
    now = context.clock.now()
    is_recent = now < payment.created_at + UNKNOWN_TIMEOUT
    if (
        payment.state is PaymentRecordState.STARTING
        and payment.mandate_id is not None
        and is_recent
    ):
        # The charging process crashed or got no answer; a reference is charged only once.
        await charge_payment(context, payment)
        return
    provider = context.plugins.payments[payment.provider]
    is_over = is_payment_expired(payment.state, payment.expires_at, now)
    if payment.state is PaymentRecordState.OPEN:
        async with context.database.tenant(payment.tenant_id) as session:
            is_over = is_over or not await is_wanted(context, session, payment)
    if is_over:
        status = await fetch_final_status(context, provider, payment)
    else:
        status = await fetch_status(context, provider, payment)
    async with context.database.tenant(payment.tenant_id) as session:
        await PaymentUpdater(context, session).apply(payment, status, is_scheduled_poll=True)
