"""Cancelling and resuming a subscription: access lasts until its end (docs/rules.md R5)."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity, ensure_session_active
from prawko.billing.errors import NothingToCancelError, NothingToResumeError
from prawko.billing.models import Subscription, SubscriptionStatus
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.schemas import CancelledOut
from prawko.billing.transitions import (
    HistoryEvent,
    TransitionTrigger,
    transition,
)
from prawko.kit.clock import warsaw_date
from prawko.kit.context import AppContext
from prawko.kit.dates import format_date
from prawko.payments.service import PaymentService
from prawko_tenants.sessions import TenantSession


class CancellationService:
    """Cancels and resumes a company's subscription for one person."""

    def __init__(
        self, context: AppContext, payments: PaymentService, actor: Identity, client: ClientInfo
    ) -> None:
        self._context = context
        self._payments = payments
        self._actor = actor
        self._client_info = client

    async def cancel(self) -> CancelledOut:
        """Cancel the subscription or trial at its end. Raises NothingToCancelError.

        Also in the grace period of a failed renewal, which ends with it. Pending renewal charges
        are cancelled if their provider can; one that is paid all the same is void.
        """
        async with self._context.database.tenant(self._actor.tenant_id) as session:
            cancelled, renewal_ids = await self._cancel_locked(session)
        if renewal_ids:
            await self._payments.cancel_pending(self._actor.tenant_id, renewal_ids)
        return cancelled

    async def resume(self, session: TenantSession) -> None:
        """Withdraw the cancellation, before the end. Raises NothingToResumeError."""
        now = self._context.clock.now()
        _, current = await SubscriptionRepository(session).lock_current()
        if current is None or current.cancelled_at is None:
            raise NothingToResumeError
        if current.status_at(now) is not SubscriptionStatus.ACTIVE:
            raise NothingToResumeError
        _add_history(session, current, HistoryEvent.RESUMED, now)
        current.cancelled_at = None
        current.set_monitored_until(now)

    async def _cancel_locked(self, session: TenantSession) -> tuple[CancelledOut, Sequence[UUID]]:
        await ensure_session_active(session, self._actor)
        now = self._context.clock.now()
        subscriptions = SubscriptionRepository(session)
        _, current = await subscriptions.lock_current()
        if current is None or current.cancelled_at is not None:
            raise NothingToCancelError
        # The effective status: the job that writes the end may not have run yet.
        status = current.status_at(now)
        if await subscriptions.get_monitored(now) is None:
            raise NothingToCancelError
        _add_history(session, current, HistoryEvent.CANCELLED, now)
        current.cancelled_at = now
        current.set_monitored_until(now)
        await record_event(
            session, AuditEvent.SUBSCRIPTION_CANCELLED, self._actor, self._client_info, now
        )
        cancelled = CancelledOut(status=status, cancelled=True, ends_at=current.end_date)
        return cancelled, await subscriptions.pending_renewal_ids()


def _add_history(
    session: TenantSession, current: Subscription, event: HistoryEvent, now: datetime
) -> None:
    until = format_date(warsaw_date(current.end_date))
    transition(
        session, current, TransitionTrigger.CUSTOMER, current.status, event, now, until=until
    )
