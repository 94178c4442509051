"""Renews subscriptions by the product's own schedule (docs/rules.md T4, decision 20).

A step and its payment are saved in one transaction; the provider is called after it, with no
transaction open. After a crash in between, the polling of payments makes the charge, once by its
reference. The result of a charge is read from its payment at any later run and notified once.
"""

from datetime import datetime
from uuid import UUID

import msgspec

from prawko.base.context import AppContext
from prawko.base.i18n import Language, translate
from prawko.billing.models import (
    RENEWABLE_STATUSES,
    OrderKind,
    OrderState,
    RenewalStep,
    Subscription,
    SubscriptionOrder,
)
from prawko.billing.orders.repository import OrderRepository
from prawko.billing.pricing.price import Price, period_price
from prawko.billing.pricing.proration import OrderLine
from prawko.billing.reminders import period_key
from prawko.billing.renewals.notices import FAILED_PAYMENT_STATES, charge_notice, final_notice
from prawko.billing.renewals.repository import RenewalRepository
from prawko.billing.renewals.schedule import CHARGE_STEPS, RenewalStepKind, due_step
from prawko.billing.subscription.lifecycle import expire_if_ended
from prawko.billing.subscription.repository import SubscriptionRepository
from prawko.hooks.payments import Money, PaymentMethod
from prawko.incidents.service import open_incident
from prawko.invoices.sale import LineKind
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko.payments.service import PaymentService
from prawko.payments.types import PaymentView
from prawko_tenants.ids import SubscriptionId, TenantId
from prawko_tenants.models import Tenant
from prawko_tenants.sessions import TenantSession

INCIDENT_KIND = "renewal_given_up"


class _StepResult(msgspec.Struct, frozen=True):
    """The step that was taken, and the payment to charge for it."""

    step: RenewalStepKind | None = None
    payment_id: UUID | None = None


class RenewalService:
    """Takes the due steps of a subscription's schedule. May run at any time, concurrently."""

    def __init__(self, context: AppContext, payments: PaymentService) -> None:
        self._context = context
        self._payments = payments

    async def process(self, tenant_id: TenantId, subscription_id: SubscriptionId) -> None:
        """Take every due step and publish its notices; enqueue `deliver_pending` afterwards.

        Raises PaymentUnavailableError if the provider did not answer; the payment stays open.
        """
        for _ in RenewalStepKind:  # each step once, at most
            result = await self._take_step(tenant_id, subscription_id)
            if result.step is None:
                return
            if result.payment_id is not None:
                await self._payments.charge(tenant_id, result.payment_id)

    async def _take_step(self, tenant_id: TenantId, subscription_id: SubscriptionId) -> _StepResult:
        """Take at most one step, in one transaction that locks the company."""
        async with self._context.database.tenant(tenant_id) as session:
            company, subscription = await SubscriptionRepository(session).lock_current()
            if subscription is None or subscription.id != subscription_id:
                return _StepResult()
            if subscription.status not in RENEWABLE_STATUSES or not subscription.auto_renews:
                return _StepResult()
            return await _RenewalAttempt(
                self._context, self._payments, session, company, subscription
            ).take_due_step()


