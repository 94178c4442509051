"""Creates the application context of a process from its environment variables."""

from collections.abc import Mapping, Sequence
from typing import Any

from prawko.base import logs, plugins, settings
from prawko.base.clock import Clock, RealTimeClock
from prawko.base.context import AppContext, Queue
from prawko.base.crypto import KeyRing
from prawko.base.queue import SaqQueue
from prawko.hooks.channels import Medium
from prawko.hooks.environment import Environment
from prawko_tenants.engine import Database


def create_context(
    variables: Mapping[str, str],
    *,
    installed_plugins: Sequence[plugins.InstalledPlugin] | None = None,
    extra_plugins: Mapping[str, Any] | None = None,
    clock: Clock | None = None,
    queue: Queue | None = None,
    reads_all_companies: bool = False,
) -> AppContext:
    """Read the settings, load the plugins and create the connection pools; connects to nothing.

    Raises SettingsError or PluginError with a sentence for the operator. `reads_all_companies` is
    for the console, whose login is the operators'. `extra_plugins`, `clock` and `queue` are for the
    demo and the tests; so is `installed_plugins`, in place of those that `discover_plugins` finds,
    for a process that creates many contexts.
    """
    loaded_settings = settings.load_settings(variables)
    logs.configure_logging(loaded_settings.log_level)
    extra = extra_plugins or {}
    if installed_plugins is None:
        installed_plugins = plugins.discover_plugins()
    loaded_plugins = plugins.load_plugins(
        Environment(variables),
        [*installed_plugins, *plugins.supplied_plugins(extra)],
        demo=bool(extra),
    )
    loaded_plugins.get_register(loaded_settings.register)
    for medium, name in (
        (Medium.EMAIL, loaded_settings.mail_channel),
        (Medium.SMS, loaded_settings.sms_channel),
    ):
        loaded_plugins.get_channel(medium, name)
    loaded_plugins.get_payment_providers(loaded_settings.payment_provider_names)
    loaded_plugins.get_invoice_issuer(loaded_settings.invoice_issuer)
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


async def close_context(context: AppContext) -> None:
    """Close plugins, queue and database connections."""
    await context.plugins.close()
    await context.queue.close()
    await context.database.close()
