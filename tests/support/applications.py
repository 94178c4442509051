"""Contexts and applications with the plugins of the tests.

A test imports them from here: `conftest` would be a second module, with other applications.
"""

import dataclasses
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from litestar import Litestar

from prawko.apps.composition_root import create_context
from prawko.apps.web.app import create_app
from prawko.hooks.channels import Medium
from prawko.hooks.payments import PaymentProvider
from prawko.kit.bootstrap import close_context
from prawko.kit.context import AppContext, Queue
from prawko.kit.providers.entries import InstalledPlugin, discover_plugins
from prawko_testing.clock import MovableClock
from prawko_testing.fake_payments import payment_plugin
from prawko_testing.fakes import FakeRegister, RecordingChannel, fake_plugin

_installed_plugins = discover_plugins({})
# Applications by their settings, each with its own context, and those that the test uses.
_apps: dict[tuple[object, ...], list[tuple[AppContext, Litestar]]] = {}
used_apps: list[Litestar] = []


def is_configured(plugin: InstalledPlugin, variables: Mapping[str, str]) -> bool:
    """Return whether a plugin has variables, or needs none. Loading the others takes time."""
    prefix = plugin.name.upper().replace("-", "_")
    prefixes = (f"{prefix}_", f"{prefix.partition('_')[2]}_")
    return plugin.name == "invoices-ksef" or any(name.startswith(prefixes) for name in variables)


def create_context_with_plugins(variables: Mapping[str, str], **options: Any) -> AppContext:
    """Return a context with the installed plugins that have variables, as found at the start."""
    plugins = [one for one in _installed_plugins if is_configured(one, variables)]
    return create_context(variables, installed_plugins=plugins, **options)


@asynccontextmanager
async def open_test_context(
    variables: dict[str, str], register: FakeRegister, channels: Sequence[RecordingChannel | None],
    clock: MovableClock, providers: Sequence[PaymentProvider] = (), queue: Queue | None = None,
    **options: Any,
) -> AsyncIterator[AppContext]:  # fmt: skip
    offered = [channel for channel in channels if channel is not None]
    fakes = {"fakes": fake_plugin(register, *offered), "payments": payment_plugin(*providers)}
    names = {channel.medium: channel.name for channel in offered}
    context = create_context_with_plugins(
        {**variables, "SMS_CHANNEL": "recording-sms", "PUSH_CHANNEL": names.get(Medium.PUSH, "")},
        extra_plugins=fakes, clock=clock, queue=queue, **options,
    )  # fmt: skip
    try:
        yield context
    finally:
        await close_context(context)


def get_app(
    context: AppContext, create: Callable[..., Litestar] = create_app, **options: Any
) -> Litestar:
    """Return an application with this context, one that no other context of the test has.

    It is reused by the following tests, because creating one is slow.
    """
    settings = msgspec.structs.replace(context.settings, database_url="")
    apps = _apps.setdefault((create.__name__, settings, *options.items()), [])
    for app_context, app in apps:
        if app_context == context or app not in used_apps:
            break
    else:
        app_context = dataclasses.replace(context)
        app = create(app_context, **options)
        apps.append((app_context, app))
    used_apps.append(app)
    for field in dataclasses.fields(AppContext):
        object.__setattr__(app_context, field.name, getattr(context, field.name))
    return app
