"""Discovers plugins, calls their hooks and validates the results before the process starts.

Every error is one sentence that names the plugin and its distribution.
"""

import inspect
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib.metadata import EntryPoint, PackageNotFoundError, entry_points, version
from itertools import chain
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec
import pluggy

from prawko.base.plain_text import to_single_line
from prawko.hooks import PROJECT, specs
from prawko.hooks.channels import Channel, Medium
from prawko.hooks.environment import Environment, SettingsError
from prawko.hooks.invoices import InvoiceIssuer
from prawko.hooks.licence_register import LicenceRegister
from prawko.hooks.payments import PaymentProvider, RecurringProvider

DEMO_PACKAGE = "prawko_demo"

OfferT = TypeVar("OfferT")


class PluginError(Exception):
    """A plugin is wrong or missing; the process must not start."""


class InstalledPlugin(msgspec.Struct, frozen=True):
    """A module or object with hook implementations.

    `distribution` is the package that installed it; None if the process supplies it itself.
    """

    name: str
    implementation: Any
    distribution: str | None = None

    def __str__(self) -> str:
        """Return its name and origin, for the beginning of an error."""
        origin = f"distribution {self.distribution}" if self.distribution else "not installed"
        return f"plugin {self.name} ({origin})"


class _Offer(msgspec.Struct, frozen=True):
    """An object that a hook returned, and the plugin it came from."""

    plugin: InstalledPlugin
    value: Any


class PluginKind(StrEnum):
    """What a plugin offers; `plugin` for one that offers nothing under the settings."""

    REGISTER = "register"
    CHANNEL = "channel"
    PAYMENTS = "payments"
    INVOICES = "invoices"
    UNCONFIGURED = "plugin"


class PluginOffer(msgspec.Struct, frozen=True):
    """What operators are shown of a plugin: one of its objects, with its distribution's version."""

    kind: PluginKind
    name: str
    version: str


class Plugins(msgspec.Struct, frozen=True, eq=False, weakref=True):
    """The objects that the plugins returned, by name; `names` are the plugins' own."""

    names: tuple[str, ...]
    registers: dict[str, LicenceRegister]
    channels: dict[str, Channel]
    payments: dict[str, PaymentProvider] = msgspec.field(default_factory=dict)
    issuers: dict[str, InvoiceIssuer] = msgspec.field(default_factory=dict)
    offers: tuple[PluginOffer, ...] = ()

    def get_register(self, name: str) -> LicenceRegister:
        """Return the register that decides. Raises PluginError if it is not configured."""
        return _choose(self.registers, "REGISTER", name, label="configured registers")

    def get_channel(self, medium: Medium, name: str) -> Channel | None:
        """Return the channel chosen for a medium, or None for an empty name.

        Raises PluginError if it is not configured, or sends another medium.
        """
        if not name:
            return None
        variable = {Medium.EMAIL: "MAIL_CHANNEL", Medium.SMS: "SMS_CHANNEL"}[medium]
        channels = {key: one for key, one in self.channels.items() if one.medium is medium}
        return _choose(channels, variable, name)

    def get_payment_providers(self, names: Sequence[str]) -> tuple[PaymentProvider, ...]:
        """Return the chosen providers in the given order.

        Raises PluginError for one that is not configured or is named twice.
        """
        providers = tuple(_choose(self.payments, "PAYMENT_PROVIDERS", name) for name in names)
        for name in names:
            if names.count(name) > 1:
                raise PluginError(f"PAYMENT_PROVIDERS names {name!r} twice")
        return providers

    def get_invoice_issuer(self, name: str) -> InvoiceIssuer | None:
        """Return the chosen issuer, or None for an empty name.

        Raises PluginError if it is not configured.
        """
        return _choose(self.issuers, "INVOICE_ISSUER", name) if name else None

    async def close(self) -> None:
        """Close the connections of all registers, channels, providers and issuers."""
        for register in self.registers.values():
            await register.close()
        for channel in self.channels.values():
            await channel.close()
        for provider in self.payments.values():
            await provider.close()
        for issuer in self.issuers.values():
            await issuer.close()


def _choose(
    offers: Mapping[str, OfferT], variable: str, name: str, *, label: str = "configured"
) -> OfferT:
    """Return the object that a setting names. Raises PluginError if it is not configured."""
    if name not in offers:
        known = ", ".join(sorted(offers)) or "none"
        raise PluginError(f"{variable} names {name!r}; {label}: {known}")
    return offers[name]


