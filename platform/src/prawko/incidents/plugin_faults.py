"""Faults of plugins: some in a row are an incident, and the plugin rests.

Both are this process's own experience: every process finds out for itself, and another one that
gets on with the plugin goes on. A fault is a broken promise (`base.plugins.calls`), not a refusal
or an outage, which have errors of their own.
"""

import time
from collections import defaultdict

import msgspec

from prawko.base.clock import utc_now
from prawko.base.context import AppContext
from prawko.base.observability import logs
from prawko.base.observability.metrics import Counter
from prawko.base.plugins.calls import PluginFaultError, describe_error
from prawko.incidents.service import close_incident, open_incident

log = logs.get_logger(__name__)

PLUGIN_FAILING = "plugin_failing"
FAULTS_UNTIL_REST = 5
REST_SECONDS = 60.0

FAULTS = Counter("prawko_plugin_faults_total", "Broken promises of plugins.", ("plugin", "fault"))


class _Experience(msgspec.Struct):
    """The experience of this process with one plugin."""

    faults: int = 0  # since the last success
    rests_until: float = 0.0  # by the monotonic clock
    is_known_good: bool = False  # no incident of it is open


class PluginFaults:
    """The experience of this process with its plugins, by kind and name."""

    def __init__(self) -> None:
        self._by_plugin: defaultdict[str, _Experience] = defaultdict(_Experience)

    def is_resting(self, plugin: str) -> bool:
        """Whether the plugin is not to be called now."""
        return time.monotonic() < self._by_plugin[plugin].rests_until

    def count_faults(self, plugin: str, number: int) -> bool:
        """Count faults; whether the plugin rests now."""
        experience = self._by_plugin[plugin]
        experience.faults += number
        if experience.faults < FAULTS_UNTIL_REST:
            return False
        experience.rests_until = time.monotonic() + REST_SECONDS
        experience.is_known_good = False
        return True

    def doubt(self, plugin: str) -> None:
        """Note that an incident is open."""
        self._by_plugin[plugin].is_known_good = False

    def count_success(self, plugin: str) -> bool:
        """Count a success; whether an incident may be open that it ends."""
        experience = self._by_plugin[plugin]
        was_known_good = experience.is_known_good
        experience.faults, experience.rests_until, experience.is_known_good = 0, 0.0, True
        return not was_known_good


async def record_fault(
    context: AppContext,
    plugin: str,
    fault: PluginFaultError,
    *,
    number: int = 1,
    is_harmless: bool = False,
) -> None:
    """Log and count a fault; FAULTS_UNTIL_REST in a row are an incident, and the plugin rests.

    `number` is how many there were of the kind. A harmless one, which cost nobody anything, is an
    incident at once and no reason to rest. Never raises. Whether a plugin that rests is called is
    its caller's decision.
    """
    reason = describe_error(fault)
    FAULTS.add(plugin, type(fault).__name__)
    log.error("plugin_failed", plugin=plugin, reason=reason, exc_info=fault.__cause__)
    faults = context.components.get(PluginFaults)
    if is_harmless:
        faults.doubt(plugin)
    elif not faults.count_faults(plugin, number):
        return
    await _set_incident(context, plugin, reason)


async def record_success(context: AppContext, plugin: str) -> None:
    """Forget the faults of a plugin, and close its incident. Never raises."""
    if context.components.get(PluginFaults).count_success(plugin):
        await _set_incident(context, plugin, None)


async def _set_incident(context: AppContext, plugin: str, reason: str | None) -> None:
    """Open the incident for a reason, or close it without one: a worker's login may, no other."""
    if not context.settings.planner_database_url:
        return
    now = utc_now()
    try:
        async with context.database.system() as session:
            if reason is None:
                await close_incident(session, kind=PLUGIN_FAILING, key=plugin, now=now)
            else:
                detail = f"{plugin}: {reason}"
                await open_incident(
                    session, kind=PLUGIN_FAILING, key=plugin, detail=detail, now=now
                )
    except Exception as error:  # noqa: BLE001 (the next fault or success repeats it)
        context.components.get(PluginFaults).doubt(plugin)
        log.warning("plugin_incident_not_stored", plugin=plugin, error=type(error).__name__)
