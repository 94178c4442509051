"""Calls the plugins' hooks and validates the results before the process starts.

Every error is one line that names the plugin, its distribution and its file.
"""

import inspect
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, get_args, get_type_hints

import msgspec
import pluggy

from prawko.hooks import PROJECT, specs
from prawko.hooks.deadlines import LOADING_SECONDS
from prawko.hooks.environment import Environment, SettingsError, raise_errors
from prawko.hooks.payments import RecurringProvider
from prawko.kit.providers.entries import InstalledPlugin, demo_fault, module_name
from prawko.kit.providers.registry import PluginError, PluginKind, PluginOffer, Plugins
from prawko.kit.providers.thread import PluginCallError, call_in_thread
from prawko.kit.providers.validation import (
    HOOKS_VERSION_ATTRIBUTE,
    find_object_faults,
    find_version_fault,
    pin_values,
)
from prawko.kit.text.plain_text import mask_values, to_single_line

FIRST_VERSION = "1.0"  # of the hooks, which a plugin was written for that states none

_KINDS = {
    "licence_registers": PluginKind.REGISTER,
    "channels": PluginKind.CHANNEL,
    "payment_providers": PluginKind.PAYMENTS,
    "invoice_issuers": PluginKind.INVOICES,
}


class LoadFailure(msgspec.Struct, frozen=True):
    """An error of a plugin, or of its variables."""

    plugin: str
    error: PluginError | SettingsError


class _Offer(msgspec.Struct, frozen=True):
    """An object that a hook returned, and the plugin it came from."""

    plugin: InstalledPlugin
    value: Any


def load_plugins(
    environment: Environment,
    plugins: Sequence[InstalledPlugin],
    *,
    demo: bool = False,
    seconds: float = LOADING_SECONDS,
) -> Plugins:
    """Call each plugin's hooks with the settings and return what they configured.

    Raises PluginError with a line for each plugin that is wrong (`inspect_plugins` says what that
    is), else SettingsError for all wrong variables of all plugins at once.
    """
    loaded, faults = inspect_plugins(environment, plugins, demo=demo, seconds=seconds)
    raise_faults(faults)
    return loaded


def raise_faults(faults: Sequence[LoadFailure]) -> None:
    """Raise the faults, if there are any, as `load_plugins` does."""
    if broken := [str(one.error) for one in faults if isinstance(one.error, PluginError)]:
        raise PluginError("\n".join(dict.fromkeys(broken)))
    raise_errors([
        error
        for one in faults
        if isinstance(one.error, SettingsError)
        for error in one.error.errors
    ])  # fmt: skip


def inspect_plugins(
    environment: Environment,
    plugins: Sequence[InstalledPlugin],
    *,
    demo: bool = False,
    seconds: float = LOADING_SECONDS,
) -> tuple[Plugins, list[LoadFailure]]:
    """Return the objects of the usable plugins, and the faults of the others.

    A plugin is faulty if it cannot be imported, has the name of another, was written for another
    version of the hooks, has no hook or one that is misspelt, not marked, malformed, `async` or a
    wrapper, or if a hook raises, exits, takes longer than `seconds` or returns something else than
    promised. Objects of one name and, unless `demo`, objects of the demo are faults, too.
    """
    loading = _Loading(environment, demo=demo, seconds=seconds)
    for same_name in _group_by_name(plugins):
        if len(same_name) > 1:
            names = " and ".join(map(str, same_name))
            loading.add_fault(same_name[0], PluginError(f"{names} have the same name"))
        else:
            loading.register(same_name[0])
    offers = {kind: loading.collect(hook) for hook, kind in _KINDS.items()}
    registers, channels, payments, issuers = offers.values()
    for name in payments.keys() & channels.keys():  # of webhooks and of pauses
        both = f"{channels[name].plugin} and {payments[name].plugin}"
        sentence = f"{both} offer a channel and a payment provider of the same name {name!r}"
        loading.add_fault(channels[name].plugin, PluginError(sentence))
    for offer in payments.values():
        if fault := _find_capability_fault(offer.value):
            loading.add_fault(offer.plugin, PluginError(f"{offer.plugin}: {fault}"))
    plugins = sorted(plugins, key=lambda plugin: plugin.name)
    loaded = Plugins(
        names=tuple(plugin.name for plugin in plugins),
        registers=_values(registers),
        channels=_values(channels),
        payments=_values(payments),
        issuers=_values(issuers),
        offers=_describe_offers(plugins, offers),
        settings=loading.settings,
    )
    return loaded, loading.faults


