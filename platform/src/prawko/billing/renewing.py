"""Renews subscriptions by our own timetable, whoever keeps the card (decision 20).

A step and the payment that it makes are written in one transaction; the provider is asked after
it, with no transaction open. Killed in between, the payment is there, and whoever asks for open
payments charges it: by its key, so once. What came of a charge is read from its payment, at any
later look, and told once: nothing hangs on the moment in which it came.
"""

from uuid import UUID

import msgspec

from prawko.base.jobs import Tools
from prawko.base.texts import Language
from prawko.billing.ends import end_name, renews_itself
from prawko.billing.models import RenewalStep, Subscription
from prawko.billing.order_repository import OrderRepository
from prawko.billing.orders import OrderKind
from prawko.billing.renewal_news import CAME_TO_NOTHING, news_of_charge, news_of_the_last_end
from prawko.billing.renewal_orders import renewal_order, renewal_title
from prawko.billing.renewal_repository import RenewalRepository
from prawko.billing.renewals import CHARGES, Step, due_step
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.service import SubscriptionService
from prawko.billing.status import Status
from prawko.deliveries.incidents import open_incident
from prawko.hooks.payments import Money
from prawko.notifications.announcing import Announcement, announce
from prawko.notifications.fanout import Rules
from prawko.payments.purchase import PaymentView
from prawko.payments.service import Payments
from prawko_tenants.company import Tenant
from prawko_tenants.ids import SubscriptionId, TenantId
from prawko_tenants.sessions import TenantSession

INCIDENT = "renewal_given_up"
_MAY_RENEW = frozenset({Status.ACTIVE, Status.EXPIRED})


class _Seen(msgspec.Struct, frozen=True):
    """What a look came to: the step it took, and the payment to charge."""

    step: Step | None = None
    payment_id: UUID | None = None


class Renewing:
    """Takes what is due of a subscription's timetable. May be called at any time, by anybody."""

    def __init__(self, tools: Tools, payments: Payments) -> None:
        self._tools = tools
        self._payments = payments

    async def attend(self, tenant_id: TenantId, subscription_id: SubscriptionId) -> None:
        """Take every step that is due, and tell what came of it; ring `deliver_pending` after.

        Raises PaymentUnavailableError when the provider gave no answer: its payment waits.
        """
        for _ in Step:  # each of them once, at most
            seen = await self._look(tenant_id, subscription_id)
            if seen.step is None:
                return
            if seen.payment_id is not None:
                await self._payments.charge(tenant_id, seen.payment_id)

    async def _look(self, tenant_id: TenantId, subscription_id: SubscriptionId) -> _Seen:
        """Take one step, at most, in one transaction that holds the company."""
        async with self._tools.database.tenant(tenant_id) as session:
            company, subscription = await SubscriptionRepository(session).hold_current()
            if subscription is None or subscription.id != subscription_id:
                return _Seen()
            if subscription.status not in _MAY_RENEW or not renews_itself(subscription):
                return _Seen()
            return await _End(self._tools, self._payments, session, company, subscription).look()


class _End:
    """One end of one subscription, inside the transaction of a look."""

    def __init__(
        self,
        tools: Tools,
        payments: Payments,
        session: TenantSession,
        company: Tenant,
        subscription: Subscription,
    ) -> None:
        self._tools = tools
        self._payments = payments
        self._session = session
        self._company = company
        self._subscription = subscription
        self._renewals = RenewalRepository(session)
        self._orders = OrderRepository(session)
        self._now = tools.clock.now()

    async def look(self) -> _Seen:
        """Tell what came of the last charge, and take the step that is due."""
        taken = await self._renewals.taken(self._subscription)
        done = {Step(one.step): one.taken_at for one in taken}
        last = next((one for one in reversed(taken) if one.step in CHARGES), None)
        payment = await self._payment_of(last)
        news: list[Announcement | None] = []
        if last is not None and not await self._gave_way(last):
            news.append(news_of_charge(self._subscription, last, payment, done))
        step, payment_id = due_step(self._subscription.end_date, done, self._now), None
        if step in CHARGES and await self._upgrade_is_charged():
            step = None  # what it brings must be known before the next period is priced
        elif step in CHARGES:
            payment_id = await self._charge(step, last, payment)
        elif step is Step.CLOSING:
            await self._close(step)
        elif step is Step.GRACE_END:
            await self._close(step)
            news.append(await self._give_up())
        await self._tell([one for one in news if one is not None])
        return _Seen(step=step, payment_id=payment_id)

    async def _payment_of(self, charge: RenewalStep | None) -> PaymentView | None:
        if charge is None or charge.order_id is None:
            return None
        return await self._payments.of_order(self._session, charge.order_id)

    async def _upgrade_is_charged(self) -> bool:
        """Whether the customer's own charge, for a higher limit, is on its way right now."""
        order = await self._orders.open_one()
        if order is None or order.kind != OrderKind.UPGRADE:
            return False
        payment = await self._payments.of_order(self._session, order.id)
        return payment is not None and payment.is_being_charged(self._now)

    async def _gave_way(self, charge: RenewalStep) -> bool:
        """Whether the customer has ordered something else meanwhile, and knows why it ended."""
        order = await self._orders.get(charge.order_id) if charge.order_id else None
        return order is not None and order.superseded_by is not None

    async def _charge(
        self, step: Step, last: RenewalStep | None, payment: PaymentView | None
    ) -> UUID | None:
        """Write the payment of a charge; None where none may be made.

        Nobody is charged while the fate of the charge before is open, nor where its money is
        ours or was given back; nor without a mandate that stands.
        """
        subscription, now = self._subscription, self._now
        if last is not None and payment is not None and payment.state not in CAME_TO_NOTHING:
            await self._renewals.take(subscription, step, last.order_id, now)
            return None
        mandate_id = subscription.mandate_id
        mandate = mandate_id and await self._payments.mandate(self._session, mandate_id)
        if not mandate:
            await self._renewals.take(subscription, step, None, now)
            return None
        order = renewal_order(subscription, self._company, mandate.method, now)
        await self._orders.add(order)
        await self._renewals.take(subscription, step, order.id, now)
        payer = await self._renewals.payer(order.company_name)
        title = renewal_title(order, self._tools.settings.brand, Language(payer.language))
        money = Money(order.net + order.vat)
        return await self._payments.prepare_charge(
            self._session, order.id, money, mandate.id, title, payer
        )

    async def _close(self, step: Step) -> None:
        subscription_id = SubscriptionId(self._subscription.id)
        await SubscriptionService(self._session, self._tools).close_ended(subscription_id)
        await self._renewals.take(self._subscription, step, None, self._now)

    async def _give_up(self) -> Announcement:
        """What follows the grace is for an operator to decide."""
        subscription = self._subscription
        await open_incident(
            self._session,
            kind=INCIDENT,
            key=end_name(subscription.id, subscription.end_date),
            detail=str(self._company.id),
            now=self._now,
        )
        return news_of_the_last_end(subscription)

    async def _tell(self, news: list[Announcement]) -> None:
        rules = Rules.of(self._tools.settings)
        await announce(self._session, self._session.tenant_id, news, rules=rules, now=self._now)
