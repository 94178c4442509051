"""Checkout: places an order of a period and starts its payment."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from prawko.accounts.audit_log import AuditEvent, record_event
from prawko.accounts.repository import AccountRepository
from prawko.base.i18n import translate
from prawko.billing.billing_details import BillingDetails, resolve_order_details, save_details
from prawko.billing.models import OrderKind, OrderState, SubscriptionOrder
from prawko.billing.orders.context import OrderContext, OrderingState
from prawko.billing.orders.repository import OrderRepository
from prawko.billing.orders.schemas import CheckoutIn, CheckoutOut
from prawko.billing.orders.transfer_mail import enqueue_transfer_mail
from prawko.billing.pricing.proration import OrderLine, total_price
from prawko.deliveries.jobs import deliver_pending
from prawko.hooks.payments import Money, Payer
from prawko.payments.errors import PaymentUnavailableError
from prawko.payments.state_machine import UNFINISHED_STATES
from prawko.payments.types import MandateView, OfferedMethod, PaymentIntent, PaymentView
from prawko_tenants.ids import new_id
from prawko_tenants.sessions import TenantSession

SUCCESS_PATH = "/panel/subscription/success?order={order_id}"
PENDING_PATH = "/panel/subscription?order={order_id}"


class OrderDraft(msgspec.Struct, frozen=True, kw_only=True):
    """An order to be placed; an upgrade is priced for `from_limit` and `end_date`."""

    kind: OrderKind
    limit: int
    lines: tuple[OrderLine, ...]
    details: BillingDetails
    from_limit: int | None = None
    end_date: datetime | None = None


class PlacedOrder(msgspec.Struct, frozen=True, kw_only=True):
    """A placed order, its payment, and the orders it superseded.

    `payment_intent` starts the payment at the provider; None if a mandate is charged.
    """

    order_id: UUID
    payment_id: UUID
    superseded: Sequence[UUID]
    payment_intent: PaymentIntent | None = None


class OrderPlacement:
    """Places orders for one person, in the caller's transaction.

    While a mandate is being charged, every other order raises PaymentUnavailableError: the limit
    and the end must be known before the next order is priced. A charge that waits for the payer's
    consent, or has had no result for an hour, may be superseded.
    """

    def __init__(self, order_context: OrderContext, session: TenantSession) -> None:
        self._order_context = order_context
        self._session = session
        self._orders = OrderRepository(session)

    async def with_redirect(
        self, draft: OrderDraft, method: OfferedMethod, blik_code: str | None
    ) -> PlacedOrder:
        """Place an order that is paid on the provider's page, in an app or by transfer."""
        if await self._in_progress(draft) is not None:
            raise PaymentUnavailableError
        order, superseded = await self._insert_order(draft, method.method.value)
        base_url = self._order_context.context.settings.base_url
        intent = PaymentIntent(
            order_id=order.id,
            money=_order_total(order),
            method=method.method,
            description=self._payment_title(draft),
            payer=await self._build_payer(draft.details),
            return_url=f"{base_url}{SUCCESS_PATH.format(order_id=order.id)}",
            blik_code=blik_code,
            save_payment_method=method.is_recurring,
        )
        payment_id = await self._order_context.payments.create(self._session, intent)
        return PlacedOrder(
            order_id=order.id, payment_id=payment_id, superseded=superseded, payment_intent=intent
        )

    async def with_mandate(self, draft: OrderDraft, mandate: MandateView) -> PlacedOrder:
        """Place an order that a mandate pays; the same order if it is in progress already."""
        in_progress = await self._in_progress(draft)
        if in_progress is not None:
            return in_progress
        order, superseded = await self._insert_order(draft, mandate.method.value)
        payment_id = await self._order_context.payments.create_charge(
            self._session,
            order.id,
            _order_total(order),
            mandate.id,
            self._payment_title(draft),
            await self._build_payer(draft.details),
        )
        return PlacedOrder(order_id=order.id, payment_id=payment_id, superseded=superseded)

    async def _in_progress(self, draft: OrderDraft) -> PlacedOrder | None:
        """The same order, if a mandate is being charged for it; None if no charge is in progress.

        Raises PaymentUnavailableError while a mandate is charged for another order.
        """
        order = await self._orders.get_pending()
        payment = order and await self._order_context.payments.latest_for_order(
            self._session, order.id
        )
        if not order or not payment or payment.mandate_id is None:
            return None
        if payment.state not in UNFINISHED_STATES:
            return None
        wanted = (draft.kind, draft.limit, draft.from_limit, draft.end_date)
        if (order.kind, order.driver_limit, order.from_limit, order.end_date) == wanted:
            return PlacedOrder(order_id=order.id, payment_id=payment.id, superseded=())
        if payment.is_being_charged(self._order_context.context.clock.now()):
            raise PaymentUnavailableError
        return None

    async def _insert_order(
        self, draft: OrderDraft, method: str
    ) -> tuple[SubscriptionOrder, Sequence[UUID]]:
        price, now = total_price(draft.lines), self._order_context.context.clock.now()
        order = SubscriptionOrder(
            id=new_id(),
            kind=draft.kind,
            state=OrderState.OPEN,
            driver_limit=draft.limit,
            from_limit=draft.from_limit,
            end_date=draft.end_date,
            lines=msgspec.to_builtins(draft.lines),
            net=price.net,
            vat=price.vat,
            method=method,
            created_by=self._order_context.actor.user_id,
            created_at=now,
            **msgspec.structs.asdict(draft.details),
        )
        await self._orders.add(order)
        superseded = await self._orders.supersede(by=order.id)
        await record_event(
            self._session,
            AuditEvent.ORDER_PLACED,
            self._order_context.actor,
            self._order_context.client_info,
            now,
            order=order.id,
        )
        return order, superseded

    async def _build_payer(self, details: BillingDetails) -> Payer:
        actor, client_info = self._order_context.actor, self._order_context.client_info
        profile = await AccountRepository(self._session).get_profile(actor.user_id)
        return Payer(
            email=profile.email,
            name=details.company_name,
            language=actor.language,
            ip=client_info.ip,
            user_agent=client_info.user_agent,
        )

    def _payment_title(self, draft: OrderDraft) -> str:
        kind = "upgrade" if draft.kind is OrderKind.UPGRADE else "period"
        brand = self._order_context.context.settings.brand
        return translate(
            f"billing.order.{kind}",
            self._order_context.actor.language,
            brand=brand,
            limit=draft.limit,
        )


