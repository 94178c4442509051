"""The sandbox: the demo's simulated payment provider with cards, BLIK and a hosted page."""

from pathlib import Path

import msgspec

from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment
from prawko.kit.context import AppContext
from prawko_demo.payments.provider import SandboxProvider
from prawko_demo.payments.store import SandboxStore

SETTINGS_PREFIX = "PAYMENTS_SANDBOX"

__all__ = ["SandboxProvider", "find_sandbox", "payment_providers"]


class SandboxSettings(msgspec.Struct, frozen=True):
    """The file that all processes share, the panel's URL, and the key that signs webhooks."""

    file: str
    url: str
    key: str


@hookimpl
def payment_providers(environment: Environment) -> list[SandboxProvider]:
    """Return the sandbox where it is configured."""
    settings = environment.read_settings(SandboxSettings, SETTINGS_PREFIX)
    if settings is None:
        return []
    return [SandboxProvider(SandboxStore(Path(settings.file)), settings.url, settings.key.encode())]


def find_sandbox(context: AppContext) -> SandboxProvider:
    """Return the sandbox itself, of a process that has loaded it.

    Raises TypeError if its name is another provider's.
    """
    loaded = context.plugins.payments[SandboxProvider.name]
    sandbox: object = getattr(loaded.close, "__self__", None)
    if not isinstance(sandbox, SandboxProvider):
        raise TypeError("another provider has the sandbox's name")
    return sandbox
