"""Which ways to pay there are: the sum of what the chosen providers can do, in their order."""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from weakref import WeakKeyDictionary

from prawko.base import logs
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.base.plugins import Plugins
from prawko.hooks.payments import Method, Money, PaymentProvider
from prawko.payments.purchase import OfferedMethod

log = logs.logger(__name__)

REMEMBERED = timedelta(minutes=10)
SILENCE_REMEMBERED = timedelta(minutes=1)  # so that not every page waits for it
MOST_REMEMBERED = 1000
SECONDS_TO_ANSWER = 5.0

_Known = dict[tuple[str, Money], tuple[datetime, frozenset[Method]]]


def chosen(tools: Tools) -> tuple[PaymentProvider, ...]:
    """The providers that new payments go through, the first choice first."""
    return tools.plugins.payment_providers(tools.settings.payment_provider_names)


def offered(
    providers: Iterable[PaymentProvider], methods: dict[str, frozenset[Method]] | None = None
) -> tuple[OfferedMethod, ...]:
    """Each method once, through the first provider that takes it.

    `methods` narrows a provider's down; without it, it is what the provider says it can do.
    """
    found: dict[Method, OfferedMethod] = {}
    for provider in providers:
        able = provider.capabilities
        taken = able.methods if methods is None else methods.get(provider.name, able.methods)
        for method in Method:
            if method in taken & able.methods and method not in found:
                found[method] = OfferedMethod(
                    method=method,
                    provider=provider.name,
                    blik_codes=method is Method.BLIK and able.blik_codes,
                    renews=method in able.renews,
                )
    return tuple(found.values())


class Availability:
    """What providers say they take for a sum at present, remembered for ten minutes."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Plugins, _Known] = WeakKeyDictionary()

    async def of(
        self, tools: Tools, providers: Sequence[PaymentProvider], money: Money
    ) -> dict[str, frozenset[Method]]:
        """The methods by provider. One that does not answer takes what it says it can."""
        found = await asyncio.gather(*(self._of(tools, one, money) for one in providers))
        return {one.name: methods for one, methods in zip(providers, found, strict=True)}

    async def _of(self, tools: Tools, provider: PaymentProvider, money: Money) -> frozenset[Method]:
        known = self._known.setdefault(tools.plugins, {})
        about = (provider.name, money)
        until, methods = known.get(about, (None, frozenset()))
        if until is not None and machine_now() < until:
            return methods
        remembered = REMEMBERED
        try:
            async with asyncio.timeout(SECONDS_TO_ANSWER):
                methods = await provider.available(money)
        except Exception as error:  # noqa: BLE001 (a list of methods must not hang on one of them)
            log.warning("methods_unknown", provider=provider.name, reason=type(error).__name__)
            methods, remembered = provider.capabilities.methods, SILENCE_REMEMBERED
        if len(known) >= MOST_REMEMBERED:
            known.clear()
        known[about] = (machine_now() + remembered, methods)
        return methods


availability = Availability()
