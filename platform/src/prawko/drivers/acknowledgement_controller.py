"""HTTP calls by which a company records that it took a driver off the road."""

from collections.abc import Iterable

from litestar import Controller, Response, delete, post
from litestar.di import NamedDependency, Provide
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, AuditLog, ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.guards import (
    OWN_RIGHT_ERRORS,
    forbids_impersonation,
    requires_right,
)
from prawko.accounts.roles import ACT, CompanyAct
from prawko.drivers.acknowledgement_links import AcknowledgementLinkService
from prawko.drivers.acknowledgement_service import AcknowledgedEpisode, AcknowledgementService
from prawko.drivers.errors import EpisodeEndedError, InvalidAcknowledgementError
from prawko.drivers.queries import get_driver_json
from prawko.drivers.schemas import (
    AcknowledgementIn,
    AcknowledgementLinkOut,
    AcknowledgementResult,
    AcknowledgementResultOut,
    AcknowledgementsIn,
    DriverOut,
    EpisodeIn,
    LinkAcknowledgementIn,
)
from prawko.kit.clock import Clock
from prawko.kit.context import AppContext
from prawko.kit.errors import BadRequestError, NotFoundError, TooManyRequestsError
from prawko.kit.http.error_responses import error_responses
from prawko.kit.text.i18n import Language
from prawko.limits import COMPANY_LIMIT
from prawko.notifications.errors import InvalidRecipientLinkError
from prawko.notifications.schemas import RecipientLinkIn
from prawko_tenants.ids import AcknowledgementId, DriverId
from prawko_tenants.sessions import TenantSession

_DRIVER = ResponseSpec(DriverOut, generate_examples=False)


def provide_acknowledgement_service(
    session: NamedDependency[TenantSession], clock: NamedDependency[Clock]
) -> AcknowledgementService:
    """The service of acknowledgements in the request's transaction."""
    return AcknowledgementService(session, clock)


