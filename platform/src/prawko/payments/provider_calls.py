"""Calls to providers: one deadline, one validation of what they return, one translation of errors.

Call them outside transactions.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from typing import TypeVar

from prawko.hooks.deadlines import PAYMENT_SECONDS
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.payments import (
    PaymentError,
    PaymentProvider,
    PaymentRef,
    PaymentState,
    ProviderPayment,
    synthesize_event,
)
from prawko.kit.backoff import bounded_delay
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.incidents.plugin_faults import await_validated, get_experience, record_success
from prawko.kit.incidents.provider_pauses import pause_provider
from prawko.kit.observability import logs
from prawko.kit.providers.calls import (
    PluginFaultError,
    PluginTimeoutError,
    describe_error,
)
from prawko.kit.providers.experience import PluginExperience
from prawko.kit.providers.registry import PluginKind
from prawko.payments.incidents import report_payment_incidents
from prawko.payments.models import Payment
from prawko.payments.returned_values import validate_payment

log = logs.get_logger(__name__)

T = TypeVar("T")

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
        self.retry_delay = bounded_delay(retry_after, longest=MAX_RETRY_AFTER) or timedelta(0)


def get_provider_experience(context: AppContext, provider: PaymentProvider) -> PluginExperience:
    """Return this process's experience with a provider's plugin."""
    return get_experience(context, PluginKind.PAYMENTS, provider.name)


async def call_provider(
    context: AppContext,
    provider: PaymentProvider,
    call: Callable[[], Awaitable[object]],
    validate: Callable[[object], T],
    *,
    deadline: float | None = None,
) -> T:
    """Call a provider, unless it rests, and validate what it returns.

    The deadline is PAYMENT_SECONDS, or a shorter one in seconds.
    Raises a permanent PaymentError if the call was refused, ProviderUnavailableError for any
    other failure. A refused account pauses the provider and is reported to operators.
    """
    plugin = get_provider_experience(context, provider)
    if plugin.rests_until() is not None:
        raise ProviderUnavailableError(provider.name)
    try:
        return await await_validated(
            context, plugin, call, validate, deadline=deadline or PAYMENT_SECONDS,
            raises=(PaymentError, ProviderAccountError),
        )  # fmt: skip
    except ProviderAccountError as error:
        async with context.database.system() as session:
            await pause_provider(session, provider.name, describe_error(error), utc_now())
            context.enqueue_on_commit(session, report_payment_incidents)
        raise ProviderUnavailableError(provider.name) from error
    except PaymentError as error:
        await record_success(context, plugin)
        if error.permanent:
            raise
        log.warning("provider_call_failed", provider=provider.name, reason=describe_error(error))
        raise ProviderUnavailableError(provider.name, retry_after=error.retry_after) from error
    except PluginFaultError as fault:
        is_timeout = isinstance(fault, PluginTimeoutError)
        raise ProviderUnavailableError(provider.name, is_plugin_error=not is_timeout) from fault


async def query_provider(
    context: AppContext,
    provider: PaymentProvider,
    call: Callable[[], Awaitable[ProviderPayment | None]],
    ref: PaymentRef,
) -> ProviderPayment | None:
    """Make a call about the payment `ref` that no payer can make fail.

    That is a query, a capture or a cancellation.

    Raises ProviderUnavailableError for any failure.
    """
    try:
        return await call_provider(context, provider, call, partial(validate_payment, ref=ref))
    except PaymentError as error:
        log.warning("provider_query_refused", provider=provider.name, reason=describe_error(error))
        raise ProviderUnavailableError(provider.name, is_plugin_error=True) from error


async def fetch_status(
    context: AppContext, provider: PaymentProvider, payment: Payment
) -> ProviderPayment | None:
    """Query a payment, and capture it if the right amount is authorized.

    Raises ProviderUnavailableError.
    """
    ref = payment.ref
    status = await query_provider(context, provider, partial(provider.query_status, ref), ref)
    if (
        status is None
        or status.state is not PaymentState.AUTHORIZED
        or status.money != payment.money
    ):
        return status
    event = synthesize_event(status, utc_now())
    if event is None:
        return status
    capture = partial(provider.capture, event, expected=payment.money)
    return await query_provider(context, provider, capture, ref)


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
    cancel = partial(provider.cancel, payment.ref)
    status = await query_provider(context, provider, cancel, payment.ref)
    if status is not None and status.state is PaymentState.AUTHORIZED:  # paid in the meantime
        return await fetch_status(context, provider, payment)
    return status
