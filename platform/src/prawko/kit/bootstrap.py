"""Creates the application context of a process from its environment variables."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import msgspec

from prawko.hooks.channels import Medium
from prawko.hooks.environment import Environment, SettingsError, raise_errors
from prawko.kit.clock import Clock, RealTimeClock
from prawko.kit.context import AppContext, Components, Queue, QueuedJob
from prawko.kit.crypto import KeyRing
from prawko.kit.observability import logs
from prawko.kit.providers import entries, loader
from prawko.kit.providers.experience import PluginExperiences
from prawko.kit.providers.registry import Plugins, UnconfiguredPluginError
from prawko.kit.settings import Settings
from prawko.kit.settings_validation import add_errors, inspect_settings
from prawko.kit.work.queue import SaqQueue
from prawko_tenants.engine import Database


class StartInspection(msgspec.Struct, frozen=True):
    """A draft of the settings, the usable plugins, and the errors of both.

    A name in the settings that no plugin offers is an error, unless a plugin has faults.
    """

    settings: Settings
    plugins: Plugins
    faults: list[loader.LoadFailure]
    errors: list[SettingsError]


def create_context(
    variables: Mapping[str, str],
    *,
    installed_plugins: Sequence[entries.InstalledPlugin] | None = None,
    extra_plugins: Mapping[str, Any] | None = None,
    clock: Clock | None = None,
    queue: Queue | None = None,
    reads_all_companies: bool = False,
    read_only: bool = False,
    requirements: Sequence[Callable[[Settings], object]] = (),
    max_tries: Mapping[str, int] | None = None,
    sender: QueuedJob[[]] | None = None,
    handlers: Iterable[object] = (),
) -> AppContext:
    """Read the settings, load the plugins and create the connection pools; connects to nothing.

    Raises SettingsError or PluginError with a sentence for the operator for each variable that is
    wrong, including those for which `requirements` raise SettingsError. `reads_all_companies` is
    for the console, whose login is the operators'; `read_only` is for commands that change nothing.
    `extra_plugins`, `clock`, `queue` and `max_tries` (see AppContext) are for the demo and the
    tests; so is `installed_plugins`, in place of those that `discover_plugins` finds, for a process
    that creates many contexts. `sender` is the job that sends messages, which sessions enqueue
    after a commit; `handlers` are what lower domains need of higher ones. Both are from
    `apps.composition_root`.
    """
    if installed_plugins is None:
        installed_plugins = entries.discover_plugins(variables)
    found = inspect_start(
        variables,
        [*installed_plugins, *entries.supplied_plugins(extra_plugins or {})],
        demo=bool(extra_plugins),
        requirements=requirements,
    )
    with _collecting(found.errors):
        loader.raise_faults(found.faults)
    raise_errors(found.errors)
    settings = found.settings
    logs.configure_logging(settings.log_level)
    job_queue = queue or SaqQueue(settings.redis_url)
    return AppContext(
        settings=settings,
        database=Database(
            settings.database_url,
            planner_url=settings.planner_database_url,
            operator_url=settings.database_url if reads_all_companies else None,
            read_only=read_only,
            wake_sender=partial(job_queue.enqueue, sender) if sender else None,
        ),
        clock=clock or RealTimeClock(),
        queue=job_queue,
        key_ring=KeyRing(settings.secret_bytes(), settings.answer_key_bytes()),
        plugins=found.plugins,
        max_tries=dict(max_tries or {}),
        components=Components(handlers),
    )


def inspect_start(
    variables: Mapping[str, str],
    plugins: Sequence[entries.InstalledPlugin],
    *,
    demo: bool = False,
    requirements: Sequence[Callable[[Settings], object]] = (),
) -> StartInspection:
    """Return the settings and plugins of a start, and the errors that would stop it."""
    settings, errors = inspect_settings(variables)
    found: list[SettingsError] = []
    for require in requirements:
        with _collecting(found):
            require(settings)
    errors = add_errors(errors, found)
    loaded, faults = loader.inspect_plugins(Environment(variables), plugins, demo=demo)
    if not faults:
        errors += _find_unconfigured(settings, loaded)
    return StartInspection(settings, loaded, faults, errors)


@contextmanager
def _collecting(errors: list[SettingsError]) -> Iterator[None]:
    """Add what the block raises to the errors of variables."""
    try:
        yield
    except SettingsError as error:
        errors += error.errors


def _find_unconfigured(settings: Settings, loaded: Plugins) -> Iterator[SettingsError]:
    """Find the variables that name an object which no plugin offers."""
    choices: tuple[Callable[[], object], ...] = (
        lambda: loaded.get_registers(settings.register_names),
        lambda: loaded.get_channels(Medium.EMAIL, settings.channel_names(Medium.EMAIL)),
        lambda: loaded.get_channels(Medium.SMS, settings.channel_names(Medium.SMS)),
        lambda: loaded.get_push_channel(settings.push_channel),
        lambda: loaded.get_payment_providers(settings.payment_provider_names),
        lambda: loaded.get_invoice_issuer(settings.invoice_issuer),
    )
    for choose in choices:
        try:
            choose()
        except UnconfiguredPluginError as error:
            yield error


async def close_context(context: AppContext) -> None:
    """Close plugins, queue and database connections."""
    await context.plugins.close(context.components.get(PluginExperiences))
    await context.queue.close()
    await context.database.close()
