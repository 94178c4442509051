"""Ordering: who orders, and the company's state meanwhile.

No transaction is open while a provider is called. The state is therefore read twice: first a
snapshot to price the order, then again under the company's lock when the order is saved.
"""

import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable
from uuid import UUID

import msgspec

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity, ensure_session_active
from prawko.billing.errors import (
    InvalidDriverLimitError,
    InvalidPaymentMethodError,
    NoPaidPeriodError,
    SubscriptionSuspendedError,
)
from prawko.billing.models import Subscription
from prawko.billing.periods import (
    ActivePeriod,
    Quote,
    conflicts_with_prepaid,
    proration_lines,
    quote_period,
)
from prawko.billing.price import OrderLine, limit_problem
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.state import Lifecycle, active_period, current_end, lifecycle_of
from prawko.hooks.payments import Money, PaymentMethod
from prawko.kit.clock import warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.dates import format_date
from prawko.payments.available_methods import OfferedMethod
from prawko.payments.errors import PaymentUnavailableError
from prawko.payments.service import PaymentService
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import TenantSession

_BLIK_CODE_REGEX = re.compile("[0-9]{6}")


@runtime_checkable
class DriverCounter(Protocol):
    """Counts a company's drivers: an order's limit is at least that (docs/rules.md R18)."""

    async def count(self, session: TenantSession) -> int:
        """The number of the company's drivers."""
        ...


class OrderingState(msgspec.Struct, frozen=True, kw_only=True):
    """A company's state at `now`; validates and prices what it orders."""

    company: Tenant
    subscription: Subscription | None
    driver_count: int
    now: datetime

    @property
    def active_period(self) -> ActivePeriod | None:
        """The active paid period."""
        return active_period(self.subscription, self.now)

    def quote_period(self, limit: int) -> Quote:
        """The quote of a period. Raises SubscriptionSuspendedError, InvalidDriverLimitError."""
        self._validate_limit(limit)
        period = self.active_period
        if period is not None and conflicts_with_prepaid(period, limit):
            raise _prepaid_error(period)
        return quote_period(limit, period, current_end(self.subscription, self.now), self.now)

    def changeable_period(self, limit: int) -> ActivePeriod:
        """The active period, if its limit may change to `limit`.

        Raises SubscriptionSuspendedError, NoPaidPeriodError, InvalidDriverLimitError.
        """
        self._validate_limit(limit)
        period = self.active_period
        if period is None:
            raise NoPaidPeriodError
        prepaid = period.prepaid_limit
        if prepaid is not None and limit < period.limit and limit != prepaid:
            raise _prepaid_error(period)
        return period

    def quote_upgrade(self, limit: int) -> tuple[OrderLine, ...]:
        """The lines of a higher limit for the rest of the period; empty if it costs nothing."""
        period = self.changeable_period(limit)
        return proration_lines(period, limit, self.now) if limit > period.limit else ()

    def _validate_limit(self, limit: int) -> None:
        if lifecycle_of(self.subscription, self.now) is Lifecycle.SUSPENDED:
            raise SubscriptionSuspendedError
        problem = limit_problem(limit, self.driver_count)
        if problem is not None:
            raise InvalidDriverLimitError(
                fields={"driverLimit": f"billing.limit.{problem}"}, count=self.driver_count
            )


async def load_ordering_state(
    session: TenantSession,
    driver_counter: DriverCounter,
    now: datetime,
    *,
    for_update: bool = False,
) -> OrderingState:
    """Read the company's state; `for_update` locks the company until the transaction ends."""
    subscriptions = SubscriptionRepository(session)
    read = subscriptions.lock_current if for_update else subscriptions.get_company_and_current
    company, current = await read()
    return OrderingState(
        company=company,
        subscription=current,
        driver_count=await driver_counter.count(session),
        now=now,
    )


def _prepaid_error(period: ActivePeriod) -> InvalidDriverLimitError:
    """The error of a second change of the limit: a lower one is prepaid already."""
    scheduled_at = period.end if period.scheduled_at is None else period.scheduled_at
    return InvalidDriverLimitError(
        fields={"driverLimit": "billing.limit.paid_ahead"},
        day=format_date(warsaw_date(scheduled_at)),
        ahead=period.prepaid_limit,
    )


@dataclass(frozen=True)
class Ordering:
    """The person who orders, their client, and the services an order needs."""

    context: AppContext
    payments: PaymentService
    driver_counter: DriverCounter
    actor: Identity
    client_info: ClientInfo

    async def snapshot(self) -> OrderingState:
        """The company's present state, not locked."""
        async with self.context.database.tenant(self.actor.tenant_id) as session:
            return await load_ordering_state(session, self.driver_counter, self.context.clock.now())

    @asynccontextmanager
    async def locked(self) -> AsyncGenerator[tuple[TenantSession, OrderingState]]:
        """A transaction that locks the company, and the company's state in it.

        Raises AuthRequiredError if the person was signed out meanwhile.
        """
        async with self.context.database.tenant(self.actor.tenant_id) as session:
            await ensure_session_active(session, self.actor)
            now = self.context.clock.now()
            yield (
                session,
                await load_ordering_state(session, self.driver_counter, now, for_update=True),
            )

    async def record(
        self, session: TenantSession, event: AuditEvent, **details: UUID | int | str
    ) -> None:
        """Add an event of the person to the audit log."""
        now = self.context.clock.now()
        await record_event(session, event, self.actor, self.client_info, now, **details)

    async def choose_method(
        self, money: Money, requested_method: str | None, blik_code: str | None
    ) -> OfferedMethod:
        """The payment method for this amount. Calls providers: keep no transaction open.

        Raises InvalidPaymentMethodError, PaymentUnavailableError, TooManyRequestsError.
        """
        select_method(await self.payments.list_methods(), requested_method, blik_code)
        await self.throttle_order()
        return select_method(
            await self.payments.available_methods(money), requested_method, blik_code
        )

    async def throttle_order(self) -> None:
        """Count an order that reaches a provider. Raises TooManyRequestsError."""
        await self.context.throttle.hit(limits.ORDERS, str(self.actor.tenant_id))


def validate_choice(requested_method: str | None, blik_code: str | None) -> None:
    """Raise InvalidPaymentMethodError for an unknown method or a malformed BLIK code."""
    if requested_method is not None and requested_method not in set(PaymentMethod):
        raise InvalidPaymentMethodError(fields={"method": "billing.method.not_offered"})
    if blik_code is not None and not _BLIK_CODE_REGEX.fullmatch(blik_code):
        raise InvalidPaymentMethodError(fields={"blikCode": "billing.method.blik_code"})


def select_method(
    offered: Sequence[OfferedMethod], requested_method: str | None, blik_code: str | None
) -> OfferedMethod:
    """The requested method among the offered ones; the first one if none was requested.

    Raises InvalidPaymentMethodError, and PaymentUnavailableError if none is offered.
    """
    validate_choice(requested_method, blik_code)
    if not offered:
        raise PaymentUnavailableError
    chosen = next((one for one in offered if requested_method in {None, one.method.value}), None)
    if chosen is None:
        raise InvalidPaymentMethodError(fields={"method": "billing.method.not_offered"})
    if blik_code is not None and not chosen.accepts_blik_codes:
        raise InvalidPaymentMethodError(fields={"blikCode": "billing.method.no_code"})
    return chosen
