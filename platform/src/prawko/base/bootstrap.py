"""Creates the application context of a process from its environment variables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from prawko.base import logs, plugin_entries, plugin_loader
from prawko.base.clock import Clock, RealTimeClock
from prawko.base.context import AppContext, Queue
from prawko.base.crypto import KeyRing
from prawko.base.plugins import NO_PLUGINS, Plugins, UnconfiguredPluginError
from prawko.base.queue import SaqQueue
from prawko.base.settings import Settings
from prawko.base.settings_validation import inspect_settings
from prawko.hooks.channels import Medium
from prawko.hooks.environment import Environment, SettingsError, raise_errors
from prawko_tenants.engine import Database


def create_context(
    variables: Mapping[str, str],
    *,
    installed_plugins: Sequence[plugin_entries.InstalledPlugin] | None = None,
    extra_plugins: Mapping[str, Any] | None = None,
    clock: Clock | None = None,
    queue: Queue | None = None,
    reads_all_companies: bool = False,
    requirements: Sequence[Callable[[Settings], object]] = (),
) -> AppContext:
    """Read the settings, load the plugins and create the connection pools; connects to nothing.

    Raises SettingsError or PluginError with a sentence for the operator for each variable that is
    wrong, those included of which `requirements` raise SettingsError. `reads_all_companies` is
    for the console, whose login is the operators'. `extra_plugins`, `clock` and `queue` are for the
    demo and the tests; so is `installed_plugins`, in place of those that `discover_plugins` finds,
    for a process that creates many contexts.
    """
    loaded_settings, errors = inspect_settings(variables)
    for require in requirements:
        with _collecting(errors):
            require(loaded_settings)
    extra = extra_plugins or {}
    loaded_plugins = NO_PLUGINS
    with _collecting(errors):
        if installed_plugins is None:
            installed_plugins = plugin_entries.discover_plugins()
        loaded_plugins = plugin_loader.load_plugins(
            Environment(variables),
            [*installed_plugins, *plugin_entries.supplied_plugins(extra)],
            demo=bool(extra),
        )
        errors += find_unconfigured(loaded_settings, loaded_plugins)
    raise_errors(errors)
    logs.configure_logging(loaded_settings.log_level)
    return AppContext(
        settings=loaded_settings,
        database=Database(
            loaded_settings.database_url,
            planner_url=loaded_settings.planner_database_url,
            operator_url=loaded_settings.database_url if reads_all_companies else None,
        ),
        clock=clock or RealTimeClock(),
        queue=queue or SaqQueue(loaded_settings.redis_url),
        key_ring=KeyRing(loaded_settings.secret_bytes(), loaded_settings.answer_key_bytes()),
        plugins=loaded_plugins,
    )


@contextmanager
def _collecting(errors: list[SettingsError]) -> Iterator[None]:
    """Add what the block raises to the errors of variables."""
    try:
        yield
    except SettingsError as error:
        errors += error.errors


def find_unconfigured(settings: Settings, loaded: Plugins) -> Iterator[SettingsError]:
    """Find the variables that name what no plugin offers."""
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
    await context.plugins.close()
    await context.queue.close()
    await context.database.close()
