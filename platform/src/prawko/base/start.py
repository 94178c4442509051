"""Makes the tools of a process from its variables, the same way for all of them."""

from collections.abc import Mapping
from typing import Any

from prawko.base import logs, plugins, settings
from prawko.base.clock import Clock, SystemClock
from prawko.base.jobs import Queue, Tools
from prawko.base.queue import SaqQueue
from prawko.base.secrets import Vault
from prawko.hooks.channels import Medium
from prawko.hooks.environment import Environment
from prawko_tenants.engine import Database


def open_tools(
    variables: Mapping[str, str],
    *,
    extra_plugins: Mapping[str, Any] | None = None,
    clock: Clock | None = None,
    queue: Queue | None = None,
) -> Tools:
    """Read the settings, load the plugins and open the doors; connects to nothing yet.

    Raises SettingError or PluginError, whose sentence names what is wrong: the process must
    not start. `extra_plugins` and `clock` are for the demo and the tests.
    """
    read = settings.load(variables)
    logs.configure(read.log_level)
    extra = extra_plugins or {}
    loaded = plugins.load(
        Environment(variables), {**plugins.installed(), **extra}, demo=bool(extra)
    )
    loaded.register(read.register)
    for medium, name in ((Medium.EMAIL, read.mail_channel), (Medium.SMS, read.sms_channel)):
        loaded.channel(medium, name)
    loaded.payment_providers(read.payment_provider_names)
    loaded.issuer(read.invoice_issuer)
    return Tools(
        settings=read,
        database=Database(read.database_url, planner_url=read.planner_database_url),
        clock=clock or SystemClock(),
        queue=queue or SaqQueue(read.redis_url),
        vault=Vault(read.secret_bytes(), read.answer_key_bytes()),
        plugins=loaded,
    )


async def close_tools(tools: Tools) -> None:
    """Give everything back; the process is about to end."""
    await tools.plugins.close()
    await tools.queue.close()
    await tools.database.close()
