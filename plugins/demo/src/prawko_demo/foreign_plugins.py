"""Plugins of others in a demo: what the caller chooses beside the demo's own.

Of the caller's variables a demo takes those of the plugins that its choices name, and no others: a
real mail server that happens to be configured does nothing until `MAIL_CHANNEL` names it.
"""

import sys
from collections.abc import Iterator, Mapping

from prawko.hooks.environment import Environment, SettingsError, raise_errors
from prawko.kit.providers.child_runs import discover_in_child
from prawko.kit.providers.entries import DISABLED_VARIABLE, find_wrong_names
from prawko.kit.providers.loader import load_plugins
from prawko.kit.providers.registry import PluginKind, Plugins

OWN_CHOICES = {
    "REGISTER": "upki",
    "MAIL_CHANNEL": "mailbox-email",
    "SMS_CHANNEL": "mailbox-sms",
    "PUSH_CHANNEL": "",
    "PAYMENT_PROVIDERS": "sandbox,transfer",
    "INVOICE_ISSUER": "ksef",
}
# What the demo configures itself, with its own variables.
_OWN_NAMES = {
    "REGISTER": frozenset({"upki", "public"}),
    "MAIL_CHANNEL": frozenset({"mailbox-email"}),
    "SMS_CHANNEL": frozenset({"mailbox-sms"}),
    "PUSH_CHANNEL": frozenset(),
    "PAYMENT_PROVIDERS": frozenset({"sandbox", "transfer"}),
    "INVOICE_ISSUER": frozenset({"ksef"}),
}
_KINDS = {
    "REGISTER": PluginKind.REGISTER,
    "MAIL_CHANNEL": PluginKind.CHANNEL,
    "SMS_CHANNEL": PluginKind.CHANNEL,
    "PUSH_CHANNEL": PluginKind.CHANNEL,
    "PAYMENT_PROVIDERS": PluginKind.PAYMENTS,
    "INVOICE_ISSUER": PluginKind.INVOICES,
}


def read_choices(variables: Mapping[str, str]) -> dict[str, str]:
    """Return what a demo uses: the caller's choice, or its own where there is none."""
    return {name: variables.get(name) or own for name, own in OWN_CHOICES.items()}


def find_plugin_variables(
    choices: Mapping[str, str], variables: Mapping[str, str]
) -> dict[str, str]:
    """Return the caller's variables of the plugins that the choices name beside the demo's own.

    Raises SettingsError for a name that no plugin offers and for the variables of plugins that are
    wrong, PluginError for plugins that are: all that would stop a start in production, also of
    plugins that are not chosen.
    """
    foreign = {
        (variable, name)
        for variable, names in choices.items()
        for name in filter(None, map(str.strip, names.split(",")))
        if name not in _OWN_NAMES[variable]
    }
    loaded = _load(variables)
    offered = {(offer.kind, offer.name): offer.plugin for offer in loaded.offers}
    unknown = sorted(
        (variable, name) for variable, name in foreign if (_KINDS[variable], name) not in offered
    )
    raise_errors([_unknown_error(loaded, variable, name) for variable, name in unknown])
    return select_disabled(variables) | {
        name: value
        for variable, chosen in foreign
        for prefix in _prefixes(loaded, offered[_KINDS[variable], chosen])
        for name, value in variables.items()
        if name.startswith(f"{prefix}_")
    }


def _load(variables: Mapping[str, str]) -> Plugins:
    """Load the plugins, in a child process before: the first that ends it is named like others."""
    installed = discover_in_child(variables)
    for name in find_wrong_names(variables):
        print(f"prawko: {DISABLED_VARIABLE} names {name!r}: not installed", file=sys.stderr)  # noqa: T201
    return load_plugins(Environment(variables), installed)


def select_disabled(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variable that leaves plugins out, if it is set: it holds in a demo, too."""
    return {name: variables[name] for name in (DISABLED_VARIABLE,) if name in variables}


def _unknown_error(loaded: Plugins, variable: str, name: str) -> SettingsError:
    names = {*_OWN_NAMES[variable], *loaded.by_kind[_KINDS[variable]]}
    return SettingsError(variable, f"names {name!r}; there are: {', '.join(sorted(names))}")


def _prefixes(loaded: Plugins, plugin: str) -> Iterator[str]:
    """Yield the prefixes of a plugin's variables; `X_2` stands for all numbers, so `X` does."""
    return (prefix.removesuffix("_2") for prefix in loaded.settings[plugin])
