"""Checkout: places an order of a period and starts its payment."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from prawko.accounts.audit_log import AuditEvent
from prawko.accounts.repository import AccountRepository
from prawko.billing.billing_details import BillingDetails, resolve_order_details, save_details
from prawko.billing.models import OrderKind, OrderState, SubscriptionOrder
from prawko.billing.ordering import Ordering, OrderingState
from prawko.billing.price import OrderLine, total_price
from prawko.billing.repository import OrderRepository
from prawko.billing.schemas import CheckoutIn, CheckoutOut
from prawko.billing.transfer_mail import ORDER_PATH, enqueue_transfer_mail
from prawko.hooks.payments import Money, Payer, PaymentMethod, PaymentRequest
from prawko.kit.text.i18n import Language, translate
from prawko.payments.available_methods import OfferedMethod
from prawko.payments.errors import PaymentUnavailableError
from prawko.payments.models import Payment, PaymentMandate, new_reference
from prawko.payments.state_machine import UNFINISHED_STATES
from prawko_tenants.ids import UserId, new_id
from prawko_tenants.sessions import TenantSession

SUCCESS_PATH = "/panel/subscription/success?order={order_id}"


class OrderDraft(msgspec.Struct, frozen=True, kw_only=True):
    """An order to be placed; an upgrade is priced for `from_limit` and `end_date`."""

    kind: OrderKind
    limit: int
    lines: tuple[OrderLine, ...]
    details: BillingDetails
    from_limit: int | None = None
    end_date: datetime | None = None

    @property
    def total(self) -> Money:
        """The amount to pay."""
        return Money(total_price(self.lines).gross)

    def payment_title(self, brand: str, language: Language) -> str:
        """The description of the payment for the payer."""
        return translate(self.kind.text_key, language, brand=brand, limit=self.limit)

    def to_order(
        self, method: PaymentMethod, now: datetime, created_by: UserId | None = None
    ) -> SubscriptionOrder:
        """Return a new open order; that of a renewal has no author."""
        price = total_price(self.lines)
        return SubscriptionOrder(
            id=new_id(),
            kind=self.kind,
            state=OrderState.OPEN,
            driver_limit=self.limit,
            from_limit=self.from_limit,
            end_date=self.end_date,
            lines=msgspec.to_builtins(self.lines),
            net=price.net,
            vat=price.vat,
            method=method,
            created_by=created_by,
            created_at=now,
            **self.details.to_dict(),
        )


class PlacedOrder(msgspec.Struct, frozen=True, kw_only=True):
    """A placed order, its payment, and the orders it superseded.

    `payment_request` starts the payment at the provider; None if a mandate is charged.
    """

    order_id: UUID
    payment_id: UUID
    superseded: Sequence[UUID]
    payment_request: PaymentRequest | None = None


class OrderPlacement:
    """Places orders for one person, in the caller's transaction.

    While a mandate is being charged, every other order raises PaymentUnavailableError: the limit
    and the end must be known before the next order is priced. A charge that waits for the payer's
    consent, or has had no result for an hour, may be superseded.
    """

    def __init__(self, ordering: Ordering, session: TenantSession) -> None:
        self._ordering = ordering
        self._session = session
        self._orders = OrderRepository(session)

    async def with_redirect(
        self, draft: OrderDraft, method: OfferedMethod, blik_code: str | None
    ) -> PlacedOrder:
        """Place an order that is paid on the provider's page, in an app or by transfer."""
        if await self._in_progress(draft) is not None:
            raise PaymentUnavailableError
        order_id, superseded = await self._insert_order(draft, method.method)
        base_url = self._ordering.context.settings.base_url
        request = PaymentRequest(
            reference=new_reference(),
            money=draft.total,
            method=method.method,
            description=self._payment_title(draft),
            payer=await self._build_payer(draft.details),
            return_url=f"{base_url}{SUCCESS_PATH.format(order_id=order_id)}",
            blik_code=blik_code,
            save_payment_method=method.is_recurring,
        )
        payment_id = await self._ordering.payments.create(
            self._session, order_id, request, method.providers
        )
        return PlacedOrder(
            order_id=order_id, payment_id=payment_id, superseded=superseded, payment_request=request
        )

    async def with_mandate(self, draft: OrderDraft, mandate: PaymentMandate) -> PlacedOrder:
        """Place an order that a mandate pays; the same order if it is in progress already."""
        in_progress = await self._in_progress(draft)
        if in_progress is not None:
            return in_progress
        order_id, superseded = await self._insert_order(draft, mandate.method)
        payment_id = await self._ordering.payments.create_charge(
            self._session,
            order_id,
            draft.total,
            mandate.id,
            self._payment_title(draft),
            await self._build_payer(draft.details),
        )
        return PlacedOrder(order_id=order_id, payment_id=payment_id, superseded=superseded)

    async def _in_progress(self, draft: OrderDraft) -> PlacedOrder | None:
        """The same order, if a mandate is being charged for it; None if no charge is in progress.

        Raises PaymentUnavailableError while a mandate is charged for another order.
        """
        order = await self._orders.get_pending()
        payment = order and await self._ordering.payments.latest_for_order(self._session, order.id)
        if not order or not payment or payment.mandate_id is None:
            return None
        if payment.state not in UNFINISHED_STATES:
            return None
        wanted = (draft.kind, draft.limit, draft.from_limit, draft.end_date)
        if (order.kind, order.driver_limit, order.from_limit, order.end_date) == wanted:
            return PlacedOrder(order_id=order.id, payment_id=payment.id, superseded=())
        if payment.is_being_charged(self._ordering.context.clock.now()):
            raise PaymentUnavailableError
        return None

    async def _insert_order(
        self, draft: OrderDraft, method: PaymentMethod
    ) -> tuple[UUID, Sequence[UUID]]:
        """The new order and those it supersedes."""
        actor, now = self._ordering.actor, self._ordering.context.clock.now()
        order = draft.to_order(method, now, actor.user_id)
        await self._orders.add(order)
        superseded = await self._orders.supersede(by=order.id)
        await self._ordering.record(self._session, AuditEvent.ORDER_PLACED, order=order.id)
        return order.id, superseded

    async def _build_payer(self, details: BillingDetails) -> Payer:
        actor, client_info = self._ordering.actor, self._ordering.client_info
        profile = await AccountRepository(self._session).get(actor.user_id)
        return Payer(
            email=profile.email,
            name=details.company_name,
            language=actor.language,
            ip=client_info.ip,
            user_agent=client_info.user_agent,
        )

    def _payment_title(self, draft: OrderDraft) -> str:
        brand = self._ordering.context.settings.brand
        return draft.payment_title(brand, self._ordering.actor.language)


