"""What operators do about payments that no provider can be asked for."""

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from prawko.accounts.activity import Act, Origin, note
from prawko.accounts.guards import operator
from prawko.accounts.identity import Identity
from prawko.base.after_commit import AfterCommit
from prawko.base.clock import Clock
from prawko.base.errors import AuthForbiddenError, AuthRequiredError
from prawko.base.jobs import Tools
from prawko.base.refusals import refusals
from prawko.base.texts import Language, say
from prawko.payments.booking import Booked, book, read_line
from prawko.payments.errors import InvalidTransferError, NoTransfersError
from prawko.payments.jobs import work_on_payments
from prawko.payments.operator_schemas import BookedOut, StatementLineIn
from prawko_tenants.sessions import SystemSession


class TransferController(Controller):
    """The operators' door for money that came over the bank."""

    path = "/api/admin/transfers"
    tags = ("Operators",)

    @post(
        operation_id="bookTransfer",
        summary="Book a line of the bank statement",
        status_code=200,
        guards=[operator],
        opt={"malformed": InvalidTransferError},
        responses=refusals(
            AuthRequiredError, AuthForbiddenError, InvalidTransferError, NoTransfersError
        ),
    )
    async def book(
        self,
        data: JSONBody[StatementLineIn],
        identity: NamedDependency[Identity],
        system_session: NamedDependency[SystemSession],
        tools: NamedDependency[Tools],
        clock: NamedDependency[Clock],
        origin: NamedDependency[Origin],
        later: NamedDependency[AfterCommit],
        spoken: NamedDependency[Language],
    ) -> BookedOut:
        """Keep the line; the worker finds its order by the title and compares the sum."""
        line = read_line(data)
        booked = await book(tools, system_session, line)
        if booked is not Booked.REPEATED:
            await note(
                system_session, Act.TRANSFER_BOOKED, identity, origin, clock.now(),
                grosze=line.money.grosze, currency=line.money.currency, reference=line.reference,
            )  # fmt: skip
            later.put(work_on_payments)
        return BookedOut(ok=True, message=say(f"transfers.{booked.value}", spoken))
