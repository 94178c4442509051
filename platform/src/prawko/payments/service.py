"""The interface of payments for billing.

`available_methods`, `start`, `charge` and `cancel_pending` call providers; call them outside of
transactions.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from uuid import UUID

import msgspec

from prawko.hooks.payments import (
    Money,
    NextAction,
    Payer,
    PaymentError,
    PaymentProvider,
    PaymentRequest,
)
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.incidents.provider_pauses import paused_providers
from prawko.kit.observability import logs
from prawko.kit.providers.calls import describe_error
from prawko.payments.available_methods import (
    MethodCache,
    OfferedMethod,
    configured_providers,
    offered_methods,
)
from prawko.payments.errors import PaymentDeclinedError, PaymentUnavailableError
from prawko.payments.mandate_charges import ChargeDetails, charge_payment
from prawko.payments.models import Payment, PaymentMandate, new_reference
from prawko.payments.payment_updater import PaymentUpdater
from prawko.payments.provider_calls import (
    ProviderUnavailableError,
    call_provider,
    get_provider_experience,
    query_provider,
)
from prawko.payments.repository import PaymentRepository
from prawko.payments.returned_values import validate_next_action
from prawko.payments.state_machine import POLL_INTERVAL, UNFINISHED_STATES, PaymentRecordState
from prawko_tenants.ids import TenantId, new_id
from prawko_tenants.sessions import TenantSession

log = logs.get_logger(__name__)


class PaymentService:
    """Starts, charges and cancels payments through the providers of this process."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    async def list_methods(self) -> tuple[OfferedMethod, ...]:
        """Return the configured methods, the default first; none if payments are disabled."""
        return offered_methods(await self._list_providers())

    async def available_methods(self, amount: Money) -> tuple[OfferedMethod, ...]:
        """Return the methods that accept this amount at present, as the providers answer."""
        providers = await self._list_providers()
        cache = self._context.components.get(MethodCache)
        methods = await cache.methods_by_provider(self._context, providers, amount)
        return offered_methods(providers, methods)

    async def create(
        self, session: TenantSession, order_id: UUID, request: PaymentRequest,
        offered_by: Collection[str],
    ) -> UUID:  # fmt: skip
        """Store a payment in the caller's transaction; `start` is the next step.

        Its provider is the first of those that offer the method for this amount and work. Raises
        PaymentUnavailableError if there is none.
        """
        paused = await paused_providers(session, utc_now())
        for provider in configured_providers(self._context):
            capabilities = provider.capabilities
            is_offered = provider.name in offered_by and (
                request.blik_code is None or capabilities.accepts_blik_codes
            )
            if is_offered and not self._rests(provider, paused):
                is_recurring = request.method in capabilities.recurring_methods
                return await self._insert(
                    session,
                    Payment(
                        reference=request.reference,
                        order_id=order_id,
                        provider=provider.name,
                        method=request.method,
                        grosze=request.money.grosze,
                        currency=request.money.currency,
                        save_payment_method=request.save_payment_method and is_recurring,
                    ),
                )
        raise PaymentUnavailableError

    async def start(
        self, tenant_id: TenantId, payment_id: UUID, request: PaymentRequest,
        *, on_transfer: Callable[[TenantSession], Awaitable[None]] | None = None,
    ) -> NextAction:  # fmt: skip
        """Create the payment at its provider and return the payer's next step.

        `request` is the one that the payment was created for. A second call returns the stored
        step. `on_transfer` is called in the transaction that stores transfer instructions. Raises
        PaymentDeclinedError if the provider refuses this payment, PaymentUnavailableError if the
        result is unknown; it is then polled.
        """
        payment = await self._get(tenant_id, payment_id)
        if payment.state is not PaymentRecordState.STARTING:
            return NextAction(ref=payment.ref, url=payment.url, transfer=payment.transfer)
        provider = self._provider(payment.provider)
        request = msgspec.structs.replace(
            request,
            reference=payment.reference,
            money=payment.money,
            method=payment.method,
            save_payment_method=payment.save_payment_method,
        )
        try:
            action = await call_provider(
                self._context,
                provider,
                partial(provider.create_payment, request),
                partial(validate_next_action, ref=payment.ref),
            )
        except PaymentError as error:
            async with self._context.database.tenant(tenant_id) as session:
                await PaymentUpdater(self._context, session).fail(payment, describe_error(error))
            raise PaymentDeclinedError from None
        except ProviderUnavailableError:
            raise PaymentUnavailableError from None
        async with self._context.database.tenant(tenant_id) as session:
            updated = await PaymentUpdater(self._context, session).mark_open(payment, action)
            if on_transfer is not None and updated.transfer is not None:
                await on_transfer(session)
        return action

    async def create_charge(
        self, session: TenantSession, order_id: UUID, money: Money, mandate_id: UUID,
        description: str, payer: Payer,
    ) -> UUID:  # fmt: skip
        """Store a charge of a mandate in the caller's transaction; `charge` is the next step.

        Without that step the payment is charged when it is polled. Raises
        PaymentUnavailableError if the mandate has ended.
        """
        mandate = await PaymentRepository(session).get_mandate(mandate_id)
        if mandate is None:
            raise PaymentUnavailableError
        payment_id = new_id()
        details = msgspec.json.encode(ChargeDetails(description, payer))
        return await self._insert(
            session,
            Payment(
                id=payment_id,
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
            ),
        )

    async def charge(self, tenant_id: TenantId, payment_id: UUID) -> Payment:
        """Charge a mandate; idempotent.

        The payment returned is PAID, FAILED, or OPEN with the `url` where the payer must
        consent. An order that is no longer wanted is not charged: FAILED. Raises
        PaymentUnavailableError if the result is unknown; the payment is then polled.
        """
        payment = await self._get(tenant_id, payment_id)
        if payment.state not in UNFINISHED_STATES:
            return payment
        self._provider(payment.provider)
        try:
            return await charge_payment(self._context, payment)
        except ProviderUnavailableError:
            raise PaymentUnavailableError from None

    async def latest_for_order(self, session: TenantSession, order_id: UUID) -> Payment | None:
        """Return the latest payment of an order."""
        return await PaymentRepository(session).latest_for_order(session.tenant_id, order_id)

    async def cancel_pending(self, tenant_id: TenantId, order_ids: Sequence[UUID]) -> None:
        """Cancel the open payments of these orders where the provider can; others expire."""
        async with self._context.database.tenant(tenant_id) as session:
            unfinished = await PaymentRepository(session).list_unfinished(tenant_id, order_ids)
        for payment in unfinished:
            provider = self._context.plugins.payments.get(payment.provider)
            if provider is None or not provider.capabilities.can_cancel:
                continue
            try:
                status = await query_provider(
                    self._context, provider, partial(provider.cancel, payment.ref), payment.ref
                )
            except ProviderUnavailableError:
                continue  # polled later, like any other
            async with self._context.database.tenant(tenant_id) as session:
                await PaymentUpdater(self._context, session).apply(payment, status)

    async def get_mandate(self, session: TenantSession, mandate_id: UUID) -> PaymentMandate | None:
        """Return a mandate of the session's company; None if it has ended."""
        return await PaymentRepository(session).get_mandate(mandate_id)

    async def _list_providers(self) -> list[PaymentProvider]:
        """Return the configured providers, those that take payments now before those that rest."""
        async with self._context.database.system() as session:
            paused = await paused_providers(session, utc_now())
        return sorted(configured_providers(self._context), key=lambda one: self._rests(one, paused))

    def _rests(self, provider: PaymentProvider, paused: Collection[str]) -> bool:
        """Whether a provider takes no payment now."""
        plugin = get_provider_experience(self._context, provider)
        return provider.name in paused or plugin.rests_until() is not None

    async def _insert(self, session: TenantSession, payment: Payment) -> UUID:
        payment.tenant_id, payment.created_at = session.tenant_id, self._context.clock.now()
        payment.state = PaymentRecordState.STARTING
        payment.next_poll_at = payment.created_at + POLL_INTERVAL
        await PaymentRepository(session).insert(payment)
        return payment.id

    async def _get(self, tenant_id: TenantId, payment_id: UUID) -> Payment:
        async with self._context.database.tenant(tenant_id) as session:
            return await PaymentRepository(session).get(tenant_id, payment_id)

    def _provider(self, name: str) -> PaymentProvider:
        provider = self._context.plugins.payments.get(name)
        if provider is None:
            log.error("provider_missing", provider=name)
            raise PaymentUnavailableError
        return provider
