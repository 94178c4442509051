"""HTTP endpoints of imports (docs/rules.md P14a)."""

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, AuditLog
from prawko.accounts.authentication import Identity
from prawko.accounts.guards import RIGHT_ERRORS, requires_right
from prawko.accounts.roles import ACT, CompanyAct
from prawko.billing.errors import SubscriptionRequiredError
from prawko.drivers.errors import (
    DriverLimitError,
    InvalidImportError,
    LicenceTakenError,
    UnreadableImportError,
)
from prawko.drivers.import_schemas import (
    MAX_IMPORT_BODY_BYTES,
    DriverImportIn,
    DriverImportOut,
    ImportPreviewOut,
    ImportTableIn,
)
from prawko.drivers.import_service import DriverImportService
from prawko.drivers.service import request_first_check
from prawko.drivers.table_columns import FIELDS
from prawko.drivers.xlsx_writer import XLSX_MEDIA_TYPE, XLSX_RESPONSE, write_xlsx
from prawko.kit.context import AppContext
from prawko.kit.errors import TooManyRequestsError
from prawko.kit.http.error_responses import error_responses
from prawko.kit.http.file_response import file_response
from prawko.kit.text.i18n import Language, translate
from prawko.limits import COMPANY_LIMIT
from prawko_tenants.sessions import TenantSession


def provide_import_service(
    context: NamedDependency[AppContext], session: NamedDependency[TenantSession]
) -> DriverImportService:
    """The import service in the request's transaction."""
    return DriverImportService(context, session)


class DriverImportController(Controller):
    """Many drivers at once, for the caller's company."""

    path = "/api/drivers/import"
    tags = ("Drivers",)
    guards = (requires_right,)
    opt = {ACT: CompanyAct.WRITE_DRIVERS}  # noqa: RUF012  # Litestar's own declaration
    request_max_body_size = MAX_IMPORT_BODY_BYTES
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "imports": Provide(provide_import_service, sync_to_thread=False)
    }

    @post(
        "/preview",
        operation_id="previewDriverImport",
        summary="Show which rows of a table can be added as drivers, and the mistakes of others",
        status_code=200,
        opt={"malformed": InvalidImportError, COMPANY_LIMIT: limits.IMPORT_PREVIEWS},
        responses=error_responses(
            *RIGHT_ERRORS,
            SubscriptionRequiredError,
            UnreadableImportError,
            InvalidImportError,
            TooManyRequestsError,
        ),
    )
    async def preview(
        self,
        data: JSONBody[ImportTableIn],
        imports: NamedDependency[DriverImportService],
        allowed_drivers: NamedDependency[int],
        language: NamedDependency[Language],
    ) -> ImportPreviewOut:
        """Returns the rows with their mistakes; stores no row."""
        return await imports.preview(data, language, allowed_drivers)

    @post(
        operation_id="importDrivers",
        summary="Add the chosen rows of a table as drivers, all or none",
        opt={"malformed": InvalidImportError, COMPANY_LIMIT: limits.IMPORTS},
        responses=error_responses(
            *RIGHT_ERRORS,
            SubscriptionRequiredError,
            DriverLimitError,
            LicenceTakenError,
            UnreadableImportError,
            InvalidImportError,
            TooManyRequestsError,
        ),
    )
    async def add(
        self,
        data: JSONBody[DriverImportIn],
        imports: NamedDependency[DriverImportService],
        allowed_drivers: NamedDependency[int],
        identity: NamedDependency[Identity],
        audit: NamedDependency[AuditLog],
        context: NamedDependency[AppContext],
        session: NamedDependency[TenantSession],
    ) -> DriverImportOut:
        result = await imports.add(data, identity.user_id, allowed_drivers)
        request_first_check(context, session)
        await audit.record(AuditEvent.DRIVERS_IMPORTED, drivers=result.added)
        return result

    @get(
        "/template",
        operation_id="getDriverImportTemplate",
        responses={200: XLSX_RESPONSE, **error_responses(*RIGHT_ERRORS)},
    )
    async def show_template(self, language: NamedDependency[Language]) -> Response[bytes]:
        return file_response(create_template(language), "prawko-kierowcy.xlsx", XLSX_MEDIA_TYPE)


def create_template(language: Language) -> bytes:
    """Return a sheet with the names of the columns and no driver."""
    return write_xlsx([[translate(f"drivers.columns.{field}", language) for field in FIELDS]])
