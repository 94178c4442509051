"""Applies a provider's answer: payment, mandate, order handler and discrepancies at once.

One transaction, all or nothing: after a crash the payment is queried and the answer applied
again. The payment's row is locked first, so that concurrent processes apply an answer once.
"""

from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from prawko.base import logs
from prawko.base.context import AppContext
from prawko.base.redaction import redact
from prawko.hooks.payments import Mandate, Money, PaymentRef, ProviderPayment
from prawko.incidents.provider_pauses import resume_provider
from prawko.payments.discrepancies import NewDiscrepancy, report_discrepancy
from prawko.payments.models import DiscrepancyKind
from prawko.payments.order_handler import (
    FailedPayment,
    FulfilmentResult,
    OrderHandler,
    PaidPayment,
    RefundedPayment,
)
from prawko.payments.repository import EncryptedMandate, PaymentRecord, PaymentRepository
from prawko.payments.state_machine import (
    MAX_OPEN_TIME,
    UNFINISHED_STATES,
    Effect,
    Observation,
    PaymentRecordState,
    Transition,
    classify_payment,
    decide_scheduled_transition,
    decide_transition,
    next_poll_at,
)
from prawko_tenants.ids import new_id
from prawko_tenants.sessions import BatchSession, TenantSession

log = logs.get_logger(__name__)

PaymentSession = TenantSession | BatchSession

PAID_STATES = frozenset({PaymentRecordState.PAID, PaymentRecordState.REFUNDED})
# How long a payer may take to consent to a charge, if the provider sets no limit.
CONSENT_TIMEOUT = timedelta(days=1)

EXPIRED_REASON = "it was not paid in time"
NEVER_STARTED_REASON = "it never reached the provider"
REFUNDED_REASON = "it was refunded"
KIND_BY_OBSERVATION = {
    Observation.PAID_TWICE: DiscrepancyKind.PAID_TWICE,
    Observation.WRONG_AMOUNT: DiscrepancyKind.WRONG_AMOUNT,
    Observation.WRONG_CURRENCY: DiscrepancyKind.WRONG_CURRENCY,
}
KIND_BY_RESULT = {
    FulfilmentResult.PAID_TWICE: (
        DiscrepancyKind.PAID_TWICE,
        "its order, or another for the same, was paid already",
    ),
    FulfilmentResult.VOID: (DiscrepancyKind.VOID_ORDER, "its order can no longer be fulfilled"),
    FulfilmentResult.SUSPENDED: (
        DiscrepancyKind.SUSPENDED,
        "an operator has closed the subscription",
    ),
}