def discover_plugins() -> list[InstalledPlugin]:
    """Import every installed plugin and return them; the demo's are not even imported.

    Raises PluginError for a plugin that cannot be imported.
    """
    entries = entry_points(group=PROJECT)
    for entry in entries:
        _reject_demo(entry.name, entry.module)
    return [_import_plugin(entry) for entry in entries]


def supplied_plugins(plugins: Mapping[str, Any]) -> list[InstalledPlugin]:
    """Return plugins that are installed by no distribution, such as the demo's and the tests'."""
    return [InstalledPlugin(name, plugin) for name, plugin in plugins.items()]


def load_plugins(
    environment: Environment, plugins: Sequence[InstalledPlugin], *, demo: bool = False
) -> Plugins:
    """Call each plugin's hooks with the settings and return what they configured.

    Raises PluginError for a hook that is misspelt, malformed, `async` or a wrapper, that raises
    or returns something else than promised, for a name used twice, and, unless `demo`, for
    anything of the demo's. SettingsError passes through from a half-configured plugin.
    """
    _reject_duplicate_plugins(plugins)
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(specs)
    plugins = sorted(plugins, key=lambda plugin: plugin.name)
    for plugin in plugins:
        _register(manager, plugin)
    registers = _collect(manager.hook.licence_registers, plugins, environment)
    channels = _collect(manager.hook.channels, plugins, environment)
    payments = _collect(manager.hook.payment_providers, plugins, environment)
    issuers = _collect(manager.hook.invoice_issuers, plugins, environment)
    for name in payments.keys() & channels.keys():  # of webhooks and of pauses
        raise PluginError(
            f"{channels[name].plugin} and {payments[name].plugin} offer a channel and a payment"
            f" provider of the same name {name!r}"
        )
    for offer in payments.values():
        _validate_capabilities(offer)
    if not demo:
        for plugin in plugins:
            _reject_demo(plugin.name, _module_name(plugin.implementation))
        for offer in chain.from_iterable(
            offers.values() for offers in (registers, channels, payments, issuers)
        ):
            _reject_demo(offer.value.name, _module_name(offer.value))
    return Plugins(
        names=tuple(plugin.name for plugin in plugins),
        registers=_values(registers),
        channels=_values(channels),
        payments=_values(payments),
        issuers=_values(issuers),
        offers=_describe_offers(
            plugins,
            {
                PluginKind.REGISTER: registers,
                PluginKind.CHANNEL: channels,
                PluginKind.PAYMENTS: payments,
                PluginKind.INVOICES: issuers,
            },
        ),
    )


def _describe_offers(
    plugins: Sequence[InstalledPlugin], offers: Mapping[PluginKind, Mapping[str, _Offer]]
) -> tuple[PluginOffer, ...]:
    described = [
        PluginOffer(kind, name, _version(offer.plugin))
        for kind, by_name in offers.items()
        for name, offer in by_name.items()
    ]
    configured = {offer.plugin.name for by_name in offers.values() for offer in by_name.values()}
    described += [
        PluginOffer(PluginKind.UNCONFIGURED, plugin.name, _version(plugin))
        for plugin in plugins
        if plugin.name not in configured
    ]
    return tuple(described)


def _version(plugin: InstalledPlugin) -> str:
    """Return the version of a plugin's distribution; empty if the process supplies it itself."""
    try:
        return version(plugin.distribution) if plugin.distribution else ""
    except PackageNotFoundError:
        return ""


def _import_plugin(entry: EntryPoint) -> InstalledPlugin:
    plugin = InstalledPlugin(entry.name, None, entry.dist.name if entry.dist else None)
    try:
        return msgspec.structs.replace(plugin, implementation=entry.load())
    except Exception as error:
        raise PluginError(f"{plugin} cannot be imported: {_describe(error)}") from error


def _reject_duplicate_plugins(plugins: Sequence[InstalledPlugin]) -> None:
    by_name: defaultdict[str, list[InstalledPlugin]] = defaultdict(list)
    for plugin in plugins:
        by_name[plugin.name].append(plugin)
    for same_name in by_name.values():
        if len(same_name) > 1:
            raise PluginError(f"{' and '.join(map(str, same_name))} have the same name")


