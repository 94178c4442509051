"""The operators' API for bank transfers."""

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from prawko.accounts.acts.action_log import ActionLog, ReasonRequiredError
from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.guards import OPERATOR_ERRORS
from prawko.console.schemas import Reason
from prawko.kit.context import AppContext
from prawko.kit.http.error_responses import error_responses
from prawko.kit.text.i18n import Language, translate
from prawko.payments.bank_statement import RecordResult, parse_line, record_transfer
from prawko.payments.errors import InvalidTransferError, ManualPaymentsUnavailableError
from prawko.payments.jobs import process_payment_events
from prawko.payments.schemas import RecordedTransferOut, StatementLineIn

_DIGEST_LENGTH = 32


class TransferBookingIn(StatementLineIn):
    """A line, and why it is booked; required by the setting REQUIRE_REASONS."""

    reason: Reason | None = None


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
            *OPERATOR_ERRORS,
            InvalidTransferError,
            ManualPaymentsUnavailableError,
            ReasonRequiredError,
        ),
    )
    async def record_transfer(
        self,
        data: JSONBody[TransferBookingIn],
        context: NamedDependency[AppContext],
        actions: NamedDependency[ActionLog],
        language: NamedDependency[Language],
    ) -> RecordedTransferOut:
        """Store the line; the worker finds its payment by the title and compares the amount."""
        line = parse_line(data)
        # The reference is free text, and the log is kept: it holds only what finds it again.
        digest = context.key_ring.digest("transfer_reference", line.reference).hex()
        async with actions.open_system() as session:
            result = await record_transfer(context, session, line)
            await actions.record(
                AdminActionType.TRANSFER_BOOKED,
                reason=data.reason,
                result=result.value,
                grosze=line.money.grosze,
                currency=line.money.currency,
                reference_digest=digest[:_DIGEST_LENGTH],
            )
            if result is not RecordResult.DUPLICATE:
                context.enqueue_on_commit(session, process_payment_events)
        return RecordedTransferOut(
            ok=True, message=translate(f"transfers.{result.value}", language)
        )
