"""What a subscription's period was bought for, as a scalar subquery of typed SQL."""

from datetime import datetime, timedelta

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Interval,
    Numeric,
    ScalarSelect,
    and_,
    bindparam,
    case,
    cast,
    exists,
    extract,
    func,
    literal,
    or_,
    select,
    tuple_,
)
from sqlalchemy.orm import aliased

from prawko.billing.models import Subscription, SubscriptionHistory, SubscriptionOrder
from prawko.invoices.models import Invoice, InvoiceLine
from prawko.invoices.sale import LineKind
from prawko_tenants.base import UtcDateTime

_NOW = bindparam("now", type_=UtcDateTime())
# The instant of a subscription's present period; the last one of a subscription that is over.
_INSTANT = func.least(_NOW, Subscription.end_date - literal(timedelta(microseconds=1), Interval()))
_STARTS = func.greatest(SubscriptionHistory.changed_at, SubscriptionHistory.old_end_date)
_keyed, _later = aliased(SubscriptionHistory), aliased(InvoiceLine)
# A row of the release before has no order: it and the invoice were written at one instant.
_is_of_order = or_(
    SubscriptionHistory.order_id == Invoice.order_id,
    and_(
        SubscriptionHistory.order_id.is_(None), SubscriptionHistory.changed_at == Invoice.issued_at,
        ~exists().where(_keyed.tenant_id == Invoice.tenant_id, _keyed.order_id == Invoice.order_id),
    ),
)  # fmt: skip
_bought = (
    select(
        Invoice.tenant_id, Invoice.id, SubscriptionHistory.changed_at, _STARTS.label("starts"),
        SubscriptionHistory.new_end_date.label("ends"),
    )
    .join(SubscriptionHistory, _is_of_order)
    .where(
        Invoice.tenant_id == Subscription.tenant_id,
        SubscriptionHistory.tenant_id == Subscription.tenant_id,
        SubscriptionHistory.subscription_id == Subscription.id,
        SubscriptionHistory.new_end_date > func.greatest(_STARTS, _INSTANT),
        _STARTS <= _INSTANT,
    )
    .order_by(_STARTS.desc())
    .limit(1)
    .correlate(Subscription)
    .lateral()
)  # fmt: skip
_is_period = InvoiceLine.kind == LineKind.PERIOD
# An upgrade covers the last days before its order's end, and the first of two lines those before
# the second's. Paid in a period that was extended before, it covers days of several periods.
_later_days = select(func.coalesce(func.sum(_later.days), 0)).where(
    _later.tenant_id == InvoiceLine.tenant_id, _later.invoice_id == InvoiceLine.invoice_id,
    _later.position > InvoiceLine.position,
).scalar_subquery()  # fmt: skip


def _covered_days(instant: ColumnElement[datetime]) -> ColumnElement[int]:
    """The days of an upgrade after an end of a period; either may be in summer time."""
    days = func.round(extract("epoch", SubscriptionOrder.end_date - instant) / 86_400)
    return func.greatest(0, func.least(InvoiceLine.days, days - _later_days))


_from_start, _from_end = _covered_days(_bought.c.starts), _covered_days(_bought.c.ends)
# Rounded half-up from the end, so that the shares of all periods add up to the line.
_net_per_day = cast(InvoiceLine.net, Numeric) / InvoiceLine.days
_share = func.round(_net_per_day * _from_start) - func.round(_net_per_day * _from_end)
# What a subscription's period at `now` was bought for, net, in grosze: its own price and its share
# of the upgrades that cover it; 0 if it was not bought, but is a trial or set by an operator (T6).
_net = func.sum(case((_is_period, InvoiceLine.net), else_=_share))
PERIOD_NET: ScalarSelect[int] = (
    select(cast(func.coalesce(_net, 0), BigInteger))
    .join(Invoice.lines)
    .join(_bought, Invoice.tenant_id == _bought.c.tenant_id)
    .join(
        SubscriptionOrder,
        tuple_(SubscriptionOrder.tenant_id, SubscriptionOrder.id)
        == tuple_(Invoice.tenant_id, Invoice.order_id),
    )
    .where(
        case(
            (_is_period, Invoice.id == _bought.c.id),
            else_=Invoice.issued_at.between(_bought.c.changed_at, _INSTANT),
        )
    )
    .correlate(Subscription)
    .scalar_subquery()
)