class AcknowledgementController(Controller):
    """Acknowledgements of the caller's company; one of a driver is answered with the driver."""

    path = "/api/drivers"
    tags = ("Drivers",)
    # It is the company's own statement, so an impersonator cannot make it.
    guards = (requires_right, forbids_impersonation)
    opt = {ACT: CompanyAct.ACKNOWLEDGE, COMPANY_LIMIT: limits.ACKNOWLEDGEMENTS}  # noqa: RUF012  # Litestar's own declaration
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "acknowledgements": Provide(provide_acknowledgement_service, sync_to_thread=False)
    }

    @post(
        "/acknowledgements",
        operation_id="acknowledgeDrivers",
        summary="Acknowledge the episodes of several drivers",
        status_code=200,
        responses=error_responses(
            *OWN_RIGHT_ERRORS, InvalidAcknowledgementError, TooManyRequestsError
        ),
    )
    async def acknowledge_many(
        self,
        data: JSONBody[AcknowledgementsIn],
        acknowledgements: NamedDependency[AcknowledgementService],
        identity: NamedDependency[Identity],
        context: NamedDependency[AppContext],
        audit: NamedDependency[AuditLog],
        language: NamedDependency[Language],
    ) -> list[AcknowledgementResultOut]:
        """Returns what became of each episode: those that cannot be acknowledged hold up none."""
        company = str(identity.tenant_id)
        await context.throttle.hit_others(limits.ACKNOWLEDGEMENTS, company, len(data.episodes))
        results = await acknowledgements.acknowledge(data.episodes, data.note, identity.user_id)
        await _record(audit, results)
        return [one.describe(language) for one in results]

    @post(
        "/{driver_id:uuid}/acknowledgements",
        operation_id="acknowledgeDriver",
        status_code=200,
        responses={
            200: _DRIVER,
            **error_responses(
                *OWN_RIGHT_ERRORS,
                NotFoundError,
                EpisodeEndedError,
                InvalidAcknowledgementError,
                TooManyRequestsError,
            ),
        },
    )
    async def acknowledge(
        self,
        driver_id: FromPath[DriverId],
        data: JSONBody[AcknowledgementIn],
        acknowledgements: NamedDependency[AcknowledgementService],
        identity: NamedDependency[Identity],
        session: NamedDependency[TenantSession],
        context: NamedDependency[AppContext],
        audit: NamedDependency[AuditLog],
    ) -> Response[bytes]:
        episodes = [EpisodeIn(driver_id, data.since)]
        results = await acknowledgements.acknowledge(episodes, data.note, identity.user_id)
        if results[0].result is AcknowledgementResult.NOT_FOUND:
            raise NotFoundError
        if results[0].result is AcknowledgementResult.ENDED:
            raise EpisodeEndedError
        await _record(audit, results)
        body = await get_driver_json(session, driver_id, context.clock.now())
        return Response(body, media_type="application/json")

    @delete(
        "/{driver_id:uuid}/acknowledgements/{acknowledgement_id:uuid}",
        operation_id="withdrawAcknowledgement",
        status_code=200,
        responses={
            200: _DRIVER,
            **error_responses(
                *OWN_RIGHT_ERRORS, NotFoundError, EpisodeEndedError, TooManyRequestsError
            ),
        },
    )
    async def withdraw(
        self,
        driver_id: FromPath[DriverId],
        acknowledgement_id: FromPath[AcknowledgementId],
        acknowledgements: NamedDependency[AcknowledgementService],
        identity: NamedDependency[Identity],
        session: NamedDependency[TenantSession],
        context: NamedDependency[AppContext],
        audit: NamedDependency[AuditLog],
    ) -> Response[bytes]:
        if await acknowledgements.withdraw(driver_id, acknowledgement_id, identity.user_id):
            await audit.record(
                AuditEvent.ACKNOWLEDGEMENT_WITHDRAWN,
                driver=driver_id,
                acknowledgement=acknowledgement_id,
            )
        body = await get_driver_json(session, driver_id, context.clock.now())
        return Response(body, media_type="application/json")


def provide_acknowledgement_link_service(
    context: NamedDependency[AppContext], client: NamedDependency[ClientInfo]
) -> AcknowledgementLinkService:
    """The service of the links in alerts."""
    return AcknowledgementLinkService(context, client)


_LINK_ERRORS = (BadRequestError, InvalidRecipientLinkError, TooManyRequestsError)


class AcknowledgementLinkController(Controller):
    """Calls by which a member acknowledges one alert without signing in, by its link."""

    path = "/api/acknowledgement-links"
    tags = ("Drivers",)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "links": Provide(provide_acknowledgement_link_service, sync_to_thread=False)
    }

    @post(
        "/view",
        operation_id="viewAcknowledgementLink",
        status_code=200,
        responses=error_responses(*_LINK_ERRORS),
    )
    async def show(
        self,
        data: JSONBody[RecipientLinkIn],
        links: NamedDependency[AcknowledgementLinkService],
    ) -> AcknowledgementLinkOut:
        """Changes nothing, because mail servers open links without a person's consent."""
        return await links.show(data.token)

    @post(
        "/acknowledge",
        operation_id="acknowledgeByLink",
        status_code=200,
        responses=error_responses(*_LINK_ERRORS, InvalidAcknowledgementError),
    )
    async def acknowledge(
        self,
        data: JSONBody[LinkAcknowledgementIn],
        links: NamedDependency[AcknowledgementLinkService],
    ) -> AcknowledgementLinkOut:
        """Returns what became of the alert, also if it was acknowledged or ended before."""
        return await links.acknowledge(data.token, data.note)


async def _record(audit: AuditLog, results: Iterable[AcknowledgedEpisode]) -> None:
    for one in results:
        if one.added is not None:
            await audit.record(
                AuditEvent.DRIVER_ACKNOWLEDGED, driver=one.driver_id, acknowledgement=one.added
            )
