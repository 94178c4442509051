"""The HTTP endpoint that the list of drivers is downloaded from (docs/rules.md P14a)."""

import asyncio
from typing import Annotated

from litestar import Controller, Response, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import QueryParameter

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, AuditLog
from prawko.accounts.guards import (
    OWN_SESSION_ERRORS,
    forbids_impersonation,
    requires_verified_email,
)
from prawko.drivers.list_export import DriverGroup, TableFormat, export_list
from prawko.drivers.queries import DriverQueries
from prawko.drivers.xlsx_writer import XLSX_MEDIA_TYPE
from prawko.kit.clock import warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.errors import TooManyRequestsError
from prawko.kit.http.error_responses import error_responses
from prawko.kit.http.file_response import file_response
from prawko.kit.text.i18n import Language
from prawko.limits import COMPANY_LIMIT

CSV_MEDIA_TYPE = "text/csv"  # Litestar adds the charset
MAX_QUERY_LENGTH = 200
FormatName = Annotated[TableFormat, QueryParameter(name="format")]
SearchText = Annotated[str, QueryParameter(name="q", max_length=MAX_QUERY_LENGTH)]
GroupName = Annotated[DriverGroup, QueryParameter(name="status")]


class DriverExportController(Controller):
    """The list of the caller's company as a file."""

    path = "/api/drivers/export"
    tags = ("Drivers",)
    guards = (requires_verified_email, forbids_impersonation)

    @get(
        operation_id="exportDriverList",
        opt={COMPANY_LIMIT: limits.LIST_EXPORTS},
        summary="Download the list with its filter and search",
        responses={
            200: ResponseSpec(
                bytes,
                media_type=XLSX_MEDIA_TYPE,
                generate_examples=False,
                description="An XLSX file or, as the parameter says, a CSV file",
            ),
            **error_responses(*OWN_SESSION_ERRORS, TooManyRequestsError),
        },
    )
    async def export(
        self,
        context: NamedDependency[AppContext],
        driver_queries: NamedDependency[DriverQueries],
        audit: NamedDependency[AuditLog],
        language: NamedDependency[Language],
        table_format: FormatName = TableFormat.XLSX,
        search: SearchText = "",
        group: GroupName = DriverGroup.ALL,
    ) -> Response[bytes]:
        day = warsaw_date(context.clock.now())
        drivers = await driver_queries.list_drivers(1)
        content, count = await asyncio.to_thread(
            export_list, drivers, table_format, group, search, day, language
        )
        await audit.record(AuditEvent.EXPORT_MADE, about="list", drivers=count)
        media_type = CSV_MEDIA_TYPE if table_format is TableFormat.CSV else XLSX_MEDIA_TYPE
        return file_response(content, f"prawko-{day.isoformat()}.{table_format}", media_type)
