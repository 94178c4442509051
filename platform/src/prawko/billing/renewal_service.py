"""Renews subscriptions by the product's own schedule (docs/rules.md T4, decision 20).

A step and its payment are saved in one transaction; the provider is called after it, with no
transaction open. After a crash in between, the polling of payments makes the charge, once by its
reference. The result of a charge is read from its payment at any later run and notified once.
"""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

import msgspec

from prawko.billing.billing_details import BillingDetails
from prawko.billing.checkout import OrderDraft
from prawko.billing.expiry import close_ended_subscription
from prawko.billing.models import (
    RENEWABLE_STATUSES,
    OrderKind,
    RenewalStep,
    RenewalStepKind,
    Subscription,
)
from prawko.billing.notices import FAILED_PAYMENT_STATES, charge_notice, final_notice, period_key
from prawko.billing.price import period_line, period_price
from prawko.billing.renewal_schedule import CHARGE_STEPS, due_step
from prawko.billing.repository import OrderRepository, RenewalRepository, SubscriptionRepository
from prawko.kit.context import AppContext
from prawko.kit.incidents.service import open_incident
from prawko.kit.text.i18n import Language
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko.payments.models import Payment
from prawko.payments.service import PaymentService
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
        """Take every due step and publish its notices.

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
            if company.erasure_requested_at is not None:
                return _StepResult()  # the customer cancelled it
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
        notices = [await self._charge_notice(last_charge, payment, completed)]
        step, payment_id = due_step(self._subscription.end_date, completed, self._now), None
        if step in CHARGE_STEPS and await self._has_upgrade_in_flight():
            step = None  # the limit must be known before the next period is priced
        elif step in CHARGE_STEPS:
            payment_id = await self._create_charge(step, last_charge, payment)
        elif step is not None:
            await self._expire_subscription(step)
            if step is RenewalStepKind.GRACE_END:
                notices.append(await self._escalate())
        await self._publish([notice for notice in notices if notice is not None])
        return _StepResult(step=step, payment_id=payment_id)

    async def _charge_notice(
        self,
        charge: RenewalStep | None,
        payment: Payment | None,
        completed: Mapping[RenewalStepKind, datetime],
    ) -> NoticeDraft | None:
        """The notice of the last charge; None if another order has been placed since."""
        if charge is None or await self._was_superseded(charge):
            return None
        gross = period_price(self._subscription.renewal_limit).gross
        return charge_notice(self._subscription, charge, payment, completed, gross=gross)

    async def _load_payment(self, charge: RenewalStep | None) -> Payment | None:
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
        self, step: RenewalStepKind, last_charge: RenewalStep | None, payment: Payment | None
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
        draft = renewal_draft(subscription, self._company)
        order = draft.to_order(mandate.method, now)
        await self._orders.add(order)
        await self._renewals.record_step(subscription, step, order.id, now)
        payer = await self._renewals.owner_contact(order.company_name)
        title = draft.payment_title(self._context.settings.brand, Language(payer.language))
        return await self._payments.create_charge(
            self._session, order.id, draft.total, mandate.id, title, payer
        )

    async def _expire_subscription(self, step: RenewalStepKind) -> None:
        subscription_id = SubscriptionId(self._subscription.id)
        await close_ended_subscription(self._session, self._context, subscription_id)
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


def renewal_draft(subscription: Subscription, company: Tenant) -> OrderDraft:
    """The order of the next period.

    Its buyer is the company with its present details; if they are incomplete, with those of the
    subscription's last order.
    """
    limit = subscription.renewal_limit
    buyer = company if company.tax_id and company.company_name else subscription
    return OrderDraft(
        kind=OrderKind.RENEWAL,
        limit=limit,
        lines=(period_line(limit),),
        details=BillingDetails.of(buyer),
        end_date=subscription.end_date,
    )
