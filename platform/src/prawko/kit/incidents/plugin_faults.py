"""Faults of plugins: some in a row are an incident, and the plugin rests; so does a block at once.

A fault is a broken promise (`kit.providers.calls`), not a refusal or an outage, which have errors
of their own. The experience of this process is in `kit.providers.experience`.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar
from uuid import UUID

from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.incidents.service import set_incident
from prawko.kit.observability import logs
from prawko.kit.observability.metrics import Counter
from prawko.kit.providers.calls import (
    PluginFaultError,
    await_plugin,
    describe_error,
)
from prawko.kit.providers.evidence import FailedCall
from prawko.kit.providers.experience import PluginExperience, PluginExperiences
from prawko.kit.providers.registry import PluginKind, full_name
from prawko.kit.work.jobs import job

log = logs.get_logger(__name__)

T = TypeVar("T")

PLUGIN_FAILING = "plugin_failing"

FAULTS = Counter("prawko_plugin_faults_total", "Broken promises of plugins.", ("plugin", "fault"))
_NO_ID = UUID(int=0)


def get_experience(context: AppContext, kind: PluginKind, name: str) -> PluginExperience:
    """Return this process's experience with a plugin's object."""
    return context.components.get(PluginExperiences).get(full_name(kind, name))


def to_failed_call(fault: Exception) -> FailedCall:
    """Return a fault that is the provider's, whomever the call concerned."""
    return FailedCall(error=fault, tenant_id=_NO_ID, subject_id=_NO_ID, is_known=True)


async def await_validated(
    context: AppContext,
    plugin: PluginExperience,
    call: Callable[[], Awaitable[object]],
    validate: Callable[[object], T],
    *,
    deadline: float,
    raises: tuple[type[Exception], ...],
) -> T:
    """Return what a call returns, as `validate` returns it; count the fault or the success.

    Raises what `await_plugin` does. Errors of the types in `raises` are not counted.
    """
    try:
        value = await await_plugin(plugin, call, deadline=deadline, raises=raises, read=validate)
    except PluginFaultError as fault:
        await record_fault(context, plugin, fault)
        raise
    await record_success(context, plugin)
    return value


async def record_fault(
    context: AppContext,
    plugin: PluginExperience,
    fault: PluginFaultError,
    *,
    failed: Sequence[FailedCall] = (),
    is_harmless: bool = False,
) -> None:
    """Log and count a fault; some in a row are an incident, and the plugin rests.

    `failed` are the calls that ended so, if it matters whom they concerned. A harmless fault, which
    cost no user anything, is an incident at once and no reason to rest. Never raises. Whether a
    plugin that rests is called is its caller's decision.
    """
    reason = describe_error(fault)
    FAULTS.add(plugin.name, type(fault).__name__)
    log.error("plugin_failed", plugin=plugin.name, reason=reason, exc_info=fault.__cause__)
    if is_harmless:
        plugin.doubt()
    elif not plugin.count_faults(failed or [to_failed_call(fault)]):
        return
    await _set_incident(context, plugin, reason)


async def record_success(context: AppContext, plugin: PluginExperience) -> None:
    """Forget the faults of a plugin, and close its incident. Never raises."""
    if plugin.count_success():
        await _set_incident(context, plugin, "")


async def report_block(context: AppContext, plugin: PluginExperience, reason: str) -> None:
    """Open the incident of a plugin that blocked or ended a process. Never raises."""
    FAULTS.add(plugin.name, "block")
    await _set_incident(context, plugin, reason)


@job(timeout=30)
async def set_plugin_incident(context: AppContext, plugin: str, reason: str) -> None:
    """Open the incident of a plugin for a reason; close it without one."""
    async with context.database.system() as session:
        await set_incident(
            session, kind=PLUGIN_FAILING, key=plugin, is_active=bool(reason),
            detail=f"{plugin}: {reason}", now=utc_now(),
        )  # fmt: skip


async def _set_incident(context: AppContext, plugin: PluginExperience, reason: str) -> None:
    """Open or close the incident: here with a worker's login, else by a job."""
    key = plugin.name
    try:
        if context.settings.planner_database_url:
            await set_plugin_incident(context, plugin=key, reason=reason)
        else:
            await context.queue.enqueue(set_plugin_incident, plugin=key, reason=reason)
    except Exception as error:  # noqa: BLE001 (the next fault or success repeats it)
        plugin.doubt()
        log.warning("plugin_incident_not_stored", plugin=key, error=type(error).__name__)
