"""The operators' API for bank transfers."""

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity
from prawko.accounts.guards import OPERATOR_ERRORS, requires_operator
from prawko.base.clock import Clock
from prawko.base.context import AppContext
from prawko.base.error_responses import error_responses
from prawko.base.i18n import Language, translate
from prawko.payments.bank_statement import RecordResult, parse_line, record_transfer
from prawko.payments.errors import InvalidTransferError, ManualPaymentsUnavailableError
from prawko.payments.jobs import process_payment_events
from prawko.payments.schemas import RecordedTransferOut, StatementLineIn
from prawko_tenants.sessions import SystemSession


class BankStatementController(Controller):
    """Records transfers that no provider reports."""

    path = "/api/admin/transfers"
    tags = ("Operators",)

    @post(
        operation_id="bookTransfer",
        summary="Book a line of the bank statement",
        status_code=200,
        guards=[requires_operator],
        opt={"malformed": InvalidTransferError},
        responses=error_responses(
            *OPERATOR_ERRORS,
            InvalidTransferError,
            ManualPaymentsUnavailableError,
        ),
    )
    async def record_transfer(
        self,
        data: JSONBody[StatementLineIn],
        identity: NamedDependency[Identity],
        system_session: NamedDependency[SystemSession],
        context: NamedDependency[AppContext],
        clock: NamedDependency[Clock],
        client: NamedDependency[ClientInfo],
        language: NamedDependency[Language],
    ) -> RecordedTransferOut:
        """Store the line; the worker finds its payment by the title and compares the amount."""
        line = parse_line(data)
        result = await record_transfer(context, system_session, line)
        if result is not RecordResult.DUPLICATE:
            await record_event(
                system_session, AuditEvent.TRANSFER_BOOKED, identity, client, clock.now(),
                grosze=line.money.grosze, currency=line.money.currency, reference=line.reference,
            )  # fmt: skip
            context.enqueue_on_commit(system_session, process_payment_events)
        return RecordedTransferOut(
            ok=True, message=translate(f"transfers.{result.value}", language)
        )
