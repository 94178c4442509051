"""The operators' calls about plugins, incidents, acts and charts."""

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from prawko.accounts.guards import OPERATOR_ERRORS
from prawko.base.context import AppContext
from prawko.base.error_responses import error_responses
from prawko.base.errors import NotFoundError
from prawko.console.action_log import ActionLog, ReasonIn
from prawko.console.errors import InvalidListQueryError
from prawko.console.list_page import page_response
from prawko.console.list_query import ListParameters, parse_record_id
from prawko.console.system.errors import IncidentClosedError
from prawko.console.system.schemas import (
    AdminActionOut,
    ChainVerificationOut,
    ChartsOut,
    IncidentOut,
    PluginOut,
)
from prawko.console.system.service import SystemService

_LIST_ERRORS = error_responses(*OPERATOR_ERRORS, InvalidListQueryError)


def provide_system(context: NamedDependency[AppContext]) -> SystemService:
    """Return the service of the whole installation."""
    return SystemService(context)


_DEPENDENCIES = {"system": Provide(provide_system, sync_to_thread=False)}


class SystemController(Controller):
    """Plugins, acts and charts."""

    tags = ("System",)
    dependencies = _DEPENDENCIES

    @get("/plugins", operation_id="listPlugins", responses=error_responses(*OPERATOR_ERRORS))
    async def list_plugins(
        self, system: NamedDependency[SystemService]
    ) -> Response[list[PluginOut]]:
        """All of them: there are few."""
        plugins = await system.list_plugins()
        header = f"plugins 0-{len(plugins) - 1}/{len(plugins)}" if plugins else "plugins */0"
        return Response(plugins, headers={"Content-Range": header})

    @get("/actions", operation_id="listAdminActions", responses=_LIST_ERRORS)
    async def list_actions(
        self,
        system: NamedDependency[SystemService],
        list_parameters: NamedDependency[ListParameters],
    ) -> Response[list[AdminActionOut]]:
        query, page = await system.list_actions(list_parameters)
        return page_response("actions", query, page, AdminActionOut)

    @get(
        "/actions/verification",
        operation_id="verifyAdminActions",
        summary="Compute the hashes of all acts again",
        responses=error_responses(*OPERATOR_ERRORS),
    )
    async def verify_actions(self, system: NamedDependency[SystemService]) -> ChainVerificationOut:
        return await system.verify_actions()

    @get("/charts", operation_id="getCharts", responses=error_responses(*OPERATOR_ERRORS))
    async def load_charts(self, system: NamedDependency[SystemService]) -> ChartsOut:
        return await system.load_charts()


class IncidentController(Controller):
    """Conditions that operators must know about."""

    path = "/incidents"
    tags = ("System",)
    dependencies = _DEPENDENCIES

    @get(operation_id="listIncidents", responses=_LIST_ERRORS)
    async def list_incidents(
        self,
        system: NamedDependency[SystemService],
        list_parameters: NamedDependency[ListParameters],
    ) -> Response[list[IncidentOut]]:
        query, page = await system.list_incidents(list_parameters)
        return page_response("incidents", query, page, IncidentOut)

    @get(
        "/{incident_id:str}",
        operation_id="getIncident",
        responses=error_responses(*OPERATOR_ERRORS, NotFoundError),
    )
    async def get_incident(
        self, incident_id: FromPath[str], system: NamedDependency[SystemService]
    ) -> IncidentOut:
        return await system.get_incident(parse_record_id(incident_id))

    @post(
        "/{incident_id:str}/close",
        operation_id="closeIncident",
        status_code=200,
        responses=error_responses(*OPERATOR_ERRORS, NotFoundError, IncidentClosedError),
    )
    async def close(
        self,
        incident_id: FromPath[str],
        data: JSONBody[ReasonIn],
        system: NamedDependency[SystemService],
        actions: NamedDependency[ActionLog],
    ) -> IncidentOut:
        """It is opened again while its condition lasts."""
        return await system.close(actions, parse_record_id(incident_id), data.reason)