async def start_payment(ordering: Ordering, placed: PlacedOrder) -> str:
    """Start the payment at the provider; the URL or path where the browser goes next.

    Raises PaymentDeclinedError, PaymentUnavailableError.
    """
    if placed.payment_request is None:
        raise ValueError("this order is charged to a mandate")

    async def enqueue_mail(session: TenantSession) -> None:
        await enqueue_transfer_mail(session, ordering.actor.user_id, placed.order_id)

    started = await ordering.payments.start(
        ordering.actor.tenant_id,
        placed.payment_id,
        placed.payment_request,
        on_transfer=enqueue_mail,
    )
    await _cancel_superseded(ordering, placed.superseded)
    if started.url is not None:
        return started.url
    if started.transfer is None:
        return SUCCESS_PATH.format(order_id=placed.order_id)
    return ORDER_PATH.format(order_id=placed.order_id)


async def charge_mandate(ordering: Ordering, placed: PlacedOrder) -> Payment:
    """Charge the mandate; the payment afterwards. Raises PaymentUnavailableError."""
    charged = await ordering.payments.charge(ordering.actor.tenant_id, placed.payment_id)
    await _cancel_superseded(ordering, placed.superseded)
    return charged


async def _cancel_superseded(ordering: Ordering, order_ids: Sequence[UUID]) -> None:
    if order_ids:
        await ordering.payments.cancel_pending(ordering.actor.tenant_id, order_ids)


class CheckoutService:
    """Orders periods for one person."""

    def __init__(self, ordering: Ordering) -> None:
        self._ordering = ordering

    async def place_order(self, data: CheckoutIn) -> CheckoutOut:
        """Order a period; the order and where it is paid (docs/rules.md R28).

        Raises, before a provider is called: SubscriptionSuspendedError, InvalidDriverLimitError,
        BillingDetailsRequiredError, InvalidBillingDetailsError, InvalidTaxIdError,
        InvalidPaymentMethodError, TooManyRequestsError; after it: PaymentDeclinedError,
        PaymentUnavailableError.
        """
        total = self._draft(await self._ordering.snapshot(), data).total
        method = await self._ordering.choose_method(total, data.method, data.blik_code)
        async with self._ordering.locked() as (session, state):
            draft = self._draft(state, data)
            save_details(state.company, draft.details, state.now)
            placed = await OrderPlacement(self._ordering, session).with_redirect(
                draft, method, data.blik_code
            )
        return CheckoutOut(
            url=await start_payment(self._ordering, placed), order_id=placed.order_id
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
                state.company,
                {name: getattr(data, name) for name in BillingDetails.__struct_fields__},
                self._ordering.context.settings,
            ),
            from_limit=period.limit if period is not None and upgrades else None,
            end_date=period.end if period is not None else None,
        )
