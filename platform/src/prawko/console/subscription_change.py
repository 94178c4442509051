"""Changes of a company's subscription by operators (docs/rules.md P12, P27)."""

from datetime import UTC, date, datetime, time, timedelta

import msgspec

from prawko.billing.models import Subscription, SubscriptionStatus
from prawko.billing.periods import ActivePeriod
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.state import Lifecycle, apply_period, effective_limit, lifecycle_of
from prawko.billing.transitions import (
    HistoryEvent,
    TransitionTrigger,
    create_subscription,
    transition,
)
from prawko.kit.clock import WARSAW, warsaw_date
from prawko.kit.errors import AppError
from prawko_tenants.sessions import TenantSession

LAST_SECOND = time(23, 59, 59)


class SubscriptionOverError(AppError):
    """A subscription that is over opens by `active` and an end in the future, both."""

    status = 422
    key = "subscription_over"


class OperatorChange(msgspec.Struct, frozen=True, kw_only=True):
    """The values that an operator sets; None leaves one as it is.

    `more_days` moves the end by some days, counted from today if it is over.
    """

    driver_limit: int | None = None
    end_day: date | None = None
    more_days: int | None = None
    status: SubscriptionStatus | None = None


async def change_subscription(
    session: TenantSession, change: OperatorChange, now: datetime
) -> Subscription | None:
    """Change the company's current subscription, or create one, with a history row.

    Returns it; None when a new one would lack a limit, an end or a status. A change of nothing
    writes nothing. Raises SubscriptionOverError, and InvalidTransitionError for a status that
    operators do not set.
    """
    _, current = await SubscriptionRepository(session).lock_current()
    if current is None:
        return await _create(session, change, now)
    limit, end, status = effective_limit(current, now), current.end_date, current.status_at(now)
    new_limit = limit if change.driver_limit is None else change.driver_limit
    new_end = _new_end(change, end, now)
    if (new_limit, new_end, change.status or status) == (limit, end, status):
        return current
    new_status = status_by_operator(current, change.status, new_end, now)
    event, trigger = HistoryEvent.SET_BY_OPERATOR, TransitionTrigger.OPERATOR
    transition(session, current, trigger, new_status, event, now, end=new_end)
    is_reopened = change.status == SubscriptionStatus.ACTIVE != status
    if is_reopened and (current.cancelled_at is not None or current.monitored_until <= now):
        # Neither after a cancellation, which is over, nor after a grace period is there a charge.
        current.cancelled_at = current.mandate_id = None
    elif new_end != end and new_end <= now:
        current.mandate_id = None  # ended: no grace period and no charge follow
    if new_limit != limit:
        apply_period(current, ActivePeriod(limit=new_limit, end=new_end), now)
    else:
        current.set_monitored_until(now)
    return current


def status_by_operator(
    subscription: Subscription, status: SubscriptionStatus | None, end: datetime, now: datetime
) -> SubscriptionStatus:
    """Return the status to store for the status, or none, and the end that an operator sets.

    Without a status, the stored one stays: the job saves the end of a subscription that is over.
    Such a subscription is reopened by `active` and an end in the future together. Raises
    SubscriptionOverError for one of them alone. A subscription that an operator closed is opened by
    `active`; an end alone leaves it closed.
    """
    if status is None:
        is_alone = now < end != subscription.end_date
    else:
        is_alone = status is SubscriptionStatus.ACTIVE and end <= now
    is_over = subscription.status_at(now) is not SubscriptionStatus.ACTIVE
    if is_alone and is_over and lifecycle_of(subscription, now) is not Lifecycle.SUSPENDED:
        raise SubscriptionOverError
    return status or SubscriptionStatus(subscription.status)


async def _create(
    session: TenantSession, change: OperatorChange, now: datetime
) -> Subscription | None:
    if change.driver_limit is None or change.end_day is None or change.status is None:
        return None
    end = _end_of_day(change.end_day)
    created = Subscription(
        status=change.status,
        driver_limit=change.driver_limit,
        is_trial=False,
        start_date=now,
        end_date=end,
        monitored_until=end,
        created_at=now,
        updated_at=now,
    )
    event, trigger = HistoryEvent.SET_BY_OPERATOR, TransitionTrigger.OPERATOR
    await create_subscription(session, created, trigger, event)
    return created


def _new_end(change: OperatorChange, end: datetime, now: datetime) -> datetime:
    """Return the end of the set day in Warsaw; the present end if it is on that day, or unset."""
    day = change.end_day
    if change.more_days is not None:
        day = max(warsaw_date(now), warsaw_date(end)) + timedelta(days=change.more_days)
    return end if day is None or day == warsaw_date(end) else _end_of_day(day)


def _end_of_day(day: date) -> datetime:
    # One second before midnight, so that every screen shows that day as the last.
    return datetime.combine(day, LAST_SECOND, WARSAW).astimezone(UTC)
