"""What our timetable orders for a company. Pure."""

from datetime import datetime

import msgspec

from prawko.base.texts import Language, say
from prawko.billing.models import Subscription, SubscriptionOrder
from prawko.billing.ordering import Line
from prawko.billing.orders import OrderKind, OrderState
from prawko.billing.price import Price, period_price
from prawko.hooks.payments import Method
from prawko.invoices.sale import LineKind
from prawko_tenants.company import Tenant


def renewal_limit(subscription: Subscription) -> int:
    """The driver limit of the next period."""
    following = subscription.next_limit
    return subscription.driver_limit if following is None else following


def renewal_price(subscription: Subscription) -> Price:
    """What the next period costs."""
    return period_price(renewal_limit(subscription))


def renewal_order(
    subscription: Subscription, company: Tenant, method: Method, now: datetime
) -> SubscriptionOrder:
    """The order of the next period, to be paid by `method`.

    The invoice names the company as its details say today; where they are not filled in, as the
    subscription was ordered.
    """
    price = renewal_price(subscription)
    line = Line(kind=LineKind.PERIOD, net=price.net, vat=price.vat)
    buyer = company if company.tax_id and company.company_name else subscription
    return SubscriptionOrder(
        kind=OrderKind.RENEWAL,
        state=OrderState.OPEN,
        driver_limit=renewal_limit(subscription),
        end_date=subscription.end_date,
        lines=[msgspec.to_builtins(line)],
        net=price.net,
        vat=price.vat,
        method=method,
        company_name=buyer.company_name,
        tax_id=buyer.tax_id,
        street=buyer.street,
        postal_code=buyer.postal_code,
        city=buyer.city,
        created_at=now,
    )


def renewal_title(order: SubscriptionOrder, brand: str, language: Language) -> str:
    """What the payer reads beside the charge."""
    return say("billing.order.period", language, brand=brand, limit=order.driver_limit)
