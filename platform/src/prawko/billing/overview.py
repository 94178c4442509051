"""A company's subscription as it stands at an instant, whatever the jobs have written so far."""

from datetime import datetime

import msgspec

from prawko.accounts.schemas import CompanyDetails, SubscriptionSummary
from prawko.base.clock import Clock
from prawko.billing.ends import renews_itself
from prawko.billing.models import Subscription
from prawko.billing.order_schemas import OrderOut
from prawko.billing.periods import days_left, trial_end
from prawko.billing.price import period_price
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.schemas import SubscriptionOut, TrialOut
from prawko.billing.standing import limit_at
from prawko.billing.status import Status, effective_status
from prawko_tenants.company import Tenant
from prawko_tenants.sessions import TenantSession

NO_DETAILS = CompanyDetails(company_name="", tax_id="", street="", postal_code="", city="")


class Summaries:
    """Answers what accounts ask of billing for the user's own view."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def summary(self, session: TenantSession) -> SubscriptionSummary | None:
        """The current subscription; None where there never was one."""
        subscription = await SubscriptionRepository(session).current()
        if subscription is None:
            return None
        return SubscriptionSummary(
            status=status_at(subscription, self._clock.now()),
            driver_limit=limit_at(subscription, self._clock.now()),
            end_date=subscription.end_date,
            company_details=_details(subscription),
        )


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """What is told beside the subscription itself, read by whoever asks."""

    drivers: int
    mandate_label: str | None
    open_order: OrderOut | None


def overview(
    company: Tenant, subscription: Subscription | None, now: datetime, beside: Beside
) -> SubscriptionOut:
    """The answer of `GET /api/subscription` (reading R26)."""
    trial = _trial(company, subscription, now)
    if subscription is None:
        return SubscriptionOut(
            status=Status.INACTIVE,
            driver_limit=0,
            end_date=None,
            days_left=0,
            company_details=NO_DETAILS,
            user=_details(company),
            cancelled=False,
            is_trial=False,
            trial=trial,
            price_net=0,
            drivers=beside.drivers,
            next_limit=None,
            next_limit_at=None,
            renews=False,
            mandate_label=None,
            grace_until=None,
            open_order=beside.open_order,
        )
    follows = subscription.next_limit_at
    planned = follows is not None and now < follows
    return SubscriptionOut(
        status=status_at(subscription, now),
        driver_limit=limit_at(subscription, now),
        end_date=subscription.end_date,
        days_left=days_left(subscription.end_date, now),
        company_details=_details(subscription),
        user=_details(company),
        cancelled=subscription.cancelled_at is not None,
        is_trial=subscription.is_trial,
        trial=trial,
        price_net=period_price(subscription.next_limit or subscription.driver_limit).net,
        drivers=beside.drivers,
        next_limit=subscription.next_limit if planned else None,
        next_limit_at=follows if planned else None,
        renews=renews_itself(subscription),
        mandate_label=beside.mandate_label,
        grace_until=_grace_until(subscription, now),
        open_order=beside.open_order,
    )


def status_at(subscription: Subscription, now: datetime) -> Status:
    """The status the subscription has at `now`."""
    return effective_status(
        subscription.status, subscription.end_date, subscription.cancelled_at, now
    )


def is_checked(subscription: Subscription, now: datetime) -> bool:
    """Whether the company's drivers are checked: until the end, or that of the grace.

    Whatever an operator or the customer has closed is not checked.
    """
    open_or_ended = subscription.status in {Status.ACTIVE, Status.EXPIRED}
    return open_or_ended and now < subscription.checked_until


def _grace_until(subscription: Subscription, now: datetime) -> datetime | None:
    """Until when drivers are checked behind a closed panel; None outside of that time."""
    if status_at(subscription, now) is not Status.EXPIRED or not renews_itself(subscription):
        return None
    until = subscription.checked_until
    return until if now < until else None


def _trial(company: Tenant, subscription: Subscription | None, now: datetime) -> TrialOut | None:
    """The company's trial. It runs while it is the current subscription and active."""
    start = company.trial_started_at
    if start is None:
        return None
    end = trial_end(start)
    runs = False
    if subscription is not None and subscription.is_trial:
        end = subscription.end_date
        runs = status_at(subscription, now) is Status.ACTIVE
    return TrialOut(
        start_date=start, end_date=end, days_left=days_left(end, now) if runs else 0, ended=not runs
    )


def _details(row: Tenant | Subscription) -> CompanyDetails:
    return msgspec.convert(row, CompanyDetails, from_attributes=True)
