"""The objects that installed plugins offer under the settings, and the choice among them."""

import asyncio
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol, TypeVar, cast

import msgspec

from prawko.hooks.channels import Channel, Medium, PushChannel
from prawko.hooks.deadlines import CLOSE_SECONDS
from prawko.hooks.environment import SettingsError
from prawko.hooks.invoices import InvoiceIssuer
from prawko.hooks.licence_register import LicenceRegister
from prawko.hooks.payments import PaymentProvider
from prawko.kit.observability import logs
from prawko.kit.providers.calls import PluginFaultError, await_plugin, describe_error
from prawko.kit.providers.experience import PluginExperience, PluginExperiences

OfferT = TypeVar("OfferT")

_CHANNEL_VARIABLES = {
    Medium.EMAIL: "MAIL_CHANNEL",
    Medium.SMS: "SMS_CHANNEL",
    Medium.PUSH: "PUSH_CHANNEL",
}

log = logs.get_logger(__name__)


class PluginError(Exception):
    """A plugin is wrong or missing; the process must not start."""


class UnconfiguredPluginError(PluginError, SettingsError):
    """A variable names an object that no plugin offers."""


class PluginKind(StrEnum):
    """The kinds of objects that plugins offer; `plugin` is one without any under the settings.

    `webhook` is no object: what a stranger's calls find wrong with a plugin stays apart.
    """

    REGISTER = "register"
    CHANNEL = "channel"
    PAYMENTS = "payments"
    INVOICES = "invoices"
    UNCONFIGURED = "plugin"
    WEBHOOK = "webhook"


_LABELS = {
    PluginKind.REGISTER: "register",
    PluginKind.CHANNEL: "channel",
    PluginKind.PAYMENTS: "payment provider",
    PluginKind.INVOICES: "invoice issuer",
    PluginKind.WEBHOOK: "webhook",
    PluginKind.UNCONFIGURED: "plugin",
}


def full_name(kind: PluginKind, name: str) -> str:
    """Return an object's kind and name, as logs, incidents and the slot of a process have it."""
    return f"{_LABELS[kind]} {name}"


class PluginOffer(msgspec.Struct, frozen=True):
    """A plugin's object as operators see it, with its distribution's version.

    `plugin` is the plugin's own name, `path` its file.
    """

    kind: PluginKind
    name: str
    version: str
    plugin: str
    path: str


class _Closable(Protocol):
    async def close(self) -> None: ...


class Plugins(msgspec.Struct, frozen=True, eq=False, weakref=True):
    """The objects that the plugins returned, by name; `names` are the plugins' own.

    `settings` are those that each plugin asked for, by the prefix of their variables.
    """

    names: tuple[str, ...]
    registers: dict[str, LicenceRegister]
    channels: dict[str, Channel]
    payments: dict[str, PaymentProvider] = msgspec.field(default_factory=dict)
    issuers: dict[str, InvoiceIssuer] = msgspec.field(default_factory=dict)
    offers: tuple[PluginOffer, ...] = ()
    settings: dict[str, dict[str, type[msgspec.Struct]]] = msgspec.field(default_factory=dict)

    def get_registers(self, names: Sequence[str]) -> tuple[LicenceRegister, ...]:
        """Return the register that decides, once for each access to it.

        Raises PluginError for one that is not configured or is named twice, for none at all, and
        for accesses of different classes: they could answer differently about one document.
        """
        label = "configured registers"
        registers = _choose_all(self.registers, "REGISTER", names or ("",), label=label)
        if len({register.__class__ for register in registers}) > 1:
            raise UnconfiguredPluginError(
                "REGISTER", f"names different registers: {', '.join(names)}"
            )
        return registers

    def get_channels(self, medium: Medium, names: Sequence[str]) -> tuple[Channel, ...]:
        """Return the channels of a medium in the given order.

        Raises PluginError for one that is not configured, sends another medium or is named twice.
        """
        channels = {key: one for key, one in self.channels.items() if one.medium is medium}
        return _choose_all(channels, _CHANNEL_VARIABLES[medium], names)

    def get_push_channel(self, name: str) -> PushChannel | None:
        """Return the channel of push messages, or None for an empty name.

        Raises PluginError if it is not configured.
        """
        channels = self.get_channels(Medium.PUSH, (name,) if name else ())
        return cast(PushChannel, channels[0]) if channels else None  # its members were checked

    def get_payment_providers(self, names: Sequence[str]) -> tuple[PaymentProvider, ...]:
        """Return the chosen providers in the given order.

        Raises PluginError for one that is not configured or is named twice.
        """
        return _choose_all(self.payments, "PAYMENT_PROVIDERS", names)

    def get_invoice_issuer(self, name: str) -> InvoiceIssuer | None:
        """Return the chosen issuer, or None for an empty name.

        Raises PluginError if it is not configured.
        """
        return _choose(self.issuers, "INVOICE_ISSUER", name) if name else None

    @property
    def by_kind(self) -> dict[PluginKind, Mapping[str, Any]]:
        """All objects, by kind and name."""
        return {
            PluginKind.REGISTER: self.registers,
            PluginKind.CHANNEL: self.channels,
            PluginKind.PAYMENTS: self.payments,
            PluginKind.INVOICES: self.issuers,
        }

    async def close(self, experiences: PluginExperiences) -> None:
        """Close the connections of all registers, channels, payment providers and issuers.

        One that fails or hangs delays the end of the process by CLOSE_SECONDS at most; one that
        has blocked the process a while ago is not called.
        """
        await asyncio.gather(*(
            _close(experiences.get(full_name(kind, name)), offer)
            for kind, offers in self.by_kind.items()
            for name, offer in offers.items()
        ))  # fmt: skip


async def _close(plugin: PluginExperience, offer: _Closable) -> None:
    try:
        await await_plugin(plugin, offer.close, deadline=CLOSE_SECONDS)
    except PluginFaultError as fault:
        log.warning("plugin_not_closed", plugin=plugin.name, reason=describe_error(fault))


def _choose(
    offers: Mapping[str, OfferT], variable: str, name: str, *, label: str = "configured"
) -> OfferT:
    """Return the object that a setting names. Raises PluginError if it is not configured."""
    if name not in offers:
        known = ", ".join(sorted(offers)) or "none"
        raise UnconfiguredPluginError(variable, f"names {name!r}; {label}: {known}")
    return offers[name]


def _choose_all(
    offers: Mapping[str, OfferT], variable: str, names: Sequence[str], *, label: str = "configured"
) -> tuple[OfferT, ...]:
    """Return the objects that a setting names. Raises PluginError, also for a repeated name."""
    chosen = tuple(_choose(offers, variable, name, label=label) for name in names)
    for name in names:
        if names.count(name) > 1:
            raise UnconfiguredPluginError(variable, f"names {name!r} twice")
    return chosen
