"""What is told of a renewal's steps. Pure; each announcement has a name that it is told once by."""

from collections.abc import Mapping
from datetime import datetime

from prawko.billing.ends import end_name
from prawko.billing.models import RenewalStep, Subscription
from prawko.billing.renewal_orders import renewal_price
from prawko.billing.renewals import Step, next_charge_at
from prawko.notifications.announcing import Announcement
from prawko.notifications.kinds import CompanyFacts, NoticeKind, PaymentFacts
from prawko.payments.charging import UNWANTED
from prawko.payments.purchase import PaymentView
from prawko.payments.settling import State

# Only a try that came to nothing makes room for another one: nobody is charged twice.
CAME_TO_NOTHING = frozenset({State.FAILED, State.EXPIRED})


def news_of_charge(
    subscription: Subscription,
    charge: RenewalStep,
    payment: PaymentView | None,
    done: Mapping[Step, datetime],
) -> Announcement | None:
    """What the last charge came to, so far: refused, or waiting for the payer's consent.

    `payment` is None where there was no mandate to charge any more.
    """
    if payment is not None and payment.reason == UNWANTED:
        return None  # nobody was charged: whoever cancelled, and resumed, knows why
    failed = payment is None or payment.state in CAME_TO_NOTHING
    url = "" if payment is None or payment.state is not State.OPEN else payment.url or ""
    if not failed and not url:
        return None
    end = subscription.end_date
    price = renewal_price(subscription).gross
    return Announcement(
        kind=NoticeKind.PAYMENT_FAILED if failed else NoticeKind.PAYMENT_CONSENT,
        dedup=f"{end_name(subscription.id, end)} {charge.step}",
        facts=PaymentFacts(
            gross=price if payment is None else payment.money.grosze,
            tried_at=charge.taken_at,
            ends_at=end,
            next_try_at=next_charge_at(end, done) if failed else None,
            company=subscription.company_name,
            url=url,
        ),
    )


def news_of_the_last_end(subscription: Subscription) -> Announcement:
    """That the grace is over, too: nobody checks any more."""
    return Announcement(
        kind=NoticeKind.CHECKING_STOPPED,
        dedup=end_name(subscription.id, subscription.end_date),
        facts=CompanyFacts(since=subscription.checked_until),
    )
