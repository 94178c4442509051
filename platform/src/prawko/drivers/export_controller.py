"""The HTTP calls that the list of drivers is downloaded by (docs/rules.md P14a)."""

import asyncio
from typing import Annotated

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, QueryParameter

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, AuditLog
from prawko.accounts.guards import (
    OWN_RIGHT_ERRORS,
    forbids_impersonation,
    requires_right,
)
from prawko.accounts.roles import ACT, CompanyAct
from prawko.drivers.list_export import DriverFilter, DriverGroup, export_list
from prawko.drivers.queries import DriverQueries
from prawko.drivers.schemas import DriverExportIn, TableFormat
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


class ListExport:
    """Downloads of the company's list, in the request's transaction."""

    def __init__(
        self, context: AppContext, drivers: DriverQueries, audit: AuditLog, language: Language
    ) -> None:
        self._day = warsaw_date(context.clock.now())
        self._drivers = drivers
        self._audit = audit
        self._language = language

    async def download(self, table_format: TableFormat, shown_by: DriverFilter) -> Response[bytes]:
        """Return the file of the drivers that the filter shows, and record it."""
        drivers = await self._drivers.list_drivers(1)
        content, count = await asyncio.to_thread(
            export_list, drivers, table_format, shown_by, self._day, self._language
        )
        await self._audit.record(AuditEvent.EXPORT_MADE, about="list", drivers=count)
        media_type = CSV_MEDIA_TYPE if table_format is TableFormat.CSV else XLSX_MEDIA_TYPE
        name = f"prawko-{self._day.isoformat()}.{table_format}"
        return file_response(content, name, media_type)


def provide_list_export(
    context: NamedDependency[AppContext],
    driver_queries: NamedDependency[DriverQueries],
    audit: NamedDependency[AuditLog],
    language: NamedDependency[Language],
) -> ListExport:
    """Return the downloads of the caller's company."""
    return ListExport(context, driver_queries, audit, language)


_RESPONSES = {
    200: ResponseSpec(
        bytes,
        media_type=XLSX_MEDIA_TYPE,
        generate_examples=False,
        description="An XLSX file or, if so asked, a CSV file",
    ),
    **error_responses(*OWN_RIGHT_ERRORS, TooManyRequestsError),
}


class DriverExportController(Controller):
    """The list of the caller's company as a file."""

    path = "/api/drivers/export"
    tags = ("Drivers",)
    guards = (requires_right, forbids_impersonation)
    opt = {ACT: CompanyAct.REPORTS, COMPANY_LIMIT: limits.LIST_EXPORTS}  # noqa: RUF012  # Litestar's own declaration
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "downloads": Provide(provide_list_export, sync_to_thread=False)
    }

    @get(
        operation_id="exportDriverList",
        summary="Download the list with its filter and search",
        responses=_RESPONSES,
    )
    async def export(
        self,
        downloads: NamedDependency[ListExport],
        table_format: FormatName = TableFormat.XLSX,
        search: SearchText = "",
        group: GroupName = DriverGroup.ALL,
    ) -> Response[bytes]:
        return await downloads.download(table_format, DriverFilter(group, search))

    @post(
        operation_id="exportDrivers",
        summary="Download the rows of chosen drivers",
        status_code=200,
        responses=_RESPONSES,
    )
    async def export_chosen(
        self, data: JSONBody[DriverExportIn], downloads: NamedDependency[ListExport]
    ) -> Response[bytes]:
        """Drivers that another member has removed meanwhile are skipped."""
        chosen = DriverFilter(chosen=frozenset(data.driver_ids))
        return await downloads.download(data.format, chosen)
