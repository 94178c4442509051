"""The payment methods on offer: those of the configured providers, in their order."""

import asyncio
import time
from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import partial

import msgspec

from prawko.hooks.deadlines import METHODS_SECONDS
from prawko.hooks.payments import Money, PaymentMethod, PaymentProvider
from prawko.kit.context import AppContext
from prawko.kit.observability import logs
from prawko.kit.providers.calls import describe_error
from prawko.payments.provider_calls import call_provider
from prawko.payments.returned_values import validate_methods

log = logs.get_logger(__name__)

CACHE_TTL = timedelta(minutes=10)
FAILURE_TTL = timedelta(minutes=1)  # so that not every request waits for an unavailable provider
MAX_ENTRIES = 1000


class OfferedMethod(msgspec.Struct, frozen=True, kw_only=True):
    """A payment method, its providers in their order, and what the first of them can do with it.

    `is_recurring`: its mandates can be charged.
    """

    method: PaymentMethod
    providers: tuple[str, ...]
    accepts_blik_codes: bool
    is_recurring: bool


def configured_providers(context: AppContext) -> tuple[PaymentProvider, ...]:
    """Return the providers for new payments, in order of preference."""
    return context.plugins.get_payment_providers(context.settings.payment_provider_names)


def offered_methods(
    providers: Iterable[PaymentProvider],
    methods_by_provider: dict[str, frozenset[PaymentMethod]] | None = None,
) -> tuple[OfferedMethod, ...]:
    """Return each method once, with the providers that offer it.

    `methods_by_provider` restricts the methods of a provider's capabilities.
    """
    providers_by_method: dict[PaymentMethod, list[PaymentProvider]] = {}
    for provider in providers:
        methods = provider.capabilities.methods
        if methods_by_provider is not None:
            methods &= methods_by_provider.get(provider.name, methods)
        for method in PaymentMethod:
            if method in methods:
                providers_by_method.setdefault(method, []).append(provider)
    return tuple(
        OfferedMethod(
            method=method,
            providers=tuple(provider.name for provider in (first, *others)),
            accepts_blik_codes=(
                method is PaymentMethod.BLIK and first.capabilities.accepts_blik_codes
            ),
            is_recurring=method in first.capabilities.recurring_methods,
        )
        for method, (first, *others) in providers_by_method.items()
    )


class MethodCache:
    """The methods that providers offer for an amount, cached for ten minutes."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, Money], tuple[float, frozenset[PaymentMethod]]] = {}

    async def methods_by_provider(
        self, context: AppContext, providers: Sequence[PaymentProvider], amount: Money
    ) -> dict[str, frozenset[PaymentMethod]]:
        """Return the methods of each provider; all it can offer if it is unavailable."""
        results = await asyncio.gather(
            *(self._methods_of(context, provider, amount) for provider in providers)
        )
        return {
            provider.name: methods for provider, methods in zip(providers, results, strict=True)
        }

    async def _methods_of(
        self, context: AppContext, provider: PaymentProvider, amount: Money
    ) -> frozenset[PaymentMethod]:
        key = (provider.name, amount)
        expires_at, methods = self._entries.get(key, (None, frozenset()))
        if expires_at is not None and time.monotonic() < expires_at:
            return methods
        ttl = CACHE_TTL
        try:
            methods = await call_provider(
                context,
                provider,
                partial(provider.available_methods, amount),
                validate_methods,
                deadline=METHODS_SECONDS,
            )
        except Exception as error:  # noqa: BLE001 (one provider must not fail the whole list)
            reason = describe_error(error.__cause__ or error)
            log.warning("methods_unavailable", provider=provider.name, reason=reason)
            methods, ttl = provider.capabilities.methods, FAILURE_TTL
        if len(self._entries) >= MAX_ENTRIES:
            self._entries.clear()
        self._entries[key] = (time.monotonic() + ttl.total_seconds(), methods)
        return methods
