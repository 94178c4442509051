"""Applies a provider's answer: payment, mandate, order handler and discrepancies at once.

One transaction, all or nothing: after a crash the payment is queried and the answer applied
again. The payment's row is locked first, so that concurrent processes apply an answer once.
"""

from datetime import datetime, timedelta
from uuid import UUID

from prawko.hooks.payments import Mandate, NextAction, ProviderPayment
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.incidents.models import Detail
from prawko.kit.incidents.provider_pauses import resume_provider
from prawko.kit.money import format_amount
from prawko.kit.observability import logs
from prawko.kit.text.plain_text import redact
from prawko.payments.discrepancies import report_payment_discrepancy
from prawko.payments.models import DiscrepancyKind, Payment, PaymentMandate
from prawko.payments.order_handler import FulfilmentResult, get_order_handler
from prawko.payments.refunds import REFUNDED_REASON, reverse_payment
from prawko.payments.repository import PaymentRepository
from prawko.payments.state_machine import (
    FAILED_STATES,
    MAX_OPEN_TIME,
    PAID_STATES,
    UNDECIDED_STATES,
    UNFINISHED_STATES,
    Observation,
    PaymentRecordState,
    Transition,
    classify_payment,
    decide_scheduled_transition,
    decide_transition,
    next_poll_at,
)
from prawko_tenants.ids import new_id
from prawko_tenants.sessions import TenantSession

log = logs.get_logger(__name__)

# How long a payer may take to consent to a charge, if the provider sets no limit.
CONSENT_TIMEOUT = timedelta(days=1)

EXPIRED_REASON = "it was not paid in time"
NEVER_STARTED_REASON = "it never reached the provider"
KIND_BY_RESULT = {
    FulfilmentResult.PAID_TWICE: (
        DiscrepancyKind.PAID_TWICE,
        Detail("order_paid"),
    ),
    FulfilmentResult.VOID: (DiscrepancyKind.VOID_ORDER, Detail("order_void")),
    FulfilmentResult.SUSPENDED: (
        DiscrepancyKind.SUSPENDED,
        Detail("subscription_closed"),
    ),
}


