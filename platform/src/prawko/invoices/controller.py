"""HTTP calls of invoices (docs/rules.md P19)."""

from typing import Annotated
from uuid import UUID

from litestar import Controller, Response, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, QueryParameter

from prawko.accounts.guards import RIGHT_ERRORS, requires_right
from prawko.accounts.roles import ACT, CompanyAct
from prawko.invoices.errors import InvoiceNotReadyError
from prawko.invoices.rules import file_name
from prawko.invoices.schemas import InvoiceOut
from prawko.invoices.service import InvoiceService
from prawko.kit.database import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, Pagination
from prawko.kit.errors import NotFoundError
from prawko.kit.http.error_responses import error_responses
from prawko.kit.http.file_response import pdf_response, pdf_spec
from prawko_tenants.sessions import TenantSession

PageNumber = Annotated[int | None, QueryParameter(name="page", ge=1, le=1_000_000)]
PageSize = Annotated[int | None, QueryParameter(name="pageSize", ge=1, le=MAX_PAGE_SIZE)]

_PDF_RESPONSE = pdf_spec("The PDF of the invoice")


def provide_invoices(session: NamedDependency[TenantSession]) -> InvoiceService:
    """The company's invoices, in the request's transaction."""
    return InvoiceService(session)


class InvoiceController(Controller):
    """Calls that list a company's invoices and return their PDFs."""

    path = "/api/invoices"
    tags = ("Invoices",)
    guards = (requires_right,)
    opt = {ACT: CompanyAct.SUBSCRIPTION}  # noqa: RUF012  # Litestar's own declaration
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "invoices": Provide(provide_invoices, sync_to_thread=False)
    }

    @get(
        operation_id="listInvoices",
        summary="List the company's invoices, newest first",
        responses=error_responses(*RIGHT_ERRORS),
    )
    async def index(
        self,
        invoices: NamedDependency[InvoiceService],
        page: PageNumber = None,
        page_size: PageSize = None,
    ) -> Response[list[InvoiceOut]]:
        """All of them, or the requested page; `Content-Range` then has the total."""
        if page is None and page_size is None:
            return Response(await invoices.list_newest())
        pagination = Pagination(page or 1, page_size or DEFAULT_PAGE_SIZE)
        rows, total = await invoices.list_newest(pagination), await invoices.count()
        return Response(
            rows, headers={"Content-Range": pagination.content_range("invoices", len(rows), total)}
        )

    @get(
        "/{invoice_id:uuid}/pdf",
        operation_id="getInvoicePdf",
        summary="Return the PDF of an invoice",
        responses={
            200: _PDF_RESPONSE,
            **error_responses(*RIGHT_ERRORS, NotFoundError, InvoiceNotReadyError),
        },
    )
    async def pdf(
        self, invoice_id: FromPath[UUID], invoices: NamedDependency[InvoiceService]
    ) -> Response[bytes]:
        """It is rendered within seconds of its issue; before, `Retry-After` says when to retry."""
        number, content = await invoices.get_pdf(invoice_id)
        return pdf_response(content, file_name(number, "pdf"))
