"""What payments do to orders: billing's implementation of the payments' `OrderHandler`.

Everything happens in the transaction that saves the payment, under the company's lock, so that
concurrent events of one payment activate once.
"""

from uuid import UUID

from prawko.billing.fulfilment import (
    FulfilmentAction,
    OrderFulfilment,
    decide_fulfilment,
    fits_active_period,
)
from prawko.billing.models import OrderKind, OrderState, Subscription, SubscriptionOrder
from prawko.billing.repository import OrderRepository, SubscriptionRepository, parse_order_lines
from prawko.billing.state import active_period, lifecycle_of
from prawko.billing.transitions import HistoryEvent, TransitionTrigger, transition
from prawko.hooks.payments import Money
from prawko.invoices.issuance import issue_invoice
from prawko.invoices.jobs import build_invoice
from prawko.invoices.sale import LineKind
from prawko.kit.context import AppContext
from prawko.kit.incidents.models import Detail
from prawko.kit.observability import logs
from prawko.payments.discrepancies import report_discrepancy
from prawko.payments.models import DiscrepancyKind, Payment
from prawko.payments.order_handler import FulfilmentResult
from prawko.payments.state_machine import PaymentRecordState
from prawko_tenants.sessions import TenantSession

log = logs.get_logger(__name__)


class SubscriptionOrderHandler:
    """Fulfils paid orders, and records failed, refunded and disputed payments."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    async def is_chargeable(self, session: TenantSession, order_id: UUID) -> bool:
        """Whether the order would be fulfilled if its mandate were charged now.

        Not if the order was superseded or the company is to be erased; nor a renewal of another end
        than the present one, or of a subscription that was cancelled or whose mandate was dropped.
        Locks the company, so the answer holds until the transaction ends.
        """
        company, current = await SubscriptionRepository(session).lock_current()
        order = await OrderRepository(session).get(order_id)
        if order is None or order.state != OrderState.OPEN or order.superseded_by is not None:
            return False
        if company.erasure_requested_at is not None:
            return False
        if order.kind == OrderKind.RENEWAL and (
            current is None or not current.auto_renews or current.end_date != order.end_date
        ):
            return False
        decision, _ = self._decide(order, current, replaced_by_paid=False)
        return isinstance(decision, FulfilmentAction)

    async def on_paid(
        self, session: TenantSession, payment: Payment, mandate_id: UUID | None
    ) -> FulfilmentResult:
        """Fulfil the order, once, and issue its invoice.

        An order that no longer applies is void: it is on no invoice, and operators refund it.
        Of an order with two lines the upgrade may be void alone: only its amount is reported.
        """
        _, current = await SubscriptionRepository(session).lock_current()
        orders = OrderRepository(session)
        order = await orders.get(payment.order_id)
        if order is None:
            return FulfilmentResult.VOID
        if order.state in {OrderState.PAID, OrderState.VOID}:
            if order.payment_id == payment.id:
                return FulfilmentResult.ALREADY_APPLIED
            return FulfilmentResult.PAID_TWICE
        now = self._context.clock.now()
        replaced = await orders.was_replaced_by_paid(order)
        decision, upgrade_fits = self._decide(order, current, replaced_by_paid=replaced)
        order.paid_at, order.payment_id = now, payment.id
        if isinstance(decision, FulfilmentResult):
            order.state = OrderState.VOID
            log.info("order_voided", order_id=order.id, result=decision.value)
            return decision
        order.state = OrderState.PAID
        if order.kind != OrderKind.UPGRADE:
            await orders.supersede_unpaid(order)
        lines = tuple(
            line
            for line in parse_order_lines(order)
            if upgrade_fits or line.kind is not LineKind.UPGRADE
        )
        sale = await OrderFulfilment(session, order, now).fulfil(
            decision, current, payment, mandate_id, lines, upgrade_fits=upgrade_fits
        )
        invoice_id = await issue_invoice(session, sale, self._context.settings, now)
        self._enqueue_invoice(session, invoice_id)
        log.info("order_fulfilled", order_id=order.id, kind=order.kind)
        if void := payment.grosze - sale.gross:
            await report_discrepancy(
                session, DiscrepancyKind.VOID_ORDER, Detail("upgrade_void"),
                provider=payment.provider, ref=payment.ref, money=Money(void, payment.currency),
                now=now, tenant_id=session.tenant_id,
            )  # fmt: skip
        return FulfilmentResult.FULFILLED

    async def on_failed(self, session: TenantSession, payment: Payment) -> None:
        """Mark the order failed or expired; a late payment still fulfils it."""
        await SubscriptionRepository(session).lock_company()
        order = await OrderRepository(session).get(payment.order_id)
        if order is not None and order.state == OrderState.OPEN:
            is_expired = payment.state is PaymentRecordState.EXPIRED
            order.state = OrderState.EXPIRED if is_expired else OrderState.FAILED

    async def on_refunded(self, session: TenantSession, payment: Payment) -> None:  # noqa: ARG002
        """Log the refund; whether it ends the subscription is an operator's decision."""
        log.info("order_refunded", order_id=payment.order_id)

    async def on_disputed(self, session: TenantSession, payment: Payment) -> None:
        """Stop the renewal; the paid period stays until an operator decides (R37)."""
        _, current = await SubscriptionRepository(session).lock_current()
        if current is None or current.mandate_id is None:
            return
        now = self._context.clock.now()
        transition(
            session, current, TransitionTrigger.PAYMENT, current.status,
            HistoryEvent.RENEWAL_STOPPED, now,
        )  # fmt: skip
        current.mandate_id = None
        current.set_monitored_until(now)
        log.info("renewal_stopped", order_id=payment.order_id)

    def _decide(
        self, order: SubscriptionOrder, current: Subscription | None, *, replaced_by_paid: bool
    ) -> tuple[FulfilmentAction | FulfilmentResult, bool]:
        """The decision about a paid order, and whether its upgrade fits the active period."""
        now = self._context.clock.now()
        upgrade_fits = fits_active_period(order, active_period(current, now), now)
        decision = decide_fulfilment(
            OrderKind(order.kind),
            lifecycle_of(current, now),
            replaced_by_paid=replaced_by_paid,
            cancelled=current is not None and current.cancelled_at is not None,
            upgrade_fits=upgrade_fits,
        )
        return decision, upgrade_fits

    def _enqueue_invoice(self, session: TenantSession, invoice_id: UUID) -> None:
        """Enqueue the invoice's documents on commit: the payer looks for the PDF at once."""
        self._context.enqueue_on_commit(
            session, build_invoice, tenant_id=session.tenant_id, invoice_id=invoice_id
        )
