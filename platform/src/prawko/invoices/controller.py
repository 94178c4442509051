"""The calls of invoices (readings, names of our own calls)."""

from typing import Annotated
from uuid import UUID

from litestar import Controller, Response, get
from litestar.di import NamedDependency, Provide
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, QueryParameter

from prawko.accounts.guards import verified_email
from prawko.base.errors import AuthRequiredError, EmailUnverifiedError, NotFoundError
from prawko.base.pages import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, Page
from prawko.base.refusals import refusals
from prawko.invoices.errors import InvoiceNotReadyError
from prawko.invoices.numbering import file_name
from prawko.invoices.schemas import InvoiceOut
from prawko.invoices.service import InvoiceService
from prawko_tenants.sessions import TenantSession

PageNumber = Annotated[int | None, QueryParameter(name="page", ge=1, le=1_000_000)]
PageSize = Annotated[int | None, QueryParameter(name="pageSize", ge=1, le=MAX_PAGE_SIZE)]

PDF = "application/pdf"
_THE_FILE = ResponseSpec(
    bytes, media_type=PDF, generate_examples=False, description="The sheet that shows the invoice"
)


def provide_invoices(session: NamedDependency[TenantSession]) -> InvoiceService:
    """The company's invoices, in the request's transaction."""
    return InvoiceService(session)


class InvoiceController(Controller):
    """What a company was invoiced."""

    path = "/api/invoices"
    tags = ("Invoices",)
    guards = (verified_email,)
    dependencies = {  # noqa: RUF012  # Litestar's own declaration
        "invoices": Provide(provide_invoices, sync_to_thread=False)
    }

    @get(
        operation_id="listInvoices",
        summary="List the company's invoices, newest first",
        responses=refusals(AuthRequiredError, EmailUnverifiedError),
    )
    async def index(
        self,
        invoices: NamedDependency[InvoiceService],
        page: PageNumber = None,
        page_size: PageSize = None,
    ) -> Response[list[InvoiceOut]]:
        """All of them, or the page that is asked for; `Content-Range` then tells the total."""
        if page is None and page_size is None:
            return Response(await invoices.newest())
        window = Page(page or 1, page_size or DEFAULT_PAGE_SIZE)
        rows, total = await invoices.newest(window), await invoices.count()
        return Response(
            rows, headers={"Content-Range": window.content_range("invoices", len(rows), total)}
        )

    @get(
        "/{invoice_id:uuid}/pdf",
        operation_id="getInvoicePdf",
        summary="Hand out the sheet of an invoice",
        responses={
            200: _THE_FILE,
            **refusals(
                AuthRequiredError, EmailUnverifiedError, NotFoundError, InvoiceNotReadyError
            ),
        },
    )
    async def pdf(
        self, invoice_id: FromPath[UUID], invoices: NamedDependency[InvoiceService]
    ) -> Response[bytes]:
        """It is drawn within seconds of its issue; until then the answer says when to ask."""
        number, content = await invoices.sheet(invoice_id)
        name = file_name(number, "pdf")
        return Response(
            content,
            media_type=PDF,
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )
