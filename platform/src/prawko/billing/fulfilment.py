"""What a paid order does: the rules (docs/rules.md R23), the subscription and its history.

The result is the sale to invoice.
"""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec

from prawko.billing.billing_details import BillingDetails
from prawko.billing.models import OrderKind, Subscription, SubscriptionOrder, SubscriptionStatus
from prawko.billing.periods import (
    ActivePeriod,
    extend_end,
    extend_period,
    renew_period,
    with_higher_limit,
)
from prawko.billing.price import OrderLine
from prawko.billing.state import Lifecycle, active_period, apply_period, current_end
from prawko.billing.transitions import (
    HistoryEvent,
    TransitionTrigger,
    create_subscription,
    expiry_event,
    transition,
)
from prawko.invoices.sale import Buyer, LineKind, Sale, SaleLine
from prawko.payments.models import Payment
from prawko.payments.order_handler import FulfilmentResult
from prawko.payments.repository import PaymentRepository
from prawko_tenants.sessions import TenantSession


class FulfilmentAction(StrEnum):
    """The changes that fulfilment makes to a subscription."""

    CREATE = "create"  # a new subscription
    EXTEND = "extend"  # a later end
    REACTIVATE = "reactivate"  # the lapsed one is active again, from now
    UPGRADE = "upgrade"  # a higher limit


_RULES: dict[tuple[OrderKind, Lifecycle], FulfilmentAction | FulfilmentResult] = {
    (OrderKind.PERIOD, Lifecycle.NEW): FulfilmentAction.CREATE,
    (OrderKind.PERIOD, Lifecycle.ACTIVE): FulfilmentAction.EXTEND,
    (OrderKind.PERIOD, Lifecycle.LAPSED): FulfilmentAction.REACTIVATE,
    (OrderKind.RENEWAL, Lifecycle.NEW): FulfilmentResult.VOID,
    (OrderKind.RENEWAL, Lifecycle.ACTIVE): FulfilmentAction.EXTEND,
    (OrderKind.RENEWAL, Lifecycle.LAPSED): FulfilmentAction.REACTIVATE,
    (OrderKind.UPGRADE, Lifecycle.NEW): FulfilmentResult.VOID,
    (OrderKind.UPGRADE, Lifecycle.ACTIVE): FulfilmentAction.UPGRADE,
    (OrderKind.UPGRADE, Lifecycle.LAPSED): FulfilmentResult.VOID,
    **{(kind, Lifecycle.SUSPENDED): FulfilmentResult.SUSPENDED for kind in OrderKind},
}


def decide_fulfilment(
    kind: OrderKind,
    lifecycle: Lifecycle,
    *,
    replaced_by_paid: bool,
    cancelled: bool,
    upgrade_fits: bool,
) -> FulfilmentAction | FulfilmentResult:
    """Return the action of a paid order, or why there is none; operators refund such money (R23).

    `replaced_by_paid`: another order superseded this one and was paid. A cancelled subscription
    is not renewed, even if the charge was in flight. An upgrade is void once the period that it
    was priced for has changed (T3).
    """
    rule = _RULES[kind, lifecycle]
    if rule is FulfilmentResult.SUSPENDED:
        return rule
    if replaced_by_paid and kind is not OrderKind.UPGRADE:
        return FulfilmentResult.PAID_TWICE
    if kind is OrderKind.RENEWAL and cancelled:
        return FulfilmentResult.VOID
    if rule is FulfilmentAction.UPGRADE and not upgrade_fits:
        return FulfilmentResult.VOID
    return rule


def fits_active_period(
    order: SubscriptionOrder, period: ActivePeriod | None, now: datetime
) -> bool:
    """Whether an upgrade in the order still fits the active period when it is paid (T3).

    Not once the period has changed or ended, or has another limit than it was priced from.
    """
    if period is None:
        return False
    return now < period.end == order.end_date and period.limit == order.from_limit