class PaymentUpdater:
    """Updates payments in the caller's transaction, a session of the payment's company."""

    def __init__(self, context: AppContext, session: TenantSession) -> None:
        self._context = context
        self._session = session
        self._payments = PaymentRepository(session)

    async def apply(
        self, payment: Payment, received: ProviderPayment | None, *, is_scheduled_poll: bool = False
    ) -> Payment:
        """Apply the provider's answer and return the payment as it is then.

        A scheduled poll also ends a payment whose time is over.
        """
        now = self._context.clock.now()
        current = await self._lock(payment)
        state = current.state
        observation = classify_payment(
            received, current.money, current.provider_ref if state in PAID_STATES else None
        )
        transition = (
            decide_scheduled_transition(
                state,
                observation,
                created_at=current.created_at,
                expires_at=current.expires_at,
                now=now,
            )
            if is_scheduled_poll
            else decide_transition(state, observation)
        )
        _change_state(current, received, observation, transition, now)
        await self._save(current, now)
        await self._notify_order_handler(state, current, received, now)
        if transition.is_discrepancy and received is not None:
            await self._report(current, received, observation, now)
        if current.state is not state:
            log.info(
                "payment_finished" if current.finished_at else "payment_opened",
                payment_id=str(current.id),
                provider=current.provider,
                state=current.state.value,
            )
        return current

    async def fail(self, payment: Payment, reason: str) -> Payment:
        """Mark a payment as failed, unless it is finished; returns it as it is then."""
        now = self._context.clock.now()
        current = await self._lock(payment)
        if current.state not in UNFINISHED_STATES:
            return current  # it was paid in the meantime
        _finish(current, PaymentRecordState.FAILED, redact(reason) or None, now)
        await self._save(current, now)
        await self._notify_failed(current)
        log.info("payment_declined", payment_id=str(current.id), provider=current.provider)
        return current

    async def mark_open(self, payment: Payment, action: NextAction) -> Payment:
        """Store that the provider has created the payment, unless it is finished already."""
        now = self._context.clock.now()
        current = await self._lock(payment)
        if current.state in UNFINISHED_STATES:
            open_time = MAX_OPEN_TIME
            if action.expires_in_seconds is not None:
                open_time = timedelta(seconds=action.expires_in_seconds)
            current.state = PaymentRecordState.OPEN
            current.provider_ref = action.ref.provider_ref
            current.url, current.transfer = action.url, action.transfer
            current.expires_at = now + open_time
            await self._save(current, now)
        return current

    async def _lock(self, payment: Payment) -> Payment:
        """Lock a payment whose provider has answered."""
        current = await self._payments.lock(payment)
        await resume_provider(self._session, current.provider, utc_now())
        return current

    async def _save(self, payment: Payment, now: datetime) -> None:
        provider = self._context.plugins.payments.get(payment.provider)
        due = next_poll_at(
            payment.state,
            expires_at=payment.expires_at,
            finished_at=payment.finished_at,
            now=now,
            can_query_status=provider is None or provider.capabilities.can_query_status,
        )
        await self._payments.release(payment, due)

    async def _notify_order_handler(
        self,
        previous: PaymentRecordState,
        payment: Payment,
        received: ProviderPayment | None,
        now: datetime,
    ) -> None:
        """Notify it that the payment was paid, was refunded, or failed; it does not repeat."""
        match previous, payment.state:
            case PaymentRecordState.PAID, PaymentRecordState.REFUNDED:
                await reverse_payment(self._context, self._session, payment, now)
            case before, PaymentRecordState.PAID if before is not PaymentRecordState.PAID:
                mandate = None if received is None else received.mandate
                await self._notify_paid(payment, mandate, now)
            case before, after if before in UNDECIDED_STATES and after in FAILED_STATES:
                await self._notify_failed(payment)

    async def _report(
        self, payment: Payment, received: ProviderPayment, observation: Observation, now: datetime
    ) -> None:
        """Report a discrepancy. A disputed payment is the last that was charged by itself."""
        await report_payment_discrepancy(
            self._session,
            payment,
            DiscrepancyKind(observation.value),
            _describe_mismatch(payment, observation, received),
            now,
            received=received,
        )
        if observation is Observation.DISPUTED:
            await self._stop_renewal(payment, now)

    async def _notify_paid(self, payment: Payment, mandate: Mandate | None, now: datetime) -> None:
        if not await self._payments.tenant_exists(payment.tenant_id):
            await report_payment_discrepancy(
                self._session, payment, DiscrepancyKind.VOID_ORDER, Detail("company_erased"), now
            )
            return
        mandate_id = None  # a mandate that was charged may have been dropped meanwhile
        if mandate is not None and payment.save_payment_method and payment.mandate_id is None:
            mandate_id = await self._save_mandate(payment, mandate, now)
        handler = get_order_handler(self._context)
        result = await handler.on_paid(self._session, payment, mandate_id)
        if result in KIND_BY_RESULT:
            kind, detail = KIND_BY_RESULT[result]
            await report_payment_discrepancy(self._session, payment, kind, detail, now)

    async def _save_mandate(self, payment: Payment, mandate: Mandate, now: datetime) -> UUID:
        mandate_id = new_id()
        cipher = self._context.key_ring.payload_cipher
        await self._payments.insert_mandate(
            PaymentMandate(
                id=mandate_id,
                provider=payment.provider,
                method=payment.method,
                token=cipher.encrypt(mandate.token.encode(), associated_data=mandate_id.bytes),
                key_id=cipher.current_key_id,
                label=redact(mandate.label),
                created_at=now,
            )
        )
        return mandate_id

    async def _stop_renewal(self, payment: Payment, now: datetime) -> None:
        """Charge nothing more by itself to a payer who takes money back through the bank."""
        if await self._payments.tenant_exists(payment.tenant_id):
            await self._payments.end_other_mandates(now, except_id=None)
            await get_order_handler(self._context).on_disputed(self._session, payment)

    async def _notify_failed(self, payment: Payment) -> None:
        if await self._payments.tenant_exists(payment.tenant_id):
            await get_order_handler(self._context).on_failed(self._session, payment)


def _change_state(
    payment: Payment,
    received: ProviderPayment | None,
    observation: Observation,
    transition: Transition,
    now: datetime,
) -> None:
    """Change a payment as its transition says."""
    if received is not None and payment.state not in PAID_STATES:
        payment.provider_ref = received.ref.provider_ref or payment.provider_ref
    if transition.state is PaymentRecordState.OPEN:
        open_time = MAX_OPEN_TIME if payment.mandate_id is None else CONSENT_TIMEOUT
        payment.state = PaymentRecordState.OPEN
        payment.url = (None if received is None else received.url) or payment.url
        payment.expires_at = payment.expires_at or now + open_time
    elif transition.state is not payment.state:
        reason = _failure_reason(received, observation, transition)
        _finish(payment, transition.state, reason, now)


def _finish(payment: Payment, state: PaymentRecordState, reason: str | None, now: datetime) -> None:
    payment.state, payment.reason, payment.finished_at = state, reason, now
    payment.encrypted_details = None


def _failure_reason(
    received: ProviderPayment | None, observation: Observation, transition: Transition
) -> str | None:
    """Return the reason of a failure; None for any other transition."""
    if transition.state is PaymentRecordState.EXPIRED:
        return EXPIRED_REASON
    if observation is Observation.REFUNDED:
        return REFUNDED_REASON
    if transition.state is not PaymentRecordState.FAILED:
        return None
    return NEVER_STARTED_REASON if received is None else redact(received.reason) or None


def _describe_mismatch(
    payment: Payment, observation: Observation, received: ProviderPayment
) -> Detail:
    if observation is Observation.DISPUTED:
        return Detail("payer_disputes")
    if received.money == payment.money:
        return Detail("paid_before", {"reference": payment.provider_ref or ""})
    return Detail("other_money", {"expected": format_amount(payment.grosze, payment.currency)})
