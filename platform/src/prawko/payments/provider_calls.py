"""Calls to providers: one deadline, one translation of errors. Call them outside transactions."""

import asyncio
from collections.abc import Awaitable
from datetime import timedelta
from typing import TypeVar

from prawko.base import logs
from prawko.base.clock import utc_now
from prawko.base.context import AppContext
from prawko.base.redaction import redact
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.payments import (
    PaymentError,
    PaymentProvider,
    PaymentState,
    ProviderPayment,
    synthesize_event,
)
from prawko.incidents.provider_pauses import pause_provider
from prawko.payments.alerts import report_payment_incidents
from prawko.payments.models import Payment

log = logs.get_logger(__name__)

T = TypeVar("T")

TIMEOUT_SECONDS = 30.0
MAX_RETRY_AFTER = timedelta(hours=1)


class ProviderUnavailableError(Exception):
    """The result of a call is unknown; it is to be queried later.

    `is_plugin_error`: the plugin failed, not the provider. `retry_delay` is the wait that the
    provider asked for, limited to an hour.
    """

    def __init__(
        self, provider: str, *, is_plugin_error: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(provider)
        self.is_plugin_error = is_plugin_error
        self.retry_delay = min(timedelta(seconds=max(0.0, retry_after or 0.0)), MAX_RETRY_AFTER)


async def call_provider(context: AppContext, provider: PaymentProvider, call: Awaitable[T]) -> T:
    """Await a provider's call within the deadline.

    Raises a permanent PaymentError if the call was refused, ProviderUnavailableError for any
    other failure. A refused account pauses the provider and is reported to operators.
    """
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            return await call
    except ProviderAccountError as error:
        async with context.database.system() as session:
            await pause_provider(session, provider.name, redact(str(error)), utc_now())
            context.enqueue_on_commit(session, report_payment_incidents)
        raise ProviderUnavailableError(provider.name) from error
    except PaymentError as error:
        if error.permanent:
            raise
        log.warning("provider_call_failed", provider=provider.name, reason=redact(str(error)))
        raise ProviderUnavailableError(provider.name, retry_after=error.retry_after) from error
    except TimeoutError as error:
        log.warning("provider_timed_out", provider=provider.name)
        raise ProviderUnavailableError(provider.name) from error
    except Exception as error:
        log.exception("provider_plugin_failed", provider=provider.name)
        raise ProviderUnavailableError(provider.name, is_plugin_error=True) from error


async def query_provider(context: AppContext, provider: PaymentProvider, call: Awaitable[T]) -> T:
    """Await a call that no payer can make fail: a query, a capture, a cancellation.

    Raises ProviderUnavailableError for any failure.
    """
    try:
        return await call_provider(context, provider, call)
    except PaymentError as error:
        log.warning("provider_query_refused", provider=provider.name, reason=redact(str(error)))
        raise ProviderUnavailableError(provider.name, is_plugin_error=True) from error


async def fetch_status(
    context: AppContext, provider: PaymentProvider, payment: Payment
) -> ProviderPayment | None:
    """Query a payment, and capture it if the right amount is authorized.

    Raises ProviderUnavailableError.
    """
    status = await query_provider(context, provider, provider.query_status(payment.ref))
    if (
        status is None
        or status.state is not PaymentState.AUTHORIZED
        or status.money != payment.money
    ):
        return status
    event = synthesize_event(status, utc_now())
    if event is None:
        return status
    return await query_provider(context, provider, provider.capture(event, expected=payment.money))


async def fetch_final_status(
    context: AppContext, provider: PaymentProvider, payment: Payment
) -> ProviderPayment | None:
    """Query a payment whose time is over, and cancel it if it is unpaid and the provider can.

    Raises ProviderUnavailableError.
    """
    status = await fetch_status(context, provider, payment)
    is_unpaid = status is None or status.state is PaymentState.OPEN
    if not (is_unpaid and provider.capabilities.can_cancel):
        return status
    status = await query_provider(context, provider, provider.cancel(payment.ref))
    if status is not None and status.state is PaymentState.AUTHORIZED:  # paid in the meantime
        return await fetch_status(context, provider, payment)
    return status