def _order_total(order: SubscriptionOrder) -> Money:
    return Money(order.net + order.vat)


async def start_payment(order_context: OrderContext, placed: PlacedOrder) -> str:
    """Start the payment at the provider; the URL or path where the browser goes next.

    Raises PaymentDeclinedError, PaymentUnavailableError.
    """
    if placed.payment_intent is None:
        raise ValueError("this order is charged to a mandate")

    async def enqueue_mail(session: TenantSession) -> None:
        await enqueue_transfer_mail(session, order_context.actor.user_id, placed.order_id)
        order_context.context.enqueue_on_commit(session, deliver_pending)

    started = await order_context.payments.start(
        order_context.actor.tenant_id,
        placed.payment_id,
        placed.payment_intent,
        on_transfer=enqueue_mail,
    )
    await _cancel_superseded(order_context, placed.superseded)
    if started.url is not None:
        return started.url
    if started.transfer is None:
        return SUCCESS_PATH.format(order_id=placed.order_id)
    return PENDING_PATH.format(order_id=placed.order_id)


async def charge_mandate(order_context: OrderContext, placed: PlacedOrder) -> PaymentView:
    """Charge the mandate; the payment afterwards. Raises PaymentUnavailableError."""
    charged = await order_context.payments.charge(order_context.actor.tenant_id, placed.payment_id)
    await _cancel_superseded(order_context, placed.superseded)
    return charged


async def _cancel_superseded(order_context: OrderContext, order_ids: Sequence[UUID]) -> None:
    if order_ids:
        await order_context.payments.cancel_pending(order_context.actor.tenant_id, order_ids)


class CheckoutService:
    """Orders periods for one person."""

    def __init__(self, order_context: OrderContext) -> None:
        self._order_context = order_context

    async def place_order(self, data: CheckoutIn) -> CheckoutOut:
        """Order a period; the order and where it is paid (docs/rules.md R28).

        Raises, before a provider is called: SubscriptionSuspendedError, InvalidDriverLimitError,
        BillingDetailsRequiredError, InvalidBillingDetailsError, InvalidTaxIdError,
        InvalidPaymentMethodError, TooManyRequestsError; after it: PaymentDeclinedError,
        PaymentUnavailableError.
        """
        price = total_price(self._draft(await self._order_context.snapshot(), data).lines)
        method = await self._order_context.choose_method(
            Money(price.gross), data.method, data.blik_code
        )
        async with self._order_context.locked() as (session, state):
            draft = self._draft(state, data)
            save_details(state.company, draft.details, state.now)
            placed = await OrderPlacement(self._order_context, session).with_redirect(
                draft, method, data.blik_code
            )
        return CheckoutOut(
            url=await start_payment(self._order_context, placed), order_id=placed.order_id
        )

    def _draft(self, state: OrderingState, data: CheckoutIn) -> OrderDraft:
        quote = state.quote_period(data.driver_limit)
        period = state.active_period
        upgrades = period is not None and quote.limit > min(period.limit, period.last_limit)
        return OrderDraft(
            kind=OrderKind.PERIOD,
            limit=quote.limit,
            lines=quote.lines,
            details=resolve_order_details(
                state.company, _given_details(data), self._order_context.context.settings
            ),
            from_limit=period.limit if period is not None and upgrades else None,
            end_date=period.end if period is not None else None,
        )


def _given_details(data: CheckoutIn) -> Mapping[str, str | None]:
    fields = ("company_name", "tax_id", "street", "postal_code", "city")
    return {name: getattr(data, name) for name in fields}
