"""The action of a paid order, by its kind and the subscription's state (docs/rules.md R23)."""

from datetime import datetime
from enum import StrEnum

from prawko.billing.models import OrderKind, SubscriptionOrder
from prawko.billing.pricing.periods import ActivePeriod
from prawko.billing.subscription.state import Lifecycle
from prawko.payments.order_handler import FulfilmentResult


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
    upgrade_applies: bool,
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
    if rule is FulfilmentAction.UPGRADE and not upgrade_applies:
        return FulfilmentResult.VOID
    return rule


def upgrade_applies(order: SubscriptionOrder, period: ActivePeriod | None, now: datetime) -> bool:
    """Whether an upgrade in the order still fits the active period when it is paid (T3).

    Not once the period has changed or ended, or has another limit than it was priced from.
    """
    if period is None:
        return False
    return now < period.end == order.end_date and period.limit == order.from_limit
