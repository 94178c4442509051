"""Reads of the subscription, its orders and quotes, with the effective status at an instant."""

from datetime import datetime
from uuid import UUID

import msgspec

from prawko.accounts.schemas import CompanyDetails, SubscriptionSummary
from prawko.billing.models import (
    OrderKind,
    OrderState,
    RenewalStepKind,
    Subscription,
    SubscriptionOrder,
    SubscriptionStatus,
)
from prawko.billing.notices import FAILED_PAYMENT_STATES
from prawko.billing.ordering import (
    DriverCounter,
    Ordering,
    OrderingState,
    load_ordering_state,
)
from prawko.billing.periods import days_left, trial_end
from prawko.billing.price import Price, period_price, total_price
from prawko.billing.renewal_schedule import CHARGE_DAYS_BEFORE, CHARGE_STEPS, next_charge_at
from prawko.billing.repository import OrderRepository, RenewalRepository, SubscriptionRepository
from prawko.billing.schemas import (
    ChangeKind,
    LimitChangeOut,
    LineOut,
    OrderOut,
    QuoteOut,
    RefusedRenewalOut,
    SubscriptionOut,
    TransferOut,
    TrialOut,
)
from prawko.billing.state import effective_limit
from prawko.kit.clock import Clock, add_days
from prawko.kit.context import AppContext
from prawko.kit.errors import NotFoundError
from prawko.payments.mandate_charges import NOT_CHARGEABLE
from prawko.payments.models import Payment
from prawko.payments.service import PaymentService
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import TenantSession

EMPTY_DETAILS = CompanyDetails(company_name="", tax_id="", street="", postal_code="", city="")


class CurrentSubscriptionReader:
    """Reads the current subscription for the user's own view in accounts."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def summary(self, session: TenantSession) -> SubscriptionSummary | None:
        """The current subscription; None if there never was one."""
        subscription = await SubscriptionRepository(session).get_current()
        if subscription is None:
            return None
        return SubscriptionSummary(
            status=subscription.status_at(self._clock.now()),
            driver_limit=effective_limit(subscription, self._clock.now()),
            end_date=subscription.end_date,
            company_details=_to_company_details(subscription),
        )


def _to_inactive_out(
    company: Tenant, trial: TrialOut | None, driver_count: int, pending_order: OrderOut | None
) -> SubscriptionOut:
    """The response for a company that never had a subscription."""
    return SubscriptionOut(
        status=SubscriptionStatus.INACTIVE,
        driver_limit=0,
        end_date=None,
        days_left=0,
        company_details=EMPTY_DETAILS,
        user=_to_company_details(company),
        cancelled=False,
        is_trial=False,
        trial=trial,
        price_net=0,
        next_price_net=0,
        drivers=driver_count,
        next_limit=None,
        next_limit_at=None,
        renews=False,
        mandate_label=None,
        refused_renewal=None,
        grace_until=None,
        open_order=pending_order,
        monitored_since=None,
    )


def _grace_until(subscription: Subscription, now: datetime) -> datetime | None:
    """The end of the grace period; None outside of it."""
    if subscription.status_at(now) is not SubscriptionStatus.EXPIRED:
        return None
    if not subscription.auto_renews:
        return None
    until = subscription.monitored_until
    return until if now < until else None


def _to_trial_out(
    company: Tenant, subscription: Subscription | None, now: datetime
) -> TrialOut | None:
    """The company's trial; active while it is the current subscription and active."""
    start = company.trial_started_at
    if start is None:
        return None
    end = trial_end(start)
    active = False
    if subscription is not None and subscription.is_trial:
        end = subscription.end_date
        active = subscription.status_at(now) is SubscriptionStatus.ACTIVE
    return TrialOut(
        start_date=start,
        end_date=end,
        days_left=days_left(end, now) if active else 0,
        ended=not active,
    )


def _to_company_details(row: Tenant | Subscription) -> CompanyDetails:
    return msgspec.convert(row, CompanyDetails, from_attributes=True)


