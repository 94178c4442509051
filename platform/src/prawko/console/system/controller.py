"""The operators' calls about plugins, incidents, acts and charts."""

from litestar import Controller, Response, get
from litestar.di import NamedDependency

from prawko.accounts.guards import OPERATOR_ERRORS
from prawko.console.resource_handlers import (
    act_handler,
    list_handler,
    read_handler,
    service_dependency,
)
from prawko.console.system.errors import IncidentClosedError
from prawko.console.system.schemas import (
    AdminActionOut,
    ChainVerificationOut,
    ChartsOut,
    IncidentOut,
    PluginCheckOut,
    PluginOut,
)
from prawko.console.system.service import SystemService
from prawko.kit.http.error_responses import error_responses


class SystemController(Controller):
    """Plugins and charts."""

    tags = ("System",)
    dependencies = service_dependency(SystemService)

    @get("/plugins", operation_id="listPlugins", responses=error_responses(*OPERATOR_ERRORS))
    async def list_plugins(
        self, service: NamedDependency[SystemService]
    ) -> Response[list[PluginOut]]:
        """All of them: there are few."""
        plugins = await service.list_plugins()
        header = f"plugins 0-{len(plugins) - 1}/{len(plugins)}" if plugins else "plugins */0"
        return Response(plugins, headers={"Content-Range": header})

    @get(
        "/plugins/checks",
        operation_id="checkPlugins",
        summary="Ask the plugins' providers whether they would serve us",
        responses=error_responses(*OPERATOR_ERRORS),
    )
    async def check_plugins(self, service: NamedDependency[SystemService]) -> list[PluginCheckOut]:
        return await service.check_plugins()

    @get("/charts", operation_id="getCharts", responses=error_responses(*OPERATOR_ERRORS))
    async def load_charts(self, service: NamedDependency[SystemService]) -> ChartsOut:
        return await service.load_charts()


class ActionController(Controller):
    """The log of operators' acts."""

    path = "/actions"
    tags = ("System",)
    dependencies = service_dependency(SystemService)

    list_actions = list_handler(
        "actions", SystemService.list_actions, AdminActionOut, operation_id="listAdminActions"
    )

    @get(
        "/verification",
        operation_id="verifyAdminActions",
        summary="Compute the hashes of all acts again",
        responses=error_responses(*OPERATOR_ERRORS),
    )
    async def verify_actions(self, service: NamedDependency[SystemService]) -> ChainVerificationOut:
        return await service.verify_actions()


class IncidentController(Controller):
    """Conditions that operators must know about."""

    path = "/incidents"
    tags = ("System",)
    dependencies = service_dependency(SystemService)

    list_incidents = list_handler(
        "incidents", SystemService.list_incidents, IncidentOut, operation_id="listIncidents"
    )
    get_incident = read_handler(SystemService.get_incident, IncidentOut, operation_id="getIncident")
    # It is opened again while its condition lasts.
    close = act_handler(
        SystemService.close, IncidentOut, IncidentClosedError, operation_id="closeIncident"
    )