class OrderFulfilment:
    """Fulfils a paid order, on one company's subscription, whose rows the caller has locked."""

    def __init__(self, session: TenantSession, order: SubscriptionOrder, now: datetime) -> None:
        self._session, self._order = session, order
        self._payments = PaymentRepository(session)
        self._now = now

    async def fulfil(
        self,
        action: FulfilmentAction,
        current: Subscription | None,
        payment: Payment,
        mandate_id: UUID | None,
        lines: tuple[OrderLine, ...],
        *,
        upgrade_fits: bool,
    ) -> Sale:
        """Make the change, with the lines that are still fulfilled; return the sale to invoice.

        `upgrade_fits`: its higher limit takes effect at once, for the rest of the period.
        """
        period_from = current_end(current, self._now) or self._now
        if action is FulfilmentAction.CREATE or current is None:
            self._expire(current)
            current = await self._create(current)
        else:
            self._extend(action, current, upgrade_fits=upgrade_fits)
        current.provider = payment.provider
        current.mandate_id = mandate_id or current.mandate_id
        current.set_monitored_until(self._now)
        # The mandate that this payment replaced is not kept.
        await self._payments.end_other_mandates(self._now, except_id=current.mandate_id)
        paid_at = payment.finished_at or self._now
        return _build_sale(self._order, payment, paid_at, lines, period_from, current.end_date)

    async def _create(self, previous: Subscription | None) -> Subscription:
        """Create a subscription; its period starts at the end of an active trial."""
        end = extend_end(current_end(previous, self._now), self._now)
        created = Subscription(
            status=SubscriptionStatus.ACTIVE,
            driver_limit=self._order.driver_limit,
            is_trial=False,
            start_date=self._now,
            end_date=end,
            monitored_until=end,
            created_at=self._now,
            updated_at=self._now,
            **BillingDetails.of(self._order).to_dict(),
        )
        await create_subscription(
            self._session,
            created,
            TransitionTrigger.PAYMENT,
            HistoryEvent.PAID,
            order_id=self._order.id,
        )
        return created

    def _extend(
        self,
        action: FulfilmentAction,
        current: Subscription,
        *,
        upgrade_fits: bool,
    ) -> None:
        """Extend, upgrade or reactivate the subscription, with a history row for each change."""
        order, active = self._order, active_period(current, self._now)
        limit = order.driver_limit
        if action is FulfilmentAction.REACTIVATE or active is None:
            self._expire(current)
            period = ActivePeriod(limit=limit, end=extend_end(None, self._now))
            self._add_history(current, HistoryEvent.PAID_AFTER_END, period)
        else:
            period = active
            if upgrade_fits:
                period = with_higher_limit(period, limit)
                self._add_history(current, HistoryEvent.LIMIT_RAISED, period, limit=limit)
            if action is FulfilmentAction.EXTEND:
                extend = renew_period if order.kind == OrderKind.RENEWAL else extend_period
                period = extend(period, limit, self._now)
                self._add_history(current, HistoryEvent.PROLONGED, period)
        if action is not FulfilmentAction.UPGRADE:
            if current.cancelled_at is not None:  # a cancelled mandate is not charged again
                current.cancelled_at = current.mandate_id = None
            BillingDetails.of(order).write_to(current)
        apply_period(current, period, self._now)

    def _expire(self, current: Subscription | None) -> None:
        """Save an end that the job has not saved yet; the job saves a trial's end."""
        if current is None or current.is_trial:
            return
        status = current.status_at(self._now)
        if status == current.status:
            return
        event = expiry_event(current)
        transition(self._session, current, TransitionTrigger.TIME, status, event, self._now)

    def _add_history(
        self, current: Subscription, event: HistoryEvent, period: ActivePeriod, **params: object
    ) -> None:
        transition(
            self._session,
            current,
            TransitionTrigger.PAYMENT,
            SubscriptionStatus.ACTIVE,
            event,
            self._now,
            end=period.end,
            order_id=self._order.id,
            **params,
        )


def _build_sale(
    order: SubscriptionOrder,
    payment: Payment,
    paid_at: datetime,
    lines: tuple[OrderLine, ...],
    period_from: datetime,
    period_to: datetime,
) -> Sale:
    has_period = any(line.kind is LineKind.PERIOD for line in lines)
    return Sale(
        order_id=order.id,
        buyer=msgspec.convert(order, Buyer, from_attributes=True),
        lines=tuple(
            SaleLine(driver_limit=order.driver_limit, **msgspec.structs.asdict(line))
            for line in lines
        ),
        paid_at=paid_at,
        method=payment.method,
        period_from=period_from if has_period else None,
        period_to=period_to if has_period else None,
    )