class _RenewalAttempt:
    """The renewal of one subscription, inside one transaction."""

    def __init__(
        self,
        context: AppContext,
        payments: PaymentService,
        session: TenantSession,
        company: Tenant,
        subscription: Subscription,
    ) -> None:
        self._context = context
        self._payments = payments
        self._session = session
        self._company = company
        self._subscription = subscription
        self._renewals = RenewalRepository(session)
        self._orders = OrderRepository(session)
        self._now = context.clock.now()

    async def take_due_step(self) -> _StepResult:
        """Publish the notice of the last charge, and take the step that is due."""
        steps = await self._renewals.list_steps(self._subscription)
        completed = {RenewalStepKind(row.step): row.taken_at for row in steps}
        last_charge = next((row for row in reversed(steps) if row.step in CHARGE_STEPS), None)
        payment = await self._load_payment(last_charge)
        notices: list[NoticeDraft | None] = []
        if last_charge is not None and not await self._was_superseded(last_charge):
            gross = renewal_price(self._subscription).gross
            notices.append(
                charge_notice(self._subscription, last_charge, payment, completed, gross=gross)
            )
        step, payment_id = due_step(self._subscription.end_date, completed, self._now), None
        if step in CHARGE_STEPS and await self._has_upgrade_in_flight():
            step = None  # the limit must be known before the next period is priced
        elif step in CHARGE_STEPS:
            payment_id = await self._create_charge(step, last_charge, payment)
        elif step is RenewalStepKind.CLOSING:
            await self._expire_subscription(step)
        elif step is RenewalStepKind.GRACE_END:
            await self._expire_subscription(step)
            notices.append(await self._escalate())
        await self._publish([notice for notice in notices if notice is not None])
        return _StepResult(step=step, payment_id=payment_id)

    async def _load_payment(self, charge: RenewalStep | None) -> PaymentView | None:
        if charge is None or charge.order_id is None:
            return None
        return await self._payments.latest_for_order(self._session, charge.order_id)

    async def _has_upgrade_in_flight(self) -> bool:
        """Whether a charge for an upgrade is being made at this moment."""
        order = await self._orders.get_pending()
        if order is None or order.kind != OrderKind.UPGRADE:
            return False
        payment = await self._payments.latest_for_order(self._session, order.id)
        return payment is not None and payment.is_being_charged(self._now)

    async def _was_superseded(self, charge: RenewalStep) -> bool:
        """Whether the customer has placed another order since the charge."""
        order = await self._orders.get(charge.order_id) if charge.order_id else None
        return order is not None and order.superseded_by is not None

    async def _create_charge(
        self,
        step: RenewalStepKind,
        last_charge: RenewalStep | None,
        payment: PaymentView | None,
    ) -> UUID | None:
        """Record the step with an order and its payment; None if nothing may be charged.

        Nothing is charged while the last charge is unresolved, after it was paid or refunded, or
        without an active mandate.
        """
        subscription, now = self._subscription, self._now
        if last_charge and payment and payment.state not in FAILED_PAYMENT_STATES:
            await self._renewals.record_step(subscription, step, last_charge.order_id, now)
            return None
        mandate_id = subscription.mandate_id
        mandate = mandate_id and await self._payments.get_mandate(self._session, mandate_id)
        if not mandate:
            await self._renewals.record_step(subscription, step, None, now)
            return None
        order = renewal_order(subscription, self._company, mandate.method, now)
        await self._orders.add(order)
        await self._renewals.record_step(subscription, step, order.id, now)
        payer = await self._renewals.owner_contact(order.company_name)
        title = renewal_title(order, self._context.settings.brand, Language(payer.language))
        money = Money(order.net + order.vat)
        return await self._payments.create_charge(
            self._session, order.id, money, mandate.id, title, payer
        )

    async def _expire_subscription(self, step: RenewalStepKind) -> None:
        subscription_id = SubscriptionId(self._subscription.id)
        await expire_if_ended(self._session, self._context, subscription_id)
        await self._renewals.record_step(self._subscription, step, None, self._now)

    async def _escalate(self) -> NoticeDraft:
        """Open an incident for the operators; the notice that monitoring has ended."""
        subscription = self._subscription
        await open_incident(
            self._session,
            kind=INCIDENT_KIND,
            key=period_key(subscription.id, subscription.end_date),
            detail=str(self._company.id),
            now=self._now,
        )
        return final_notice(subscription)

    async def _publish(self, notices: list[NoticeDraft]) -> None:
        policy = ChannelPolicy.from_settings(self._context.settings)
        await publish_notices(
            self._session, self._session.tenant_id, notices, policy=policy, now=self._now
        )


def renewal_limit(subscription: Subscription) -> int:
    """The driver limit of the next period."""
    scheduled = subscription.scheduled_limit
    return subscription.driver_limit if scheduled is None else scheduled


def renewal_price(subscription: Subscription) -> Price:
    """The price of the next period."""
    return period_price(renewal_limit(subscription))


def renewal_order(
    subscription: Subscription, company: Tenant, method: PaymentMethod, now: datetime
) -> SubscriptionOrder:
    """The order of the next period, to be charged to a mandate of `method`.

    Its buyer is the company with its present details; if they are incomplete, with those of the
    subscription's last order.
    """
    price = renewal_price(subscription)
    line = OrderLine(kind=LineKind.PERIOD, net=price.net, vat=price.vat)
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
    """The description of the charge for the payer."""
    return translate("billing.order.period", language, brand=brand, limit=order.driver_limit)
