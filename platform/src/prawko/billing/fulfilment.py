"""Gives companies what they have paid for: billing's answer to payments.

All of it happens in the transaction that writes the payment, under the company's lock: two
events at once, or a hundred, activate once.
"""

from functools import partial
from uuid import UUID

from prawko.base import logs
from prawko.base.jobs import Tools
from prawko.billing.fulfilment_rules import Deed, ruling
from prawko.billing.giving import Giving
from prawko.billing.models import Subscription, SubscriptionOrder
from prawko.billing.order_repository import OrderRepository, lines_of
from prawko.billing.orders import OrderKind, OrderState
from prawko.billing.price import Price
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.standing import position_of, standing_of
from prawko.billing.upgrades import Upgrade
from prawko.invoices.jobs import finish_invoice
from prawko.invoices.sale import LineKind
from prawko.invoices.service import issue_invoice
from prawko.payments.buyers import FailedPayment, PaidPayment, RefundedPayment, Verdict
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import BatchSession, TenantSession

log = logs.logger(__name__)

AnySession = TenantSession | BatchSession


class Fulfilment:
    """The `Buyers` of this product."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    async def still_wanted(self, session: TenantSession, order_id: UUID) -> bool:
        """Whether an order would bring what was ordered, if a mandate were charged for it now.

        Not where another order has taken its place, paid or not; nor a renewal of another end
        than the present one, or of what the customer has cancelled. Whoever changes that holds
        the company as well, so what is answered here is true until the transaction ends.
        """
        _, current = await SubscriptionRepository(session).hold_current()
        order = await OrderRepository(session).get(order_id)
        if order is None or order.state != OrderState.OPEN or order.superseded_by is not None:
            return False
        renews = order.kind == OrderKind.RENEWAL
        if renews and (current is None or current.end_date != order.end_date):
            return False
        return isinstance(self._ruling(order, current, bought_instead=False), Deed)

    async def paid(self, session: AnySession, paid: PaidPayment) -> Verdict:
        """Give what was ordered, once, and issue its invoice.

        What cannot be given any more is void: its money is the operators' to give back, and
        stands on no invoice. Of an order of two lines one may be void alone.
        """
        _, current = await SubscriptionRepository(session).hold_current()
        orders = OrderRepository(session)
        order = await orders.get(paid.order_id)
        if order is None:
            return Verdict.VOID
        if order.state in {OrderState.PAID, OrderState.VOID}:
            again = order.payment_id != paid.payment_id
            return Verdict.PAID_TWICE if again else Verdict.REPEATED
        now = self._tools.clock.now()
        holds = self._upgrade_holds(order, current)
        bought_instead = await orders.bought_instead(order)
        rule = self._ruling(order, current, bought_instead=bought_instead)
        order.paid_at, order.payment_id = now, paid.payment_id
        if isinstance(rule, Verdict):
            order.state = OrderState.VOID
            log.info("order_void", order_id=order.id, verdict=rule.value)
            return rule
        order.state = OrderState.PAID
        if order.kind != OrderKind.UPGRADE:
            await orders.replace_unpaid(order)
        sold = [line for line in lines_of(order) if holds or line.kind is not LineKind.UPGRADE]
        giving = Giving(session, now)
        sale = await giving.give(rule, order, current, paid, tuple(sold), raises=holds)
        invoice_id = await issue_invoice(session, sale, self._tools.settings, now)
        self._ring_for(session, paid.tenant_id, invoice_id)
        log.info("order_fulfilled", order_id=order.id, kind=order.kind)
        return Verdict.FULFILLED if len(sold) == len(order.lines) else Verdict.VOID

    async def failed(self, session: AnySession, payment: FailedPayment) -> None:
        """Note that the order came to nothing, so far: money that comes late still counts."""
        await SubscriptionRepository(session).lock_company()
        order = await OrderRepository(session).get(payment.order_id)
        if order is not None and order.state == OrderState.OPEN:
            order.state = OrderState.EXPIRED if payment.expired else OrderState.FAILED

    async def refunded(self, session: AnySession, payment: RefundedPayment) -> None:  # noqa: ARG002
        """Take nothing away: whether what was given back ends something, an operator decides."""
        log.info("order_refunded", order_id=payment.order_id)

    def _ruling(
        self, order: SubscriptionOrder, current: Subscription | None, *, bought_instead: bool
    ) -> Deed | Verdict:
        return ruling(
            OrderKind(order.kind),
            position_of(current, self._tools.clock.now()),
            bought_instead=bought_instead,
            cancelled=current is not None and current.cancelled_at is not None,
            upgrade_holds=self._upgrade_holds(order, current),
        )

    def _ring_for(self, session: AnySession, tenant_id: TenantId, invoice_id: UUID) -> None:
        """Let the invoice be drawn as soon as it stands: its company looks for it now."""
        ring = self._tools.queue.put
        session.when_kept(partial(ring, finish_invoice, tenant_id=tenant_id, invoice_id=invoice_id))

    def _upgrade_holds(self, order: SubscriptionOrder, current: Subscription | None) -> bool:
        """Whether the higher limit may take effect on what the subscription says by now."""
        now = self._tools.clock.now()
        running = standing_of(current, now)
        if running is None or order.from_limit is None or order.end_date is None:
            return False
        ordered = Upgrade(
            from_limit=order.from_limit,
            to_limit=order.driver_limit,
            end_date=order.end_date,
            price=Price(net=order.net, vat=order.vat),
        )
        return ordered.holds(running.limit, running.end, now)
