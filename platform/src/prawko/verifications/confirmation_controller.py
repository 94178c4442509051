"""HTTP endpoints of confirmations of checks, as PDF."""

from datetime import date
from typing import Annotated
from uuid import UUID

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody, QueryParameter

from prawko import limits
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.guards import (
    OWN_RIGHT_ERRORS,
    RIGHT_ERRORS,
    forbids_impersonation,
    requires_right,
)
from prawko.accounts.roles import ACT, CompanyAct
from prawko.kit.context import AppContext
from prawko.kit.errors import (
    BadRequestError,
    NotFoundError,
    TooManyRequestsError,
    UnavailableError,
)
from prawko.kit.http.error_responses import error_responses
from prawko.kit.http.file_response import ScreenLanguage, pdf_response, pdf_spec
from prawko.kit.text.i18n import Language
from prawko.limits import COMPANY_LIMIT
from prawko.verifications.confirmation_service import ConfirmationService
from prawko.verifications.schemas import DriverConfirmationIn
from prawko_tenants.ids import DriverId

FirstDay = Annotated[date, QueryParameter(name="from")]
ConfirmedDay = Annotated[date | None, QueryParameter()]
LastDay = Annotated[date, QueryParameter(name="to")]
_ERRORS = (*RIGHT_ERRORS, NotFoundError, TooManyRequestsError, UnavailableError)


def provide_confirmations(
    context: NamedDependency[AppContext],
    identity: NamedDependency[Identity],
    client: NamedDependency[ClientInfo],
    language: NamedDependency[Language],
    lang: ScreenLanguage = None,
) -> ConfirmationService:
    """Return the service for the caller's company, in the language of the screen."""
    return ConfirmationService(context, identity, client, lang or language)


class ConfirmationController(Controller):
    """Calls that return confirmations of a driver's checks, and of all drivers on a day."""

    path = "/api"
    tags = ("Verifications",)
    guards = (requires_right,)
    opt = {ACT: CompanyAct.REPORTS}  # noqa: RUF012  # Litestar's own declaration
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "confirmations": Provide(provide_confirmations, sync_to_thread=False)
    }

    @get(
        "/company/confirmation",
        operation_id="confirmDay",
        guards=[forbids_impersonation],
        opt={COMPANY_LIMIT: limits.DAY_CONFIRMATIONS},
        responses={
            200: pdf_spec("Who may drive on a day, and who reacted, of all drivers"),
            **error_responses(
                *OWN_RIGHT_ERRORS, BadRequestError, TooManyRequestsError, UnavailableError
            ),
        },
    )
    async def confirm_day(
        self, confirmations: NamedDependency[ConfirmationService], day: ConfirmedDay = None
    ) -> Response[bytes]:
        """Returns the confirmation of a Warsaw day; today without `day`."""
        file = await confirmations.confirm_day(day)
        return pdf_response(file.content, file.name)

    @post(
        "/company/confirmation",
        operation_id="confirmDrivers",
        guards=[forbids_impersonation],
        opt={COMPANY_LIMIT: limits.DAY_CONFIRMATIONS},
        status_code=200,
        responses={
            200: pdf_spec("Who may drive on a day, and who reacted, of chosen drivers"),
            **error_responses(
                *OWN_RIGHT_ERRORS, BadRequestError, TooManyRequestsError, UnavailableError
            ),
        },
    )
    async def confirm_drivers(
        self,
        data: JSONBody[DriverConfirmationIn],
        context: NamedDependency[AppContext],
        identity: NamedDependency[Identity],
        client: NamedDependency[ClientInfo],
        language: NamedDependency[Language],
    ) -> Response[bytes]:
        """Drivers that another member has removed meanwhile are skipped."""
        confirmations = provide_confirmations(context, identity, client, language, data.lang)
        file = await confirmations.confirm_day(data.day, frozenset(data.driver_ids))
        return pdf_response(file.content, file.name)

    @get(
        "/drivers/{driver_id:uuid}/verifications/{verification_id:uuid}/confirmation",
        operation_id="confirmCheck",
        opt={COMPANY_LIMIT: limits.CONFIRMATIONS},
        responses={200: pdf_spec("The confirmation of one check"), **error_responses(*_ERRORS)},
    )
    async def confirm_check(
        self,
        driver_id: FromPath[UUID],
        verification_id: FromPath[UUID],
        confirmations: NamedDependency[ConfirmationService],
    ) -> Response[bytes]:
        file = await confirmations.confirm_check(DriverId(driver_id), verification_id)
        return pdf_response(file.content, file.name)

    @get(
        "/drivers/{driver_id:uuid}/confirmation",
        operation_id="confirmPeriod",
        opt={COMPANY_LIMIT: limits.CONFIRMATIONS},
        responses={
            200: pdf_spec("The confirmation of all checks of a period"),
            **error_responses(*_ERRORS, BadRequestError),
        },
    )
    async def confirm_period(
        self,
        driver_id: FromPath[UUID],
        confirmations: NamedDependency[ConfirmationService],
        first: FirstDay,
        last: LastDay,
    ) -> Response[bytes]:
        """Returns the confirmation of at most 366 Warsaw days, both ends included."""
        file = await confirmations.confirm_period(DriverId(driver_id), first, last)
        return pdf_response(file.content, file.name)