class _Loading:
    """The hooks of the plugins that are right so far, and the faults of the others."""

    def __init__(self, environment: Environment, *, demo: bool, seconds: float) -> None:
        self.faults: list[LoadFailure] = []
        self.settings: dict[str, dict[str, type[msgspec.Struct]]] = {}
        self._environment = environment
        self._demo = demo
        self._seconds = seconds
        self._plugins: dict[str, InstalledPlugin] = {}
        self._manager = pluggy.PluginManager(PROJECT)
        self._manager.add_hookspecs(specs)

    def add_fault(self, plugin: InstalledPlugin, error: PluginError | SettingsError) -> None:
        self.faults.append(LoadFailure(plugin.name, error))

    def register(self, plugin: InstalledPlugin) -> None:
        """Take a plugin's hooks, if all of them are well-formed."""
        if fault := self._find_fault(plugin):
            self.add_fault(plugin, PluginError(fault))
        else:
            self._plugins[plugin.name] = plugin

    def collect(self, hook_name: str) -> dict[str, _Offer]:
        """Call one hook of every plugin and index what they return by its name."""
        caller: pluggy.HookCaller = getattr(self._manager.hook, hook_name)
        implementations = {hook.plugin_name: hook for hook in caller.get_hookimpls()}
        offers: dict[str, _Offer] = {}
        for name, plugin in sorted(self._plugins.items()):
            if (hook := implementations.get(name)) is None:
                continue
            try:
                values = self._call_hook(caller, hook, plugin)
            except (PluginError, SettingsError) as error:
                self.add_fault(plugin, error)
                continue
            for value in values:
                if (other := offers.get(value.name)) is not None:
                    both = f"{other.plugin} and {plugin}"
                    sentence = f"{both} offer {hook_name} of the same name {value.name!r}"
                    self.add_fault(plugin, PluginError(sentence))
                offers[value.name] = _Offer(plugin, value)
        return offers

    def _find_fault(self, plugin: InstalledPlugin) -> str:
        if plugin.fault:
            return plugin.fault
        implementation = plugin.implementation
        if not self._demo and (fault := demo_fault(module_name(implementation))):
            return f"{plugin.name} {fault}"
        stated = getattr(implementation, HOOKS_VERSION_ATTRIBUTE, FIRST_VERSION)
        fault = find_version_fault(stated) or _find_hook_fault(implementation)
        if fault:
            return f"{plugin}: {fault}"
        try:
            self._manager.register(implementation, plugin.name)
        except (pluggy.PluginValidationError, ValueError) as error:
            return f"{plugin} has an invalid hook: {to_single_line(str(error))}"
        hooks = self._manager.get_hookcallers(implementation) or []
        if unknown := [hook.name for hook in hooks if not hook.has_spec()]:
            return f"{plugin} implements {unknown[0]}, and there is no such hook; {_known_hooks()}"
        return "" if hooks else f"{plugin} implements no hook; {_known_hooks()}"

    def _call_hook(
        self, caller: pluggy.HookCaller, hook: pluggy.HookImpl, plugin: InstalledPlugin
    ) -> list[Any]:
        """Call one plugin's hook with the arguments that it declares; it may leave some out."""
        environment = self._environment.new_view()
        known = {"environment": environment}

        def call() -> list[Any]:
            result = hook.function(*(known[name] for name in hook.argnames))
            return _validate_result(caller, result)

        try:
            values = call_in_thread(
                call,
                plugin=plugin.name,
                seconds=self._seconds,
                path=plugin.path,
                find_values=lambda: environment.given_variables().values(),
            )
        except PluginCallError as error:
            secrets = environment.given_variables(secret=True).values()
            if isinstance(error.__cause__, SettingsError):
                found = error.__cause__.errors
                raise_errors([_without_secrets(one, secrets) for one in found])
            if isinstance(error.__cause__, PluginError):
                fault = mask_values(str(error.__cause__), secrets)
                raise PluginError(f"{plugin}: {fault}") from None
            raise PluginError(f"{plugin}: {caller.name} {error}") from error
        finally:
            self.settings.setdefault(plugin.name, {}).update(environment.settings_by_prefix)
        for value in values:
            if not self._demo and (fault := demo_fault(module_name(value))):
                raise PluginError(f"{value.name} {fault}")
        return values