class PaymentUpdater:
    """Updates payments in the caller's transaction, a session of the payment's company."""

    def __init__(
        self, context: AppContext, session: PaymentSession, order_handler: OrderHandler
    ) -> None:
        self._context = context
        self._session = session
        self._order_handler = order_handler
        self._payments = PaymentRepository(session)

    async def apply(
        self,
        payment: PaymentRecord,
        provider_payment: ProviderPayment | None,
        *,
        is_scheduled_poll: bool = False,
    ) -> PaymentRecord:
        """Apply the provider's answer and return the payment as it is then.

        A scheduled poll also ends a payment whose time is over.
        """
        now = self._context.clock.now()
        current = await self._lock(payment)
        observation = classify_payment(
            provider_payment,
            current.money,
            current.provider_ref if current.state in PAID_STATES else None,
        )
        transition = (
            decide_scheduled_transition(
                current.state,
                observation,
                created_at=current.created_at,
                expires_at=current.expires_at,
                now=now,
            )
            if is_scheduled_poll
            else decide_transition(current.state, observation)
        )
        await resume_provider(self._session, current.provider)
        updated = self._next_state(current, provider_payment, observation, transition, now)
        await self._save(updated, now)
        await self._run_effect(updated, provider_payment, observation, transition, now)
        if updated.state is not current.state:
            log.info(
                "payment_finished" if updated.finished_at else "payment_opened",
                payment_id=str(current.id),
                provider=current.provider,
                state=updated.state.value,
            )
        return updated

    async def fail(self, payment: PaymentRecord, reason: str) -> PaymentRecord:
        """Mark a payment as failed, unless it is finished; returns it as it is then."""
        now = self._context.clock.now()
        current = await self._lock(payment)
        await resume_provider(self._session, current.provider)
        if current.state not in UNFINISHED_STATES:
            return current  # it was paid in the meantime
        failed = msgspec.structs.replace(
            current,
            state=PaymentRecordState.FAILED,
            reason=redact(reason) or None,
            finished_at=now,
            encrypted_details=None,
        )
        await self._save(failed, now)
        await self._notify_failed(failed, expired=False)
        log.info("payment_declined", payment_id=str(current.id), provider=current.provider)
        return failed

    async def mark_open(self, payment: PaymentRecord, **changes: object) -> PaymentRecord:
        """Store that the provider has created the payment, unless it is finished already."""
        now = self._context.clock.now()
        current = await self._lock(payment)
        await resume_provider(self._session, current.provider)
        if current.state in UNFINISHED_STATES:
            current = msgspec.structs.replace(current, state=PaymentRecordState.OPEN, **changes)
            await self._save(current, now)
        return current

    async def _lock(self, payment: PaymentRecord) -> PaymentRecord:
        current = await self._payments.lock(payment.tenant_id, payment.id)
        if current is None:
            raise LookupError("the payment does not exist")
        return current

    async def _save(self, payment: PaymentRecord, now: datetime) -> None:
        provider = self._context.plugins.payments.get(payment.provider)
        due = next_poll_at(
            payment.state,
            expires_at=payment.expires_at,
            finished_at=payment.finished_at,
            now=now,
            can_query_status=provider is None or provider.capabilities.can_query_status,
        )
        await self._payments.update(payment, next_poll_at=due)

    def _next_state(
        self,
        record: PaymentRecord,
        provider_payment: ProviderPayment | None,
        observation: Observation,
        transition: Transition,
        now: datetime,
    ) -> PaymentRecord:
        """Return the payment after a transition."""
        changes: dict[str, object] = {"state": transition.state}
        if provider_payment is not None and record.state not in PAID_STATES:
            changes["provider_ref"] = provider_payment.ref.provider_ref or record.provider_ref
        if transition.state is PaymentRecordState.OPEN:
            url = provider_payment.url if provider_payment is not None else None
            open_time = MAX_OPEN_TIME if record.mandate_id is None else CONSENT_TIMEOUT
            changes["url"] = url or record.url
            changes["expires_at"] = record.expires_at or now + open_time
        elif transition.state is not record.state:
            changes |= {
                "finished_at": now,
                "encrypted_details": None,
                "reason": _failure_reason(provider_payment, observation, transition),
            }
        return msgspec.structs.replace(record, **changes)

    async def _run_effect(
        self,
        payment: PaymentRecord,
        provider_payment: ProviderPayment | None,
        observation: Observation,
        transition: Transition,
        now: datetime,
    ) -> None:
        match transition.effect:
            case Effect.FULFIL if provider_payment is not None:
                await self._notify_paid(payment, provider_payment.mandate, now)
            case Effect.FAIL | Effect.EXPIRE:
                await self._notify_failed(payment, expired=transition.effect is Effect.EXPIRE)
            case Effect.REVERSE:
                await self._reverse(payment, now)
            case Effect.REPORT if provider_payment is not None:
                discrepancy = _discrepancy(
                    payment,
                    KIND_BY_OBSERVATION[observation],
                    _describe_mismatch(payment, provider_payment),
                    ref=provider_payment.ref,
                    money=provider_payment.money,
                )
                await report_discrepancy(self._session, discrepancy, now)
            case _:
                pass

    async def _notify_paid(
        self, payment: PaymentRecord, mandate: Mandate | None, now: datetime
    ) -> None:
        if not await self._payments.tenant_exists(payment.tenant_id):
            discrepancy = _discrepancy(
                payment, DiscrepancyKind.VOID_ORDER, "its company was erased"
            )
            await report_discrepancy(self._session, discrepancy, now)
            return
        mandate_id = payment.mandate_id
        if mandate is not None and payment.save_payment_method and mandate_id is None:
            mandate_id = await self._save_mandate(payment, mandate, now)
        result = await self._order_handler.on_paid(
            self._session,
            PaidPayment(
                tenant_id=payment.tenant_id,
                payment_id=payment.id,
                order_id=payment.order_id,
                money=payment.money,
                method=payment.method,
                provider=payment.provider,
                mandate_id=mandate_id,
                paid_at=now,
            ),
        )
        if result in KIND_BY_RESULT:
            kind, detail = KIND_BY_RESULT[result]
            await report_discrepancy(self._session, _discrepancy(payment, kind, detail), now)

    async def _save_mandate(self, payment: PaymentRecord, mandate: Mandate, now: datetime) -> UUID:
        mandate_id = new_id()
        cipher = self._context.key_ring.payload_cipher
        await self._payments.insert_mandate(
            payment.tenant_id,
            EncryptedMandate(
                id=mandate_id,
                provider=payment.provider,
                method=payment.method,
                token=cipher.encrypt(mandate.token.encode(), associated_data=mandate_id.bytes),
                key_id=cipher.current_key_id,
                label=redact(mandate.label),
                created_at=now,
            ),
        )
        return mandate_id

    async def _notify_failed(self, payment: PaymentRecord, *, expired: bool) -> None:
        if not await self._payments.tenant_exists(payment.tenant_id):
            return
        await self._order_handler.on_failed(
            self._session,
            FailedPayment(
                tenant_id=payment.tenant_id,
                payment_id=payment.id,
                order_id=payment.order_id,
                reason=payment.reason or "",
                expired=expired,
            ),
        )

    async def _reverse(self, payment: PaymentRecord, now: datetime) -> None:
        if payment.refunded_grosze < payment.grosze:  # not refunded by an operator here
            discrepancy = _discrepancy(payment, DiscrepancyKind.REFUNDED_ELSEWHERE, REFUNDED_REASON)
            await report_discrepancy(self._session, discrepancy, now)
        if await self._payments.tenant_exists(payment.tenant_id):
            await self._order_handler.on_refunded(
                self._session,
                RefundedPayment(
                    tenant_id=payment.tenant_id,
                    payment_id=payment.id,
                    order_id=payment.order_id,
                    money=payment.money,
                ),
            )


