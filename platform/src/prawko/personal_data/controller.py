"""HTTP calls that export or erase a company's own data (docs/rules.md P19, R22)."""

from litestar import Controller, Response, delete, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody
from litestar.response import Stream

from prawko import limits
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.authentication import Identity
from prawko.accounts.cookies import session_cookie
from prawko.accounts.errors import InvalidSecondFactorError, LastOperatorError, WrongPasswordError
from prawko.accounts.guards import (
    OWN_RIGHT_ERRORS,
    RIGHT_ERRORS,
    forbids_impersonation,
    requires_right,
)
from prawko.accounts.roles import ACT, CompanyAct
from prawko.accounts.schemas import Text
from prawko.kit.clock import Clock
from prawko.kit.context import AppContext
from prawko.kit.errors import NotFoundError, TooManyRequestsError
from prawko.kit.http.error_responses import error_responses
from prawko.kit.http.schemas import OkOut, RequestModel
from prawko.kit.text.i18n import Language
from prawko.limits import COMPANY_LIMIT
from prawko.personal_data.archive import ZIP_RESPONSE, stream_archive
from prawko.personal_data.erasure_requests import ErasureRequests
from prawko.personal_data.export import ExportService
from prawko_tenants.ids import DriverId
from prawko_tenants.sessions import TenantSession


class CompanyErasureIn(RequestModel):
    """The owner's current password and, where the second factor is on, a code of it."""

    password: Text
    code: Text = ""


def provide_export_service(
    context: NamedDependency[AppContext],
    session: NamedDependency[TenantSession],
    identity: NamedDependency[Identity],
    client: NamedDependency[ClientInfo],
    language: NamedDependency[Language],
) -> ExportService:
    """Return the export service of the caller's company, in the request's transaction."""
    return ExportService(context, session, identity, client, language)


class PersonalDataController(Controller):
    """Streams archives of a company's or a driver's data, and erases the company."""

    path = "/api"
    tags = ("Personal data",)
    guards = (requires_right,)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "exports": Provide(provide_export_service, sync_to_thread=False)
    }

    @get(
        "/company/export",
        operation_id="exportCompany",
        opt={ACT: CompanyAct.EXPORT, COMPANY_LIMIT: limits.COMPANY_EXPORTS},
        guards=[forbids_impersonation],  # as the calls have whose data it contains
        responses={
            200: ZIP_RESPONSE,
            **error_responses(*OWN_RIGHT_ERRORS, TooManyRequestsError),
        },
    )
    async def export_company(
        self, exports: NamedDependency[ExportService], clock: NamedDependency[Clock]
    ) -> Stream:
        return stream_archive(await exports.export_company(), "company", clock)

    @delete(
        "/company",
        operation_id="eraseCompany",
        opt={ACT: CompanyAct.ERASURE},
        status_code=200,
        summary="Erase the company with its people, for good; its owner may",
        guards=[forbids_impersonation],
        responses=error_responses(
            *OWN_RIGHT_ERRORS,
            WrongPasswordError,
            InvalidSecondFactorError,
            LastOperatorError,
            TooManyRequestsError,
        ),
    )
    async def erase_company(
        self,
        data: JSONBody[CompanyErasureIn],
        identity: NamedDependency[Identity],
        context: NamedDependency[AppContext],
        client: NamedDependency[ClientInfo],
    ) -> Response[OkOut]:
        await ErasureRequests(context).submit(identity, data.password, data.code, client)
        return Response(OkOut(ok=True), cookies=[session_cookie(context.settings, None)])

    @get(
        "/drivers/{driver_id:uuid}/export",
        operation_id="exportDriver",
        opt={ACT: CompanyAct.REPORTS, COMPANY_LIMIT: limits.DRIVER_EXPORTS},
        responses={
            200: ZIP_RESPONSE,
            **error_responses(*RIGHT_ERRORS, NotFoundError, TooManyRequestsError),
        },
    )
    async def export_driver(
        self,
        driver_id: FromPath[DriverId],
        exports: NamedDependency[ExportService],
        clock: NamedDependency[Clock],
    ) -> Stream:
        return stream_archive(await exports.export_driver(driver_id), "driver", clock)
