"""Plugins as operators see them: what they offer, and whether it works."""

from collections.abc import Sequence
from datetime import datetime

from litestar import Response, Router, get
from litestar.di import NamedDependency
from sqlalchemy import select

from prawko.console.resource import operator_responses
from prawko.kit.context import AppContext
from prawko.kit.http.schemas import ResponseModel
from prawko.kit.incidents.models import Incident, ProviderPause
from prawko.kit.incidents.plugin_faults import PLUGIN_FAILING
from prawko.kit.providers.availability import BreakerState
from prawko.kit.providers.checks import check_offers, chosen_names
from prawko.kit.providers.experience import PluginExperiences
from prawko.kit.providers.registry import PluginKind, PluginOffer, full_name
from prawko.verifications.models import RegisterLimiter


class PluginOut(ResponseModel):
    """A plugin, or what one of its hooks offers; `id` is `kind:name`.

    `configured`: it offers something under the settings; `chosen`: a setting names it.
    """

    id: str
    kind: str
    name: str
    version: str
    configured: bool
    chosen: bool
    healthy: bool
    last_error: str | None
    last_error_at: datetime | None
    paused_until: datetime | None


class PluginCheckOut(ResponseModel):
    """Whether a plugin's object works now; `passed` is null for one that cannot be asked."""

    id: str
    passed: bool | None
    text: str


@get(operation_id="listPlugins", responses=operator_responses())
async def list_plugins(context: NamedDependency[AppContext]) -> Response[list[PluginOut]]:
    """All plugins of this process (there are few), with what the workers know of their state."""
    async with context.database.operator() as session:
        pauses = {one.provider: one for one in await session.scalars(select(ProviderPause))}
        limiters = (await session.scalars(select(RegisterLimiter))).all()
        is_open = (Incident.kind == PLUGIN_FAILING) & Incident.closed_at.is_(None)
        incidents = {one.key: one for one in await session.scalars(select(Incident).where(is_open))}
    chosen = chosen_names(context.settings)
    plugins = [
        _describe_plugin(offer, chosen, pauses, limiters, incidents)
        for offer in context.plugins.offers
    ]
    plugins.sort(key=lambda plugin: (plugin.kind, plugin.name))
    header = f"plugins 0-{len(plugins) - 1}/{len(plugins)}" if plugins else "plugins */0"
    return Response(plugins, headers={"Content-Range": header})


@get(
    "/checks",
    operation_id="checkPlugins",
    summary="Ask the plugins' providers whether they would serve us",
    responses=operator_responses(),
)
async def check_plugins(context: NamedDependency[AppContext]) -> list[PluginCheckOut]:
    """The answers of every configured object of this process."""
    results = await check_offers(context.plugins, context.components.get(PluginExperiences))
    return [
        PluginCheckOut(id=f"{kind.value}:{name}", passed=result.passed, text=result.text)
        for (kind, name), result in sorted(results.items())
    ]


def _describe_plugin(
    offer: PluginOffer,
    chosen: dict[PluginKind, frozenset[str]],
    pauses: dict[str, ProviderPause],
    limiters: Sequence[RegisterLimiter],
    incidents: dict[str, Incident],
) -> PluginOut:
    error, error_at, paused_until = None, None, None
    for kind in (offer.kind, PluginKind.WEBHOOK):
        if incident := incidents.get(full_name(kind, offer.name)):
            error, error_at = incident.detail.removeprefix(f"{incident.key}: "), incident.opened_at
    if offer.kind in {PluginKind.CHANNEL, PluginKind.PAYMENTS} and offer.name in pauses:
        pause = pauses[offer.name]
        error, error_at, paused_until = pause.reason, pause.since, pause.paused_until
    if offer.kind is PluginKind.REGISTER:
        for limiter in limiters:
            is_open = limiter.breaker != BreakerState.CLOSED
            if limiter.register == offer.name and (limiter.account_error or is_open):
                error = limiter.account_error or "the register does not answer"
                error_at, paused_until = limiter.updated_at, limiter.paused_until
    return PluginOut(
        id=f"{offer.kind.value}:{offer.name}",
        kind=offer.kind.value,
        name=offer.name,
        version=offer.version,
        configured=offer.kind is not PluginKind.UNCONFIGURED,
        chosen=offer.name in chosen.get(offer.kind, frozenset()),
        healthy=error is None,
        last_error=error,
        last_error_at=error_at,
        paused_until=paused_until,
    )


ROUTES = (Router("/plugins", route_handlers=[list_plugins, check_plugins], tags=["System"]),)
