"""What a subscription is to somebody who orders, at an instant. Pure."""

from datetime import datetime
from enum import StrEnum

from prawko.billing.ends import checked_until
from prawko.billing.models import Subscription
from prawko.billing.ordering import Standing
from prawko.billing.price import period_price, zloty
from prawko.billing.status import Status, effective_status


class Position(StrEnum):
    """Where a company stands that orders."""

    NEW = "new"  # nothing, a trial, or what the customer had cancelled and is over
    RUNNING = "running"  # a paid period runs
    OVER = "over"  # the last paid period has ended by itself
    SUSPENDED = "suspended"  # an operator has closed it: nobody else changes that


def position_of(subscription: Subscription | None, now: datetime) -> Position:
    """Where the company of this current subscription stands.

    `cancelled` is a customer's word only from the end on that the customer had cancelled for.
    """
    if subscription is None:
        return Position.NEW
    status = effective_status(
        subscription.status, subscription.end_date, subscription.cancelled_at, now
    )
    if status is Status.INACTIVE:
        return Position.SUSPENDED
    if status is Status.CANCELLED:
        over = subscription.cancelled_at is not None and subscription.end_date <= now
        return Position.NEW if over else Position.SUSPENDED
    if subscription.is_trial or status is Status.TRIAL:
        return Position.NEW
    return Position.RUNNING if status is Status.ACTIVE else Position.OVER


def standing_of(subscription: Subscription | None, now: datetime) -> Standing | None:
    """The paid period that runs, with the limit that holds at `now`; None where none runs."""
    if subscription is None or position_of(subscription, now) is not Position.RUNNING:
        return None
    limit, follows = limit_at(subscription, now), subscription.next_limit_at
    if follows is None or follows <= now:
        return Standing(limit=limit, end=subscription.end_date)
    return Standing(
        limit=limit,
        end=subscription.end_date,
        next_limit=subscription.next_limit,
        next_at=follows,
    )


def limit_at(subscription: Subscription, now: datetime) -> int:
    """The driver limit that the subscription has at `now`, whether a job has written it or not."""
    follows = subscription.next_limit_at
    if subscription.next_limit is None or follows is None or now < follows:
        return subscription.driver_limit
    return subscription.next_limit


def end_ahead(subscription: Subscription | None, now: datetime) -> datetime | None:
    """The end from which a further period counts, a trial's as well; None: from now."""
    if subscription is None:
        return None
    status = effective_status(
        subscription.status, subscription.end_date, subscription.cancelled_at, now
    )
    return subscription.end_date if status is Status.ACTIVE else None


def write_standing(subscription: Subscription, standing: Standing) -> None:
    """Write a standing down, and what follows from it."""
    subscription.driver_limit = standing.limit
    subscription.price_net = zloty(period_price(standing.limit).net)
    subscription.end_date = standing.end
    subscription.next_limit = standing.next_limit
    subscription.next_limit_at = standing.next_at
    subscription.checked_until = checked_until(subscription)
