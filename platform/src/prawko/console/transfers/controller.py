"""The operators' API for bank transfers."""

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from prawko.accounts.guards import OPERATOR_ERRORS
from prawko.base.context import AppContext
from prawko.base.error_responses import error_responses
from prawko.base.i18n import Language, translate
from prawko.console.action_log import ActionLog
from prawko.console.models import AdminActionType
from prawko.payments.bank_statement import RecordResult, parse_line, record_transfer
from prawko.payments.errors import InvalidTransferError, ManualPaymentsUnavailableError
from prawko.payments.jobs import process_payment_events
from prawko.payments.schemas import RecordedTransferOut, StatementLineIn


class BankStatementController(Controller):
    """Records transfers that no provider reports."""

    path = "/transfers"
    tags = ("Payments",)

    @post(
        operation_id="bookTransfer",
        summary="Book a line of the bank statement",
        status_code=200,
        opt={"malformed": InvalidTransferError},
        responses=error_responses(
            *OPERATOR_ERRORS, InvalidTransferError, ManualPaymentsUnavailableError
        ),
    )
    async def record_transfer(
        self,
        data: JSONBody[StatementLineIn],
        context: NamedDependency[AppContext],
        actions: NamedDependency[ActionLog],
        language: NamedDependency[Language],
    ) -> RecordedTransferOut:
        """Store the line; the worker finds its payment by the title and compares the amount."""
        line = parse_line(data)
        async with actions.open_system() as session:
            result = await record_transfer(context, session, line)
            await actions.record(
                AdminActionType.TRANSFER_BOOKED, requires_reason=False, result=result.value,
                grosze=line.money.grosze, currency=line.money.currency, reference=line.reference,
            )  # fmt: skip
            if result is not RecordResult.DUPLICATE:
                context.enqueue_on_commit(session, process_payment_events)
        return RecordedTransferOut(
            ok=True, message=translate(f"transfers.{result.value}", language)
        )