class SubscriptionQueries:
    """Reads one company's subscription and orders, in the session's transaction."""

    def __init__(
        self,
        session: TenantSession,
        context: AppContext,
        payments: PaymentService,
        driver_counter: DriverCounter,
    ) -> None:
        self._session = session
        self._clock = context.clock
        self._payments = payments
        self._driver_counter = driver_counter
        self._orders = OrderRepository(session)

    async def get_subscription(self) -> SubscriptionOut:
        """The current subscription with its effective status (R26)."""
        now = self._clock.now()
        subscriptions = SubscriptionRepository(self._session)
        company, current = await subscriptions.get_company_and_current()
        trial = _to_trial_out(company, current, now)
        driver_count = await self._driver_counter.count(self._session)
        pending_order = await self._pending_order()
        if current is None:
            return _to_inactive_out(company, trial, driver_count, pending_order)
        mandate, refused = None, None
        if current.mandate_id is not None:
            mandate = await self._payments.get_mandate(self._session, current.mandate_id)
            refused = await self._refused_renewal(current, now)
        scheduled_at = current.scheduled_limit_at
        is_scheduled = scheduled_at is not None and now < scheduled_at
        return SubscriptionOut(
            status=current.status_at(now),
            driver_limit=effective_limit(current, now),
            end_date=current.end_date,
            days_left=days_left(current.end_date, now),
            company_details=_to_company_details(current),
            user=_to_company_details(company),
            cancelled=current.cancelled_at is not None,
            is_trial=current.is_trial,
            trial=trial,
            price_net=await subscriptions.period_net(current, now),
            next_price_net=0 if current.is_trial else period_price(current.renewal_limit).net,
            drivers=driver_count,
            next_limit=current.scheduled_limit if is_scheduled else None,
            next_limit_at=scheduled_at if is_scheduled else None,
            renews=current.auto_renews,
            mandate_label=None if mandate is None else mandate.label,
            refused_renewal=refused,
            grace_until=_grace_until(current, now),
            open_order=pending_order,
            monitored_since=await subscriptions.monitored_since(),
        )

    async def _refused_renewal(
        self, subscription: Subscription, now: datetime
    ) -> RefusedRenewalOut | None:
        """The refusal of the last charge, until a period is paid; None while a charge is open."""
        end = subscription.end_date
        if not subscription.auto_renews or now < add_days(end, -CHARGE_DAYS_BEFORE):
            return None
        steps = await RenewalRepository(self._session).list_steps(subscription)
        charge = next((row for row in reversed(steps) if row.step in CHARGE_STEPS), None)
        if charge is None:
            return None
        if charge.order_id is not None:
            payment = await self._payments.latest_for_order(self._session, charge.order_id)
            if payment is not None and (
                payment.state not in FAILED_PAYMENT_STATES or payment.reason == NOT_CHARGEABLE
            ):
                return None
        completed = {RenewalStepKind(row.step): row.taken_at for row in steps}
        return RefusedRenewalOut(
            tried_at=charge.taken_at, next_try_at=next_charge_at(end, completed)
        )

    async def get_quote(self, limit: int) -> QuoteOut:
        """The price of a period, and of a limit change, at `limit` drivers now.

        Raises SubscriptionSuspendedError, InvalidDriverLimitError.
        """
        state = await load_ordering_state(self._session, self._driver_counter, self._clock.now())
        quote = state.quote_period(limit)
        price = quote.price
        return QuoteOut(
            driver_limit=limit,
            lines=msgspec.convert(quote.lines, list[LineOut], from_attributes=True),
            net=price.net,
            vat=price.vat,
            gross=price.gross,
            new_end_date=quote.end,
            limit_from=quote.limit_from,
            change=_to_limit_change_out(state, limit),
        )

    async def _pending_order(self) -> OrderOut | None:
        order = await self._orders.get_pending()
        if order is None:
            return None
        payment = await self._payments.latest_for_order(self._session, order.id)
        view = to_order_out(order, payment)
        # A renewal is shown only when its payer has to consent.
        return None if order.kind == OrderKind.RENEWAL and view.url is None else view


async def get_subscription_of(ordering: Ordering) -> SubscriptionOut:
    """The subscription after an order, read in a transaction of its own."""
    context, tenant_id = ordering.context, ordering.actor.tenant_id
    async with context.database.tenant(tenant_id) as session:
        return await SubscriptionQueries(
            session, context, ordering.payments, ordering.driver_counter
        ).get_subscription()


async def get_order(session: TenantSession, payments: PaymentService, order_id: UUID) -> OrderOut:
    """One order. Raises NotFoundError."""
    order = await OrderRepository(session).get(order_id)
    if order is None:
        raise NotFoundError
    return to_order_out(order, await payments.latest_for_order(session, order.id))


def to_order_out(order: SubscriptionOrder, payment: Payment | None) -> OrderOut:
    """An order for the API; where to pay it only while it is open."""
    price = Price(net=order.net, vat=order.vat)
    is_open = order.state == OrderState.OPEN
    transfer = payment.transfer if payment is not None and is_open else None
    return OrderOut(
        id=order.id,
        kind=OrderKind(order.kind),
        state=OrderState(order.state),
        method=order.method,
        driver_limit=order.driver_limit,
        net=price.net,
        vat=price.vat,
        gross=price.gross,
        created_at=order.created_at,
        url=payment.url if payment is not None and is_open else None,
        transfer=None
        if transfer is None
        else msgspec.convert(transfer, TransferOut, from_attributes=True),
        reason=None if payment is None else payment.reason,
    )


def _to_limit_change_out(state: OrderingState, limit: int) -> LimitChangeOut | None:
    period = state.active_period
    if period is None or limit == period.limit:
        return None
    lines = state.quote_upgrade(limit)
    price = total_price(lines)
    is_higher = limit > period.limit
    return LimitChangeOut(
        kind=ChangeKind.UPGRADE if is_higher else ChangeKind.DOWNGRADE,
        net=price.net,
        vat=price.vat,
        gross=price.gross,
        starts=state.now if is_higher else period.end,
    )