def _without_secrets(error: SettingsError, secrets: Iterable[str]) -> SettingsError:
    reason = mask_values(str(error).removeprefix(f"{error.variable} "), secrets)
    return SettingsError(error.variable, to_single_line(reason))


def _group_by_name(plugins: Sequence[InstalledPlugin]) -> list[list[InstalledPlugin]]:
    by_name: defaultdict[str, list[InstalledPlugin]] = defaultdict(list)
    for plugin in plugins:
        by_name[plugin.name].append(plugin)
    return [by_name[name] for name in sorted(by_name)]


def _known_hooks() -> str:
    return f"those there are: {', '.join(_KINDS)}"


def _find_hook_fault(implementation: Any) -> str:
    """Find what pluggy accepts: hooks that are not marked, and hooks that are never awaited."""
    for attribute in dir(implementation):
        member = getattr(implementation, attribute, None)
        options = getattr(member, f"{PROJECT}_impl", None)
        if options is None:
            if attribute in _KINDS and inspect.isroutine(member):
                return f"{attribute} is not marked: is @hookimpl forgotten?"
        elif inspect.iscoroutinefunction(member) or inspect.isasyncgenfunction(member):
            return f"{attribute} is async; a hook must be a plain function"
        elif options.get("wrapper") or options.get("hookwrapper"):
            return f"{attribute} is a wrapper; a hook must be a plain function"
    return ""


def _validate_result(caller: pluggy.HookCaller, result: object) -> list[Any]:
    """Return the objects of a hook. Raises PluginError for anything but what it promises."""
    assert caller.spec is not None  # noqa: S101 (a hook without one was refused before)
    protocol = _get_promised_protocol(caller.spec.function)
    promise = f"{caller.name} must return an iterable of {protocol.__name__} objects"
    if not isinstance(result, Iterable):
        raise PluginError(f"{promise}, not {type(result).__name__}")
    pinned = []
    for value in result:
        if isinstance(value, type):
            raise PluginError(f"{promise}, not the class {value.__name__}")
        pinned.append(pin_values(value, protocol))
        if faults := list(find_object_faults(pinned[-1], protocol)):
            raise PluginError(f"{promise}, and {'; '.join(faults)}")
    return pinned


@cache
def _get_promised_protocol(specification: Callable[..., Any]) -> type:
    protocol: type
    [protocol] = get_args(get_type_hints(specification)["return"])
    return protocol


def _find_capability_fault(provider: Any) -> str:
    able = provider.capabilities
    unfit = able.recurring_methods - able.methods
    if not unfit and (not able.recurring_methods or isinstance(provider, RecurringProvider)):
        return ""
    return (
        f"the payment provider {provider.name!r} cannot charge the recurring methods that its"
        " capabilities promise"
    )


def _describe_offers(
    plugins: Sequence[InstalledPlugin], offers: Mapping[PluginKind, Mapping[str, _Offer]]
) -> tuple[PluginOffer, ...]:
    described = [
        PluginOffer(kind, name, offer.plugin.version, offer.plugin.name, offer.plugin.path)
        for kind, by_name in offers.items()
        for name, offer in by_name.items()
    ]
    configured = {one.plugin for one in described}
    described += [
        PluginOffer(PluginKind.UNCONFIGURED, one.name, one.version, one.name, one.path)
        for one in plugins
        if one.name not in configured
    ]
    return tuple(described)


def _values(offers: Mapping[str, _Offer]) -> dict[str, Any]:
    return {name: offer.value for name, offer in offers.items()}
