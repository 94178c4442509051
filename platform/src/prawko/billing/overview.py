"""A company's subscription as it stands at an instant, whatever the jobs have written so far."""

from datetime import datetime

import msgspec

from prawko.accounts.schemas import CompanyDetails, SubscriptionSummary
from prawko.base.clock import Clock
from prawko.billing.models import Subscription
from prawko.billing.periods import days_left, trial_end
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.schemas import SubscriptionOut, TrialOut
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
            driver_limit=subscription.driver_limit,
            end_date=subscription.end_date,
            company_details=_details(subscription),
        )


def overview(company: Tenant, subscription: Subscription | None, now: datetime) -> SubscriptionOut:
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
        )
    return SubscriptionOut(
        status=status_at(subscription, now),
        driver_limit=subscription.driver_limit,
        end_date=subscription.end_date,
        days_left=days_left(subscription.end_date, now),
        company_details=_details(subscription),
        user=_details(company),
        cancelled=subscription.cancelled_at is not None,
        is_trial=subscription.is_trial,
        trial=trial,
    )


def status_at(subscription: Subscription, now: datetime) -> Status:
    """The status the subscription has at `now`."""
    return effective_status(
        subscription.status, subscription.end_date, subscription.cancelled_at, now
    )


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
