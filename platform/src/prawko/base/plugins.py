"""Finds the plugins, asks each once, and refuses to start on a mistake.

Hooks are collected per plugin, so that one broken plugin is named instead of breaking all.
"""

import inspect
from collections.abc import Iterable, Sequence
from importlib.metadata import entry_points
from typing import Any

import msgspec
import pluggy

from prawko.hooks import PROJECT, specs
from prawko.hooks.channels import Channel, Medium
from prawko.hooks.environment import Environment
from prawko.hooks.invoices import InvoiceIssuer
from prawko.hooks.licence_register import LicenceRegister
from prawko.hooks.payments import PaymentProvider, RenewingProvider

DEMO = "prawko_demo"


class PluginError(Exception):
    """A plugin is wrong or missing; the process must not start."""


class Plugins(msgspec.Struct, frozen=True, eq=False, weakref=True):
    """What the plugins handed over, by name; `loaded` lists the plugins themselves."""

    loaded: tuple[str, ...]
    registers: dict[str, LicenceRegister]
    channels: dict[str, Channel]
    payments: dict[str, PaymentProvider] = msgspec.field(default_factory=dict)
    issuers: dict[str, InvoiceIssuer] = msgspec.field(default_factory=dict)

    def register(self, name: str) -> LicenceRegister:
        """The register that decides."""
        if name not in self.registers:
            known = ", ".join(sorted(self.registers)) or "none"
            raise PluginError(f"REGISTER names {name!r}; configured registers: {known}")
        return self.registers[name]

    def channel(self, medium: Medium, name: str) -> Channel | None:
        """The channel the settings chose for a medium; None where they chose none."""
        if not name:
            return None
        channel = self.channels.get(name)
        if channel is None or channel.medium is not medium:
            known = ", ".join(sorted(c.name for c in self.channels.values() if c.medium is medium))
            variable = {Medium.EMAIL: "MAIL_CHANNEL", Medium.SMS: "SMS_CHANNEL"}[medium]
            raise PluginError(f"{variable} names {name!r}; configured: {known or 'none'}")
        return channel

    def payment_providers(self, names: Sequence[str]) -> tuple[PaymentProvider, ...]:
        """The providers that the settings chose, in their order."""
        for name in names:
            if name not in self.payments:
                known = ", ".join(sorted(self.payments)) or "none"
                raise PluginError(f"PAYMENT_PROVIDERS names {name!r}; configured: {known}")
            if names.count(name) > 1:
                raise PluginError(f"PAYMENT_PROVIDERS names {name!r} twice")
        return tuple(self.payments[name] for name in names)

    def issuer(self, name: str) -> InvoiceIssuer | None:
        """The issuer of structured invoices that the settings chose; None where they chose none."""
        if not name:
            return None
        if name not in self.issuers:
            known = ", ".join(sorted(self.issuers)) or "none"
            raise PluginError(f"INVOICE_ISSUER names {name!r}; configured: {known}")
        return self.issuers[name]

    async def close(self) -> None:
        """Let every provider give back its connections."""
        for register in self.registers.values():
            await register.close()
        for channel in self.channels.values():
            await channel.close()
        for provider in self.payments.values():
            await provider.close()
        for issuer in self.issuers.values():
            await issuer.close()


def installed() -> dict[str, Any]:
    """Every installed plugin, by the name of its entry point; the demo's are not even imported."""
    entries = entry_points(group=PROJECT)
    for entry in entries:
        _refuse_demo(entry.name, entry.module)
    return {entry.name: entry.load() for entry in entries}


def load(environment: Environment, plugins: dict[str, Any], *, demo: bool = False) -> Plugins:
    """Ask each plugin what it offers under the given settings.

    Raises PluginError for a misspelt, malformed or `async` hook, for a name used twice, and
    for anything of the demo's unless this is one; SettingError passes through from a
    half-configured plugin.
    """
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(specs)
    for name in sorted(plugins):
        _refuse_async(name, plugins[name])
        try:
            manager.register(plugins[name], name)
        except pluggy.PluginValidationError as error:
            raise PluginError(f"plugin {name}: {error}") from None
    try:
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        raise PluginError(str(error)) from None
    loaded = Plugins(
        loaded=tuple(sorted(plugins)),
        registers=_by_name(manager.hook.licence_registers(environment=environment)),
        channels=_by_name(manager.hook.channels(environment=environment)),
        payments=_by_name(manager.hook.payment_providers(environment=environment)),
        issuers=_by_name(manager.hook.invoice_issuers(environment=environment)),
    )
    for name in loaded.payments:
        if name in loaded.channels:  # both are called at the same door, by their names
            raise PluginError(f"a channel and a payment provider offer the name {name!r}")
        _refuse_empty_promises(loaded.payments[name])
    if not demo:
        offered = (loaded.registers, loaded.channels, loaded.payments, loaded.issuers)
        for things in (plugins, *offered):
            for name, thing in things.items():
                _refuse_demo(name, _module_of(thing))
    return loaded


def _refuse_demo(name: str, module: str) -> None:
    """What the demo brings (a mailbox open to all, made-up answers) must never serve a company."""
    if module.partition(".")[0] == DEMO:
        raise PluginError(f"{name} belongs to the demo and runs in `prawko demo` alone")


def _refuse_empty_promises(provider: PaymentProvider) -> None:
    able = provider.capabilities
    if not able.renews <= able.methods or (
        able.renews and not isinstance(provider, RenewingProvider)
    ):
        raise PluginError(f"the payment provider {provider.name!r} cannot renew what it says")


def _module_of(thing: Any) -> str:
    name: str = thing.__name__ if inspect.ismodule(thing) else type(thing).__module__
    return name


def _refuse_async(name: str, plugin: Any) -> None:
    for attribute in dir(plugin):
        member = getattr(plugin, attribute, None)
        if getattr(member, f"{PROJECT}_impl", None) and (
            inspect.iscoroutinefunction(member) or inspect.isasyncgenfunction(member)
        ):
            raise PluginError(
                f"plugin {name}: {attribute} is async; a hook must be a plain function"
            )


def _by_name(answers: Sequence[Iterable[Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for answer in answers:
        for provider in answer:
            if provider.name in found:
                raise PluginError(f"two plugins offer the name {provider.name!r}")
            found[provider.name] = provider
    return found
