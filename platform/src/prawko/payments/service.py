"""The interface of payments for billing.

Methods without a session call providers and must be called outside of transactions.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from uuid import UUID

import msgspec

from prawko.base import logs
from prawko.base.clock import utc_now
from prawko.base.context import AppContext
from prawko.hooks.payments import (
    Money,
    Payer,
    PaymentError,
    PaymentProvider,
    PaymentRequest,
)
from prawko.incidents.provider_pauses import paused_providers
from prawko.payments.available_methods import MethodCache, configured_providers, offered_methods
from prawko.payments.errors import PaymentDeclinedError, PaymentUnavailableError
from prawko.payments.mandate_charges import ChargeDetails, MandateCharger
from prawko.payments.order_handler import OrderHandler, OrderHandlerRegistry
from prawko.payments.payment_updater import PaymentUpdater
from prawko.payments.provider_calls import (
    ProviderUnavailableError,
    call_provider,
    query_provider,
)
from prawko.payments.references import new_reference
from prawko.payments.repository import PaymentRecord, PaymentRepository
from prawko.payments.state_machine import (
    MAX_OPEN_TIME,
    POLL_INTERVAL,
    UNFINISHED_STATES,
    PaymentRecordState,
)
from prawko.payments.types import (
    MandateView,
    OfferedMethod,
    PaymentIntent,
    PaymentView,
    StartedPayment,
)
from prawko_tenants.ids import TenantId, new_id
from prawko_tenants.sessions import TenantSession

log = logs.get_logger(__name__)


class PaymentService:
    """Payments of this process; uses the registered order handler unless another is given."""

    def __init__(self, context: AppContext, order_handler: OrderHandler | None = None) -> None:
        self._context = context
        self._given_handler = order_handler

    def list_methods(self) -> tuple[OfferedMethod, ...]:
        """Return the configured methods, the default first; none if payments are disabled."""
        return offered_methods(configured_providers(self._context))

    async def available_methods(self, amount: Money) -> tuple[OfferedMethod, ...]:
        """Return the methods that accept this amount at present, as the providers answer."""
        providers = configured_providers(self._context)
        return offered_methods(
            providers,
            await self._context.components.get(MethodCache).methods_by_provider(providers, amount),
        )

    async def create(self, session: TenantSession, intent: PaymentIntent) -> UUID:
        """Store a payment in the caller's transaction; `start` is the next step.

        Raises PaymentUnavailableError if no provider offers the method or all of them are paused.
        """
        paused = await paused_providers(session, utc_now())
        for provider in configured_providers(self._context):
            capabilities = provider.capabilities
            is_offered = intent.method in capabilities.methods and (
                intent.blik_code is None or capabilities.accepts_blik_codes
            )
            if is_offered and provider.name not in paused:
                is_recurring = intent.method in capabilities.recurring_methods
                return await self._insert(
                    session,
                    PaymentRecord(
                        id=new_id(),
                        tenant_id=session.tenant_id,
                        reference=new_reference(),
                        order_id=intent.order_id,
                        provider=provider.name,
                        method=intent.method,
                        grosze=intent.money.grosze,
                        currency=intent.money.currency,
                        save_payment_method=intent.save_payment_method and is_recurring,
                        created_at=self._context.clock.now(),
                    ),
                )
        raise PaymentUnavailableError

    async def start(
        self, tenant_id: TenantId, payment_id: UUID, intent: PaymentIntent,
        *, on_transfer: Callable[[TenantSession], Awaitable[None]] | None = None,
    ) -> StartedPayment:  # fmt: skip
        """Create the payment at its provider and return the payer's next step.

        A second call returns the stored one. `on_transfer` is called in the transaction that
        stores transfer instructions. Raises PaymentDeclinedError if the provider refuses this
        payment, PaymentUnavailableError if the result is unknown; it is then polled.
        """
        payment = await self._get(tenant_id, payment_id)
        if payment.state is not PaymentRecordState.STARTING:
            return StartedPayment(payment_id=payment.id, url=payment.url, transfer=payment.transfer)
        request = PaymentRequest(
            reference=payment.reference,
            money=payment.money,
            method=payment.method,
            description=intent.description,
            payer=intent.payer,
            return_url=intent.return_url,
            blik_code=intent.blik_code,
            save_payment_method=payment.save_payment_method,
        )
        provider = self._provider(payment.provider)
        try:
            action = await call_provider(self._context, provider, provider.create_payment(request))
        except PaymentError as error:
            async with self._context.database.tenant(tenant_id) as session:
                await self._updater(session).fail(payment, str(error))
            raise PaymentDeclinedError from None
        except ProviderUnavailableError:
            raise PaymentUnavailableError from None
        open_time = MAX_OPEN_TIME
        if action.expires_in_seconds is not None:
            open_time = timedelta(seconds=action.expires_in_seconds)
        async with self._context.database.tenant(tenant_id) as session:
            updated = await self._updater(session).mark_open(
                payment,
                provider_ref=action.ref.provider_ref,
                url=action.url,
                transfer=action.transfer,
                expires_at=self._context.clock.now() + open_time,
            )
            if on_transfer is not None and updated.transfer is not None:
                await on_transfer(session)
        return StartedPayment(payment_id=payment.id, url=action.url, transfer=action.transfer)

    async def create_charge(
        self,
        session: TenantSession,
        order_id: UUID,
        money: Money,
        mandate_id: UUID,
        description: str,
        payer: Payer,
    ) -> UUID:
        """Store a charge of a mandate in the caller's transaction; `charge` is the next step.

        Without that step the payment is charged when it is polled. Raises
        PaymentUnavailableError if the mandate has ended.
        """
        mandate = await PaymentRepository(session).get_mandate(session.tenant_id, mandate_id)
        if mandate is None:
            raise PaymentUnavailableError
        payment_id = new_id()
        details = msgspec.json.encode(ChargeDetails(description, payer))
        return await self._insert(
            session,
            PaymentRecord(
                id=payment_id,
                tenant_id=session.tenant_id,
                reference=new_reference(),
                order_id=order_id,
                provider=mandate.provider,
                method=mandate.method,
                grosze=money.grosze,
                currency=money.currency,
                save_payment_method=False,
                mandate_id=mandate.id,
                encrypted_details=self._context.key_ring.payload_cipher.encrypt(
                    details, associated_data=payment_id.bytes
                ),
                created_at=self._context.clock.now(),
            ),
        )

    async def charge(self, tenant_id: TenantId, payment_id: UUID) -> PaymentView:
        """Charge a mandate; idempotent.

        The payment returned is PAID, FAILED, or OPEN with the `url` where the payer must
        consent. An order that is no longer wanted is not charged: FAILED. Raises
        PaymentUnavailableError if the result is unknown; the payment is then polled.
        """
        payment = await self._get(tenant_id, payment_id)
        if payment.state not in UNFINISHED_STATES:
            return payment.to_view()
        self._provider(payment.provider)
        try:
            charged = await MandateCharger(self._context, self._order_handler).charge(payment)
        except ProviderUnavailableError:
            raise PaymentUnavailableError from None
        return charged.to_view()

    async def latest_for_order(self, session: TenantSession, order_id: UUID) -> PaymentView | None:
        """Return the latest payment of an order."""
        payment = await PaymentRepository(session).latest_for_order(session.tenant_id, order_id)
        return None if payment is None else payment.to_view()

    async def cancel_pending(self, tenant_id: TenantId, order_ids: Sequence[UUID]) -> None:
        """Cancel the open payments of these orders where the provider can; others expire."""
        async with self._context.database.tenant(tenant_id) as session:
            unfinished = await PaymentRepository(session).list_unfinished(tenant_id, order_ids)
        for payment in unfinished:
            provider = self._context.plugins.payments.get(payment.provider)
            if provider is None or not provider.capabilities.can_cancel:
                continue
            try:
                status = await query_provider(self._context, provider, provider.cancel(payment.ref))
            except ProviderUnavailableError:
                continue  # polled later, like any other
            async with self._context.database.tenant(tenant_id) as session:
                await self._updater(session).apply(payment, status)

    async def get_mandate(self, session: TenantSession, mandate_id: UUID) -> MandateView | None:
        """Return a mandate as its company may see it; None if it has ended."""
        mandate = await PaymentRepository(session).get_mandate(session.tenant_id, mandate_id)
        return None if mandate is None else mandate.to_view()

    async def _insert(self, session: TenantSession, payment: PaymentRecord) -> UUID:
        first_poll = payment.created_at + POLL_INTERVAL
        await PaymentRepository(session).insert(payment, next_poll_at=first_poll)
        return payment.id

    async def _get(self, tenant_id: TenantId, payment_id: UUID) -> PaymentRecord:
        async with self._context.database.tenant(tenant_id) as session:
            payment = await PaymentRepository(session).get(tenant_id, payment_id)
        if payment is None:
            raise LookupError("the payment does not exist")
        return payment

    def _provider(self, name: str) -> PaymentProvider:
        provider = self._context.plugins.payments.get(name)
        if provider is None:
            log.error("provider_missing", provider=name)
            raise PaymentUnavailableError
        return provider

    @property
    def _order_handler(self) -> OrderHandler:
        return self._given_handler or self._context.components.get(OrderHandlerRegistry).handler

    def _updater(self, session: TenantSession) -> PaymentUpdater:
        return PaymentUpdater(self._context, session, self._order_handler)
