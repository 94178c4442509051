"""Finds the plugins' objects that the settings choose, and asks whether they would work."""

import asyncio
from typing import TypeAlias

import msgspec

from prawko.hooks.channels import Medium
from prawko.hooks.checks import Checkable
from prawko.hooks.deadlines import CHECK_SECONDS
from prawko.kit.providers.registry import PluginKind, Plugins
from prawko.kit.settings import Settings
from prawko.kit.text.plain_text import redact

OfferKey: TypeAlias = tuple[PluginKind, str]


class PluginCheck(msgspec.Struct, frozen=True):
    """The result of one object's `check`; `passed` is None for one that has no such method."""

    passed: bool | None
    text: str = ""


def chosen_names(settings: Settings) -> dict[PluginKind, frozenset[str]]:
    """Return the names that the settings choose, by kind."""
    return {
        PluginKind.REGISTER: frozenset(settings.register_names),
        PluginKind.CHANNEL: frozenset(
            name for medium in Medium for name in settings.channel_names(medium)
        ),
        PluginKind.PAYMENTS: frozenset(settings.payment_provider_names),
        PluginKind.INVOICES: frozenset({settings.invoice_issuer}),
    }


async def check_offers(
    plugins: Plugins, *, only: OfferKey | None = None, seconds: float = CHECK_SECONDS
) -> dict[OfferKey, PluginCheck]:
    """Ask every configured object, or `only` one, whether it would work, all at once; never raises.

    One that does not answer within `seconds` is left behind, even if it ignores its cancellation.
    """
    offers = {
        (kind, name): value
        for kind, objects in plugins.by_kind.items()
        for name, value in objects.items()
        if only in {None, (kind, name)}
    }
    tasks = {
        key: asyncio.create_task(_check_one(value))
        for key, value in offers.items()
        if isinstance(value, Checkable)
    }
    if tasks:
        await asyncio.wait(tasks.values(), timeout=seconds)
    results = dict.fromkeys(offers, PluginCheck(passed=None))
    for key, task in tasks.items():
        if task.done():
            results[key] = task.result()
        else:
            task.cancel()
            results[key] = PluginCheck(passed=False, text=f"no answer within {seconds:g} s")
    return results


async def _check_one(value: Checkable) -> PluginCheck:
    try:
        text: object = await value.check()
    except Exception as error:  # noqa: BLE001 (the boundary of a plugin)
        return PluginCheck(passed=False, text=redact(str(error)) or type(error).__name__)
    if not isinstance(text, str):
        return PluginCheck(passed=False, text=f"check returned {type(text).__name__}, not a text")
    return PluginCheck(passed=True, text=redact(text))
