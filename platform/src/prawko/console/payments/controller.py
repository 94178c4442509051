"""The operators' calls about payments and bank statements."""

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from prawko.accounts.guards import OPERATOR_ERRORS
from prawko.base.context import AppContext
from prawko.base.error_responses import error_responses
from prawko.base.errors import NotFoundError
from prawko.console.action_log import ActionLog
from prawko.console.errors import InvalidListQueryError, ReasonRequiredError
from prawko.console.list_page import page_response
from prawko.console.list_query import ListParameters, parse_record_id
from prawko.console.payments.errors import (
    DiscrepancyResolvedError,
    InvalidStatementError,
    RefundNotPossibleError,
    RefundPendingError,
)
from prawko.console.payments.schemas import (
    MAX_STATEMENT_BODY_BYTES,
    BookingOut,
    DiscrepancyOut,
    PaymentOut,
    PreviewOut,
    RefundIn,
    RefundOut,
    ResolutionIn,
    StatementBookingIn,
    StatementFileIn,
)
from prawko.console.payments.service import PaymentDeskService
from prawko.payments.errors import ManualPaymentsUnavailableError
from prawko.payments.statements.errors import UnreadableStatementError

_LIST_ERRORS = error_responses(*OPERATOR_ERRORS, InvalidListQueryError)


def provide_payment_desk(context: NamedDependency[AppContext]) -> PaymentDeskService:
    """Return the service of payments."""
    return PaymentDeskService(context)


_DEPENDENCIES = {"desk": Provide(provide_payment_desk, sync_to_thread=False)}


class PaymentListController(Controller):
    """Payments and refunds of all companies."""

    tags = ("Payments",)
    dependencies = _DEPENDENCIES

    @get("/payments", operation_id="listPayments", responses=_LIST_ERRORS)
    async def list_payments(
        self,
        desk: NamedDependency[PaymentDeskService],
        list_parameters: NamedDependency[ListParameters],
    ) -> Response[list[PaymentOut]]:
        query, page = await desk.list_payments(list_parameters)
        return page_response("payments", query, page, PaymentOut)

    @get("/refunds", operation_id="listRefunds", responses=_LIST_ERRORS)
    async def list_refunds(
        self,
        desk: NamedDependency[PaymentDeskService],
        list_parameters: NamedDependency[ListParameters],
    ) -> Response[list[RefundOut]]:
        query, page = await desk.list_refunds(list_parameters)
        return page_response("refunds", query, page, RefundOut)


class DiscrepancyController(Controller):
    """Money that does not match an order."""

    path = "/discrepancies"
    tags = ("Payments",)
    dependencies = _DEPENDENCIES

    @get(operation_id="listDiscrepancies", responses=_LIST_ERRORS)
    async def list_discrepancies(
        self,
        desk: NamedDependency[PaymentDeskService],
        list_parameters: NamedDependency[ListParameters],
    ) -> Response[list[DiscrepancyOut]]:
        query, page = await desk.list_discrepancies(list_parameters)
        return page_response("discrepancies", query, page, DiscrepancyOut)

    @get(
        "/{discrepancy_id:str}",
        operation_id="getDiscrepancy",
        responses=error_responses(*OPERATOR_ERRORS, NotFoundError),
    )
    async def get_discrepancy(
        self, discrepancy_id: FromPath[str], desk: NamedDependency[PaymentDeskService]
    ) -> DiscrepancyOut:
        return await desk.get_discrepancy(parse_record_id(discrepancy_id))

    @post(
        "/{discrepancy_id:str}/resolve",
        operation_id="resolveDiscrepancy",
        summary="Close a discrepancy with a note",
        status_code=200,
        responses=error_responses(
            *OPERATOR_ERRORS,
            NotFoundError,
            DiscrepancyResolvedError,
            RefundPendingError,
            ReasonRequiredError,
        ),
    )
    async def resolve(
        self,
        discrepancy_id: FromPath[str],
        data: JSONBody[ResolutionIn],
        desk: NamedDependency[PaymentDeskService],
        actions: NamedDependency[ActionLog],
    ) -> DiscrepancyOut:
        id_ = parse_record_id(discrepancy_id)
        return await desk.resolve(actions, id_, data.note, data.reason)

    @post(
        "/{discrepancy_id:str}/refund",
        operation_id="refundDiscrepancy",
        summary="Have the provider refund an amount",
        status_code=200,
        responses=error_responses(
            *OPERATOR_ERRORS,
            NotFoundError,
            DiscrepancyResolvedError,
            RefundNotPossibleError,
            ReasonRequiredError,
        ),
    )
    async def refund(
        self,
        discrepancy_id: FromPath[str],
        data: JSONBody[RefundIn],
        desk: NamedDependency[PaymentDeskService],
        actions: NamedDependency[ActionLog],
    ) -> DiscrepancyOut:
        """Stored at once; a worker asks the provider, and resolves the discrepancy."""
        id_ = parse_record_id(discrepancy_id)
        return await desk.refund(actions, id_, data.amount_grosze, data.reason)


class StatementController(Controller):
    """Files of the bank."""

    path = "/statements"
    tags = ("Payments",)
    dependencies = _DEPENDENCIES
    request_max_body_size = MAX_STATEMENT_BODY_BYTES

    @post(
        "/preview",
        operation_id="previewStatement",
        summary="Show which payments the lines of a statement pay for",
        status_code=200,
        opt={"malformed": InvalidStatementError},
        responses=error_responses(
            *OPERATOR_ERRORS,
            InvalidStatementError,
            UnreadableStatementError,
            ManualPaymentsUnavailableError,
        ),
    )
    async def preview(
        self, data: JSONBody[StatementFileIn], desk: NamedDependency[PaymentDeskService]
    ) -> PreviewOut:
        """Nothing of the file is stored."""
        return await desk.preview(data)

    @post(
        "/book",
        operation_id="bookStatement",
        summary="Book lines of a statement",
        status_code=200,
        opt={"malformed": InvalidStatementError},
        responses=error_responses(
            *OPERATOR_ERRORS,
            InvalidStatementError,
            UnreadableStatementError,
            ManualPaymentsUnavailableError,
            ReasonRequiredError,
        ),
    )
    async def book(
        self,
        data: JSONBody[StatementBookingIn],
        desk: NamedDependency[PaymentDeskService],
        actions: NamedDependency[ActionLog],
    ) -> BookingOut:
        """Booking a line again changes nothing."""
        return await desk.book(actions, data)
