"""What the subscription page shows: the subscription, its orders, and quotes."""

from uuid import UUID

from prawko.base.errors import NotFoundError
from prawko.base.jobs import Tools
from prawko.billing.head_count import HeadCount
from prawko.billing.models import SubscriptionOrder
from prawko.billing.order_repository import OrderRepository
from prawko.billing.order_schemas import (
    ChangeKind,
    LimitChangeOut,
    LineOut,
    OrderOut,
    QuoteOut,
    TransferOut,
)
from prawko.billing.ordering import Line, total
from prawko.billing.orders import OrderKind, OrderState
from prawko.billing.overview import Beside, overview
from prawko.billing.price import Price
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.schemas import SubscriptionOut
from prawko.billing.situation import Situation, situation
from prawko.payments.purchase import PaymentView
from prawko.payments.service import Payments
from prawko_tenants.sessions import TenantSession


class SubscriptionPage:
    """Reads for one company, in the session's transaction."""

    def __init__(
        self, session: TenantSession, tools: Tools, payments: Payments, head_count: HeadCount
    ) -> None:
        self._session = session
        self._clock = tools.clock
        self._payments = payments
        self._head_count = head_count
        self._orders = OrderRepository(session)

    async def subscription(self) -> SubscriptionOut:
        """The current subscription as it stands now (reading R26)."""
        now = self._clock.now()
        company, current = await SubscriptionRepository(self._session).company_and_current()
        mandate = None
        if current is not None and current.mandate_id is not None:
            mandate = await self._payments.mandate(self._session, current.mandate_id)
        beside = Beside(
            drivers=await self._head_count.drivers(self._session),
            mandate_label=None if mandate is None else mandate.label,
            open_order=await self._open_order(),
        )
        return overview(company, current, now, beside)

    async def order(self, order_id: UUID) -> OrderOut:
        """One order. Raises NotFoundError."""
        order = await self._orders.get(order_id)
        if order is None:
            raise NotFoundError
        return order_out(order, await self._payments.of_order(self._session, order.id))

    async def quote(self, limit: int) -> QuoteOut:
        """What a limit would cost now.

        Raises SubscriptionSuspendedError, InvalidDriverLimitError.
        """
        found = await situation(self._session, self._head_count, self._clock.now())
        quote = found.period(limit)
        price = quote.price
        return QuoteOut(
            driver_limit=limit,
            lines=[_line_out(line) for line in quote.lines],
            net=price.net,
            vat=price.vat,
            gross=price.gross,
            new_end_date=quote.end,
            limit_from=quote.limit_from,
            change=_change_out(found, limit),
        )

    async def _open_order(self) -> OrderOut | None:
        order = await self._orders.open_one()
        if order is None:
            return None
        payment = await self._payments.of_order(self._session, order.id)
        shown = order_out(order, payment)
        # A renewal is our own doing, unless its payer must consent.
        return None if order.kind == OrderKind.RENEWAL and shown.url is None else shown


def order_out(order: SubscriptionOrder, payment: PaymentView | None) -> OrderOut:
    """An order as its company sees it. Where it is paid is told while it can be."""
    price = Price(net=order.net, vat=order.vat)
    is_open = order.state == OrderState.OPEN
    transfer = payment.transfer if payment is not None and is_open else None
    return OrderOut(
        id=order.id,
        kind=OrderKind(order.kind),
        state=OrderState(order.state),
        method=order.method,
        driver_limit=order.driver_limit,
        net=price.net,
        vat=price.vat,
        gross=price.gross,
        created_at=order.created_at,
        url=payment.url if payment is not None and is_open else None,
        transfer=None
        if transfer is None
        else TransferOut(
            title=transfer.title,
            iban=transfer.iban,
            owner=transfer.owner,
            address=transfer.address,
        ),
        reason=None if payment is None else payment.reason,
    )


def _line_out(line: Line) -> LineOut:
    price = Price(net=line.net, vat=line.vat)
    return LineOut(kind=line.kind, days=line.days, net=price.net, vat=price.vat, gross=price.gross)


def _change_out(found: Situation, limit: int) -> LimitChangeOut | None:
    running = found.running
    if running is None or limit == running.limit:
        return None
    lines = found.upgrade(limit)
    price = total(lines)
    higher = limit > running.limit
    return LimitChangeOut(
        kind=ChangeKind.UPGRADE if higher else ChangeKind.DOWNGRADE,
        net=price.net,
        vat=price.vat,
        gross=price.gross,
        starts=found.now if higher else running.end,
    )
