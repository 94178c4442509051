"""The demo's payments: a made-up provider with cards, BLIK and a page of its own."""

from pathlib import Path

import msgspec

from prawko.base.jobs import Tools
from prawko.hooks import hookimpl
from prawko.hooks.environment import Environment
from prawko_demo.payments.provider import SandboxProvider
from prawko_demo.payments.store import Store

PREFIX = "PAYMENTS_SANDBOX"

__all__ = ["SandboxProvider", "of", "payment_providers"]


class Settings(msgspec.Struct, frozen=True):
    """The file that all processes share, the panel's address, and what events are signed with."""

    file: str
    url: str
    key: str


@hookimpl
def payment_providers(environment: Environment) -> list[SandboxProvider]:
    """One provider, in the demo alone."""
    settings = environment.read(Settings, PREFIX)
    if settings is None:
        return []
    return [SandboxProvider(Store(Path(settings.file)), settings.url, settings.key.encode())]


def of(tools: Tools) -> SandboxProvider:
    """The sandbox of a process."""
    provider = tools.plugins.payments[SandboxProvider.name]
    if not isinstance(provider, SandboxProvider):
        raise TypeError("another provider bears the sandbox's name")
    return provider