def _discrepancy(
    payment: PaymentRecord,
    kind: DiscrepancyKind,
    detail: str,
    *,
    ref: PaymentRef | None = None,
    money: Money | None = None,
) -> NewDiscrepancy:
    return NewDiscrepancy(
        kind=kind,
        provider=payment.provider,
        ref=PaymentRef(payment.reference, (ref or payment.ref).provider_ref),
        money=money or payment.money,
        detail=detail,
        tenant_id=payment.tenant_id,
    )


def _failure_reason(
    provider_payment: ProviderPayment | None, observation: Observation, transition: Transition
) -> str | None:
    """Return the reason of a failure; None for any other transition."""
    if transition.effect is Effect.EXPIRE:
        return EXPIRED_REASON
    if observation is Observation.REFUNDED:
        return REFUNDED_REASON
    if transition.effect is not Effect.FAIL:
        return None
    if provider_payment is None:
        return NEVER_STARTED_REASON
    return redact(provider_payment.reason) or None


def _describe_mismatch(payment: PaymentRecord, provider_payment: ProviderPayment) -> str:
    if provider_payment.money == payment.money:
        return f"it was paid before, by {payment.provider_ref}"
    expected = f"{payment.grosze / 100:.2f} {payment.currency}"
    return f"{provider_payment.state.value}, but {expected} was requested"
