"""Changes the driver limit within a paid period (docs/rules.md T3).

A higher limit is an upgrade, which is paid for; a lower one is scheduled for the next period.
"""

from datetime import datetime
from uuid import UUID

import msgspec

from prawko.accounts.audit_log import AuditEvent
from prawko.billing.billing_details import resolve_order_details
from prawko.billing.checkout import (
    OrderDraft,
    OrderPlacement,
    PlacedOrder,
    charge_mandate,
    start_payment,
)
from prawko.billing.models import RENEWABLE_STATUSES, OrderKind
from prawko.billing.ordering import Ordering, OrderingState, validate_choice
from prawko.billing.periods import with_higher_limit, with_scheduled_limit
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.schemas import ChangeLimitIn
from prawko.billing.state import apply_period
from prawko.billing.transitions import HistoryEvent, TransitionTrigger, transition
from prawko.payments.available_methods import OfferedMethod
from prawko.payments.errors import PaymentDeclinedError
from prawko.payments.models import PaymentMandate
from prawko.payments.state_machine import PaymentRecordState
from prawko_tenants.ids import SubscriptionId
from prawko_tenants.sessions import TenantSession


class LimitChangeResult(msgspec.Struct, frozen=True):
    """The order of the change, if it costs anything, and the URL where it is paid."""

    url: str | None = None
    order_id: UUID | None = None


class LimitChangeService:
    """Changes a company's driver limit for one person."""

    def __init__(self, ordering: Ordering) -> None:
        self._ordering = ordering

    async def change_limit(self, data: ChangeLimitIn) -> LimitChangeResult:
        """Change the limit, or order the change. Without a method, the mandate is charged.

        Raises, before a provider is called: SubscriptionSuspendedError, NoPaidPeriodError,
        InvalidDriverLimitError, BillingDetailsRequiredError, InvalidPaymentMethodError,
        TooManyRequestsError; after it: PaymentDeclinedError, PaymentUnavailableError.
        """
        validate_choice(data.method, data.blik_code)
        async with self._ordering.locked() as (session, state):
            draft = self._draft(state, data)
            if draft is None:
                await self._apply_free_change(session, state, data.driver_limit)
                return LimitChangeResult()
            mandate = await self._load_mandate(session, state, data)
        placed = await self._place_order(data, await self._payment_source(data, draft, mandate))
        if placed is None:
            return LimitChangeResult()
        return LimitChangeResult(await self._pay(placed), placed.order_id)

    def _draft(self, state: OrderingState, data: ChangeLimitIn) -> OrderDraft | None:
        """The order of the change; None if it costs nothing."""
        period, lines = state.active_period, state.quote_upgrade(data.driver_limit)
        if period is None or not lines:
            return None
        settings = self._ordering.context.settings
        return OrderDraft(
            kind=OrderKind.UPGRADE,
            limit=data.driver_limit,
            lines=lines,
            details=resolve_order_details(state.company, {}, settings),
            from_limit=period.limit,
            end_date=period.end,
        )

    async def _load_mandate(
        self, session: TenantSession, state: OrderingState, data: ChangeLimitIn
    ) -> PaymentMandate | None:
        current = state.subscription
        by_mandate = data.method is None and data.blik_code is None
        if not by_mandate or current is None or current.mandate_id is None:
            return None
        return await self._ordering.payments.get_mandate(session, current.mandate_id)

    async def _payment_source(
        self, data: ChangeLimitIn, draft: OrderDraft, mandate: PaymentMandate | None
    ) -> OfferedMethod | PaymentMandate:
        if mandate is None:
            return await self._ordering.choose_method(draft.total, data.method, data.blik_code)
        await self._ordering.throttle_order()
        return mandate

    async def _pay(self, placed: PlacedOrder) -> str | None:
        """Start the payment or charge the mandate; the URL where the payer goes next."""
        if placed.payment_request is not None:
            return await start_payment(self._ordering, placed)
        payment = await charge_mandate(self._ordering, placed)
        if payment.state is PaymentRecordState.FAILED:
            raise PaymentDeclinedError
        return payment.url if payment.state is PaymentRecordState.OPEN else None

    async def _place_order(
        self, data: ChangeLimitIn, payment_source: OfferedMethod | PaymentMandate
    ) -> PlacedOrder | None:
        """Place the order; None if the change costs nothing any more."""
        async with self._ordering.locked() as (session, state):
            draft = self._draft(state, data)
            if draft is None:
                return None
            placement = OrderPlacement(self._ordering, session)
            if isinstance(payment_source, PaymentMandate):
                return await placement.with_mandate(draft, payment_source)
            return await placement.with_redirect(draft, payment_source, data.blik_code)

    async def _apply_free_change(
        self, session: TenantSession, state: OrderingState, limit: int
    ) -> None:
        """Save a change that costs nothing: a lower limit, or one within a block that is paid."""
        period, current = state.changeable_period(limit), state.subscription
        is_higher = limit > period.limit
        changed = (
            with_higher_limit(period, limit) if is_higher else with_scheduled_limit(period, limit)
        )
        if current is None or changed == period:
            return
        event = HistoryEvent.LIMIT_COVERED if is_higher else HistoryEvent.LIMIT_LOWERED
        transition(
            session,
            current,
            TransitionTrigger.CUSTOMER,
            current.status,
            event,
            state.now,
            limit=limit,
        )
        apply_period(current, changed, state.now)
        await self._ordering.record(session, AuditEvent.LIMIT_CHANGED, limit=limit)


async def apply_scheduled_limit(
    session: TenantSession, subscription_id: SubscriptionId, now: datetime
) -> bool:
    """Apply the scheduled limit if it is due, with a history row; whether this call did."""
    subscriptions = SubscriptionRepository(session)
    await subscriptions.lock_company()
    subscription = await subscriptions.lock(subscription_id)
    if subscription is None or subscription.scheduled_limit is None:
        return False
    if subscription.scheduled_limit_at is None or now < subscription.scheduled_limit_at:
        return False
    if subscription.status not in RENEWABLE_STATUSES:
        return False
    limit = subscription.scheduled_limit
    transition(
        session, subscription, TransitionTrigger.TIME, subscription.status,
        HistoryEvent.LIMIT_CHANGED, now, limit=limit,
    )  # fmt: skip
    subscription.driver_limit = limit
    subscription.scheduled_limit = subscription.scheduled_limit_at = None
    return True
