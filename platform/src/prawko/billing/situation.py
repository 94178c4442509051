"""The company as it stands when it asks what a limit costs, or orders it."""

from datetime import datetime

import msgspec

from prawko.base.clock import warsaw_day
from prawko.billing.errors import (
    InvalidDriverLimitError,
    NoPaidPeriodError,
    SubscriptionSuspendedError,
)
from prawko.billing.head_count import HeadCount
from prawko.billing.limits import limit_problem
from prawko.billing.models import Subscription
from prawko.billing.ordering import (
    Line,
    Quote,
    Standing,
    clashes_with_paid,
    period_order,
    upgrade_lines,
)
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.standing import Position, end_ahead, position_of, standing_of
from prawko_tenants.company import Tenant
from prawko_tenants.sessions import TenantSession


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """What was read of a company at `now`; refuses what it may not have."""

    company: Tenant
    subscription: Subscription | None
    drivers: int
    now: datetime

    @property
    def running(self) -> Standing | None:
        """The paid period that runs."""
        return standing_of(self.subscription, self.now)

    def period(self, limit: int) -> Quote:
        """A further period. Raises SubscriptionSuspendedError, InvalidDriverLimitError."""
        self._refuse(limit)
        running = self.running
        if running is not None and clashes_with_paid(running, limit):
            raise _paid_ahead(running)
        return period_order(limit, running, end_ahead(self.subscription, self.now), self.now)

    def within_period(self, limit: int) -> Standing:
        """The running period, where its limit may change into this one.

        Raises SubscriptionSuspendedError, NoPaidPeriodError, InvalidDriverLimitError.
        """
        self._refuse(limit)
        running = self.running
        if running is None:
            raise NoPaidPeriodError
        ahead = running.paid_ahead
        if ahead is not None and limit not in {running.limit, ahead} and limit < running.limit:
            raise _paid_ahead(running)
        return running

    def upgrade(self, limit: int) -> tuple[Line, ...]:
        """What a higher limit costs for the rest of the period; none where nothing is owed."""
        running = self.within_period(limit)
        return upgrade_lines(running, limit, self.now) if limit > running.limit else ()

    def _refuse(self, limit: int) -> None:
        if position_of(self.subscription, self.now) is Position.SUSPENDED:
            raise SubscriptionSuspendedError
        problem = limit_problem(limit, self.drivers)
        if problem is not None:
            raise InvalidDriverLimitError(
                fields={"driverLimit": f"billing.limit.{problem}"}, count=self.drivers
            )


async def situation(
    session: TenantSession, head_count: HeadCount, now: datetime, *, hold: bool = False
) -> Situation:
    """Read how the company stands; `hold` lets nobody else order before the transaction ends."""
    subscriptions = SubscriptionRepository(session)
    read = subscriptions.hold_current if hold else subscriptions.company_and_current
    company, current = await read()
    return Situation(
        company=company,
        subscription=current,
        drivers=await head_count.drivers(session),
        now=now,
    )


def _paid_ahead(running: Standing) -> InvalidDriverLimitError:
    """One change more than can be kept: a lower limit is paid for already."""
    follows = running.end if running.next_at is None else running.next_at
    return InvalidDriverLimitError(
        fields={"driverLimit": "billing.limit.paid_ahead"},
        day=f"{warsaw_day(follows):%d.%m.%Y}",
        ahead=running.paid_ahead,
    )
