"""Finds the plugins' objects that the settings choose, and asks whether they would work."""

import asyncio
from typing import Any, TypeAlias, cast

import msgspec

from prawko.hooks.channels import Medium
from prawko.hooks.checks import Checkable
from prawko.hooks.deadlines import CHECK_SECONDS
from prawko.kit.providers.calls import await_plugin, describe_error, type_name
from prawko.kit.providers.experience import PluginExperience, PluginExperiences
from prawko.kit.providers.registry import PluginKind, Plugins, full_name
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
    plugins: Plugins, experiences: PluginExperiences, *, seconds: float = CHECK_SECONDS
) -> dict[OfferKey, PluginCheck]:
    """Ask every configured object whether it would work, all at once; never raises.

    One that does not answer within `seconds` is left behind, even if it ignores its cancellation;
    one that has blocked or ended a process a while ago is not asked.
    """
    offers = {
        (kind, name): value
        for kind, objects in plugins.by_kind.items()
        for name, value in objects.items()
    }
    results = await asyncio.gather(*(
        _check_one(experiences.get(full_name(kind, name)), value, seconds)
        for (kind, name), value in offers.items()
    ))  # fmt: skip
    return dict(zip(offers, results, strict=True))


async def _check_one(plugin: PluginExperience, value: Any, seconds: float) -> PluginCheck:
    if not isinstance(value, Checkable):
        return PluginCheck(passed=None)
    try:
        text: object = await await_plugin(plugin, value.check, deadline=seconds, raises=Exception)
    except Exception as error:  # noqa: BLE001 (the boundary of a plugin)
        return PluginCheck(passed=False, text=describe_error(error))
    if not issubclass(type(text), str):
        return PluginCheck(passed=False, text=f"check returned {type_name(text)}, not a text")
    return PluginCheck(passed=True, text=redact(str.__str__(cast(str, text))))
