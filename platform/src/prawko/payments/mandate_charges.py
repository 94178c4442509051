"""Charges mandates: once per reference, and only while the order is wanted.

A payment is stored before it is charged, so that another process can take over after a crash.
Each attempt asks the order handler, in a short transaction that locks the company, whether the
order is still chargeable; whoever cancelled before that is not charged. The provider is called
afterwards, outside of transactions: a cancellation during the charge comes too late, and the
payment is reported as a discrepancy (`void_order`).
"""

import msgspec

from prawko.base import logs
from prawko.base.context import AppContext
from prawko.base.crypto import DecryptionError
from prawko.hooks.payments import (
    Mandate,
    Payer,
    PaymentError,
    PaymentProvider,
    PaymentRequest,
    ProviderPayment,
    RecurringProvider,
)
from prawko.payments.order_handler import OrderHandler
from prawko.payments.payment_updater import PaymentUpdater
from prawko.payments.provider_calls import call_provider, fetch_final_status
from prawko.payments.repository import PaymentRecord, PaymentRepository
from prawko_tenants.sessions import TenantSession

log = logs.get_logger(__name__)

RETURN_PATH = "/panel/subscription"
NOT_CHARGEABLE = "its order is no longer wanted"
MANDATE_ENDED = "the mandate has ended"


class ChargeDetails(msgspec.Struct, frozen=True):
    """The details of a charge for the provider; stored encrypted until the charge ends."""

    description: str
    payer: Payer


class MandateCharger:
    """Charges one payment at a time; call it outside of transactions."""

    def __init__(self, context: AppContext, order_handler: OrderHandler) -> None:
        self._context = context
        self._order_handler = order_handler

    async def charge(self, payment: PaymentRecord) -> PaymentRecord:
        """Charge a payment if it is chargeable; returns it as it is then.

        Raises ProviderUnavailableError.
        """
        provider = self._context.plugins.payments[payment.provider]
        async with self._context.database.tenant(payment.tenant_id) as session:
            prepared = await self._prepare(session, payment)
        if isinstance(prepared, str):
            return await self._abandon(payment, provider, prepared)
        if not isinstance(provider, RecurringProvider):
            return await self._abandon(payment, provider, MANDATE_ENDED)
        mandate, request = prepared
        try:
            charged = await call_provider(
                self._context, provider, provider.charge(mandate, request)
            )
        except PaymentError as error:
            return await self._fail(payment, str(error))
        return await self._apply(payment, charged)

    async def _prepare(
        self, session: TenantSession, payment: PaymentRecord
    ) -> tuple[Mandate, PaymentRequest] | str:
        """Return what to send to the provider, or the reason not to charge."""
        payments = PaymentRepository(session)
        if not await payments.tenant_exists(payment.tenant_id):
            return NOT_CHARGEABLE
        if not await self._order_handler.is_chargeable(session, payment.order_id):
            return NOT_CHARGEABLE
        mandate = (
            None
            if payment.mandate_id is None
            else await payments.get_mandate(payment.tenant_id, payment.mandate_id)
        )
        if mandate is None or payment.encrypted_details is None:
            return MANDATE_ENDED
        cipher = self._context.key_ring.payload_cipher
        try:
            token = cipher.decrypt(mandate.key_id, mandate.token, associated_data=mandate.id.bytes)
            encoded = cipher.decrypt(
                cipher.current_key_id, payment.encrypted_details, associated_data=payment.id.bytes
            )
        except DecryptionError:
            return MANDATE_ENDED
        details = msgspec.json.decode(encoded, type=ChargeDetails)
        request = PaymentRequest(
            reference=payment.reference,
            money=payment.money,
            method=payment.method,
            description=details.description,
            payer=details.payer,
            return_url=f"{self._context.settings.base_url}{RETURN_PATH}",
        )
        return Mandate(token.decode(), mandate.label), request

    async def _abandon(
        self, payment: PaymentRecord, provider: PaymentProvider, reason: str
    ) -> PaymentRecord:
        """End a payment that is not to be charged, unless it was charged before.

        An earlier process may have crashed after its charge, so the provider is queried first.
        """
        status = await fetch_final_status(self._context, provider, payment)
        if status is not None:
            return await self._apply(payment, status)
        log.info("charge_abandoned", payment_id=str(payment.id), reason=reason)
        return await self._fail(payment, reason)

    async def _apply(self, payment: PaymentRecord, status: ProviderPayment) -> PaymentRecord:
        async with self._context.database.tenant(payment.tenant_id) as session:
            updater = PaymentUpdater(self._context, session, self._order_handler)
            return await updater.apply(payment, status)

    async def _fail(self, payment: PaymentRecord, reason: str) -> PaymentRecord:
        async with self._context.database.tenant(payment.tenant_id) as session:
            updater = PaymentUpdater(self._context, session, self._order_handler)
            return await updater.fail(payment, reason)
