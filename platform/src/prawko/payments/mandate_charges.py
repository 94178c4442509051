"""Charges mandates: once per reference, and only while the order is wanted.

A payment is stored before it is charged, so that another process can take over after a crash.
Each attempt asks the order handler, in a short transaction that locks the company, whether the
order is still chargeable; a customer who cancelled before is not charged. The provider is called
afterwards, outside of transactions: a cancellation during the charge comes too late, and the
payment is reported as a discrepancy (`void_order`).
"""

from functools import partial

import msgspec

from prawko.hooks.payments import (
    Mandate,
    Payer,
    PaymentError,
    PaymentProvider,
    PaymentRequest,
    RecurringProvider,
)
from prawko.kit.context import AppContext
from prawko.kit.crypto import DecryptionError
from prawko.kit.observability import logs
from prawko.kit.providers.calls import describe_error
from prawko.payments.models import Payment
from prawko.payments.order_handler import get_order_handler
from prawko.payments.payment_updater import PaymentUpdater
from prawko.payments.provider_calls import call_provider, fetch_final_status
from prawko.payments.repository import PaymentRepository
from prawko.payments.returned_values import validate_charge
from prawko_tenants.sessions import TenantSession

log = logs.get_logger(__name__)

RETURN_PATH = "/panel/subscription"
NOT_CHARGEABLE = "its order is no longer wanted"
MANDATE_ENDED = "the mandate has ended"


class ChargeDetails(msgspec.Struct, frozen=True):
    """The details of a charge for the provider; stored encrypted until the charge ends."""

    description: str
    payer: Payer


async def charge_payment(context: AppContext, payment: Payment) -> Payment:
    """Charge a payment if it is chargeable; returns it as it is then.

    Call it outside of transactions. Raises ProviderUnavailableError.
    """
    provider = context.plugins.payments[payment.provider]
    async with context.database.tenant(payment.tenant_id) as session:
        prepared = await _prepare_charge(context, session, payment)
    if isinstance(prepared, str):
        return await _abandon_charge(context, payment, provider, prepared)
    if not isinstance(provider, RecurringProvider):
        return await _abandon_charge(context, payment, provider, MANDATE_ENDED)
    mandate, request = prepared
    try:
        charged = await call_provider(
            context, provider, partial(provider.charge, mandate, request),
            partial(validate_charge, ref=payment.ref),
        )  # fmt: skip
    except PaymentError as error:
        async with context.database.tenant(payment.tenant_id) as session:
            return await PaymentUpdater(context, session).fail(payment, describe_error(error))
    async with context.database.tenant(payment.tenant_id) as session:
        return await PaymentUpdater(context, session).apply(payment, charged)


async def is_wanted(context: AppContext, session: TenantSession, payment: Payment) -> bool:
    """Return whether the company exists and a charge would fulfil the order; locks the company."""
    if not await PaymentRepository(session).tenant_exists(payment.tenant_id):
        return False
    return await get_order_handler(context).is_chargeable(session, payment.order_id)


async def _prepare_charge(
    context: AppContext, session: TenantSession, payment: Payment
) -> tuple[Mandate, PaymentRequest] | str:
    """Return what to send to the provider, or the reason not to charge."""
    payments = PaymentRepository(session)
    if not await is_wanted(context, session, payment):
        return NOT_CHARGEABLE
    mandate = payment.mandate_id and await payments.get_mandate(payment.mandate_id)
    if not mandate or payment.encrypted_details is None:
        return MANDATE_ENDED
    cipher = context.key_ring.payload_cipher
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
        return_url=f"{context.settings.base_url}{RETURN_PATH}",
    )
    return Mandate(token.decode(), mandate.label), request


async def _abandon_charge(
    context: AppContext, payment: Payment, provider: PaymentProvider, reason: str
) -> Payment:
    """End a payment that is not to be charged, unless it was charged before.

    An earlier process may have crashed after its charge, so the provider is queried first.
    """
    status = await fetch_final_status(context, provider, payment)
    async with context.database.tenant(payment.tenant_id) as session:
        updater = PaymentUpdater(context, session)
        if status is not None:
            return await updater.apply(payment, status)
        log.info("charge_abandoned", payment_id=str(payment.id), reason=reason)
        return await updater.fail(payment, reason)
