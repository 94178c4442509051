"""The operators' calls about payments and bank statements."""

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from prawko.accounts.acts.action_log import ActionLog, ReasonRequiredError
from prawko.accounts.guards import OPERATOR_ERRORS
from prawko.console.list_query import parse_record_id
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
from prawko.console.resource_handlers import list_handler, read_handler, service_dependency
from prawko.kit.errors import NotFoundError
from prawko.kit.http.error_responses import error_responses
from prawko.payments.errors import ManualPaymentsUnavailableError
from prawko.payments.statements.errors import UnreadableStatementError


class PaymentController(Controller):
    """Payments of all companies."""

    path = "/payments"
    tags = ("Payments",)
    dependencies = service_dependency(PaymentDeskService)

    list_payments = list_handler(
        "payments", PaymentDeskService.list_payments, PaymentOut, operation_id="listPayments"
    )


class RefundController(Controller):
    """Refunds of all companies."""

    path = "/refunds"
    tags = ("Payments",)
    dependencies = service_dependency(PaymentDeskService)

    list_refunds = list_handler(
        "refunds", PaymentDeskService.list_refunds, RefundOut, operation_id="listRefunds"
    )


class DiscrepancyController(Controller):
    """Money that does not match an order."""

    path = "/discrepancies"
    tags = ("Payments",)
    dependencies = service_dependency(PaymentDeskService)

    list_discrepancies = list_handler(
        "discrepancies",
        PaymentDeskService.list_discrepancies,
        DiscrepancyOut,
        operation_id="listDiscrepancies",
    )
    get_discrepancy = read_handler(
        PaymentDeskService.get_discrepancy, DiscrepancyOut, operation_id="getDiscrepancy"
    )

    @post(
        "/{record_id:str}/resolve",
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
        record_id: FromPath[str],
        data: JSONBody[ResolutionIn],
        service: NamedDependency[PaymentDeskService],
        actions: NamedDependency[ActionLog],
    ) -> DiscrepancyOut:
        id_ = parse_record_id(record_id)
        await service.resolve(actions, id_, data.note, data.reason)
        return await service.get_discrepancy(id_)

    @post(
        "/{record_id:str}/refund",
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
        record_id: FromPath[str],
        data: JSONBody[RefundIn],
        service: NamedDependency[PaymentDeskService],
        actions: NamedDependency[ActionLog],
    ) -> DiscrepancyOut:
        """Stored at once; a worker asks the provider, and resolves the discrepancy."""
        id_ = parse_record_id(record_id)
        await service.refund(actions, id_, data.amount_grosze, data.reason)
        return await service.get_discrepancy(id_)


class StatementController(Controller):
    """Files of the bank."""

    path = "/statements"
    tags = ("Payments",)
    dependencies = service_dependency(PaymentDeskService)
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
        self, data: JSONBody[StatementFileIn], service: NamedDependency[PaymentDeskService]
    ) -> PreviewOut:
        """Nothing of the file is stored."""
        return await service.preview(data)

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
        service: NamedDependency[PaymentDeskService],
        actions: NamedDependency[ActionLog],
    ) -> BookingOut:
        """Booking a line again changes nothing."""
        return await service.book(actions, data)