def _register(manager: pluggy.PluginManager, plugin: InstalledPlugin) -> None:
    implementation = plugin.implementation
    _reject_async_hooks(plugin)
    try:
        manager.register(implementation, plugin.name)
    except (pluggy.PluginValidationError, ValueError) as error:
        raise PluginError(f"{plugin} has an invalid hook: {to_single_line(str(error))}") from None
    for caller in manager.get_hookcallers(implementation) or ():
        if not caller.has_spec():
            raise PluginError(f"{plugin} implements {caller.name}, and there is no such hook")


def _reject_async_hooks(plugin: InstalledPlugin) -> None:
    for attribute in dir(plugin.implementation):
        member = getattr(plugin.implementation, attribute, None)
        if getattr(member, f"{PROJECT}_impl", None) and (
            inspect.iscoroutinefunction(member) or inspect.isasyncgenfunction(member)
        ):
            raise PluginError(f"{plugin}: {attribute} is async; a hook must be a plain function")


def _collect(
    caller: pluggy.HookCaller, plugins: Sequence[InstalledPlugin], environment: Environment
) -> dict[str, _Offer]:
    """Call one hook of every plugin and index what they return by its name."""
    offers: dict[str, _Offer] = {}
    implementations = {hook.plugin_name: hook for hook in caller.get_hookimpls()}
    for plugin in plugins:
        if (hook := implementations.get(plugin.name)) is None:
            continue
        for value in _call_hook(caller, hook, plugin, environment):
            if (other := offers.get(value.name)) is not None:
                raise PluginError(
                    f"{other.plugin} and {plugin} offer {caller.name} of the same name"
                    f" {value.name!r}"
                )
            offers[value.name] = _Offer(plugin, value)
    return offers


def _call_hook(
    caller: pluggy.HookCaller,
    hook: pluggy.HookImpl,
    plugin: InstalledPlugin,
    environment: Environment,
) -> list[Any]:
    """Call one plugin's hook with the arguments that it declares; it may leave some out."""
    if hook.wrapper or hook.hookwrapper:
        raise PluginError(f"{plugin}: {caller.name} is a wrapper; a hook must be a plain function")
    known = {"environment": environment}
    try:
        result = hook.function(*(known[name] for name in hook.argnames))
        return _validate_result(caller, plugin, result)
    except (PluginError, SettingsError):
        raise
    except Exception as error:
        raise PluginError(f"{plugin}: {caller.name} failed: {_describe(error)}") from error


def _validate_result(
    caller: pluggy.HookCaller, plugin: InstalledPlugin, result: object
) -> list[Any]:
    assert caller.spec is not None  # noqa: S101 (a hook without one was refused before)
    protocol = _get_promised_protocol(caller.spec.function)
    promise = f"{caller.name} must return an iterable of {protocol.__name__} objects"
    if not isinstance(result, Iterable):
        raise PluginError(f"{plugin}: {promise}, not {type(result).__name__}")
    values = list(result)
    for value in values:
        if isinstance(value, type):
            raise PluginError(f"{plugin}: {promise}, not the class {value.__name__}")
        members = [name for name in dir(protocol) if not name.startswith("_")]
        if missing := [name for name in members if not hasattr(value, name)]:
            lacks = f"{type(value).__name__} has no {', '.join(missing)}"
            raise PluginError(f"{plugin}: {promise}, and {lacks}")
        if not (isinstance(value.name, str) and value.name):
            raise PluginError(f"{plugin}: {caller.name} returned an object without a name")
    return values


@cache
def _get_promised_protocol(specification: Callable[..., Any]) -> type:
    protocol: type
    [protocol] = get_args(get_type_hints(specification)["return"])
    return protocol


def _validate_capabilities(offer: _Offer) -> None:
    provider = offer.value
    able = provider.capabilities
    if not able.recurring_methods <= able.methods or (
        able.recurring_methods and not isinstance(provider, RecurringProvider)
    ):
        raise PluginError(
            f"{offer.plugin}: the payment provider {provider.name!r} cannot charge the recurring"
            " methods that its capabilities promise"
        )


def _reject_demo(name: str, module: str) -> None:
    """Refuse the demo's objects (a mailbox open to all, made-up answers) in a real process."""
    if module.partition(".")[0] == DEMO_PACKAGE:
        raise PluginError(f"{name} belongs to the demo and runs in `prawko demo` alone")


def _module_name(value: Any) -> str:
    name: str = value.__name__ if inspect.ismodule(value) else type(value).__module__
    return name


def _values(offers: Mapping[str, _Offer]) -> dict[str, Any]:
    return {name: offer.value for name, offer in offers.items()}


def _describe(error: Exception) -> str:
    return to_single_line(f"{type(error).__name__}: {error}")
