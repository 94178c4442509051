"""Records the results of sending, each in a short transaction of its own."""

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from prawko.base import logs
from prawko.base.backoff import BACKOFF, MAX_ATTEMPTS
from prawko.base.clock import utc_now
from prawko.base.lease import retry_write
from prawko.base.redaction import redact
from prawko.hooks.channels import Channel, DeliveryError, ReportingChannel
from prawko.hooks.errors import ProviderAccountError
from prawko.incidents.provider_pauses import (
    PAUSE_DURATION,
    pause_provider,
    resume_provider,
    sync_pause_incidents,
)
from prawko.incidents.repository import IncidentRepository
from prawko.incidents.service import OPERATOR_MAIL
from prawko.outbox.models import Delivery
from prawko.outbox.rendering import DeliveryFeedback, DueMessage, RenderedMessage
from prawko.outbox.repository import DeliveryRepository, FailureReason
from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import BatchSession, SystemSession

log = logs.get_logger(__name__)

ACCOUNT_REFUSED_INCIDENT = "channel_refused"
MAX_RETRY_AFTER = timedelta(days=1)


class DeliveryResults:
    """Records the results of one channel's messages."""

    def __init__(self, database: Database, feedback: DeliveryFeedback, channel: Channel) -> None:
        self._database = database
        self._feedback = feedback
        self._channel = channel
        self._channel_healthy = False

    async def mark_sent(
        self, row: Delivery, due: DueMessage, carrier_ref: str | None, lease_ends: datetime
    ) -> None:
        """Record that the carrier accepted the message.

        Retries while the lease lasts, because an unrecorded message would be sent again. The
        follow-up has a transaction of its own, so that its failure cannot undo the result.
        """
        now = utc_now()

        async def record() -> bool:
            async with self._database.system() as session:
                return await DeliveryRepository(session).mark_sent(row, now, carrier_ref)

        recorded = await retry_write(
            lease_ends,
            record,
            should_retry=lambda error: isinstance(error, Exception),
            delivery_id=str(row.id),
        )
        if not recorded:
            log.warning("delivery_lease_lost", delivery_id=str(row.id))
            return
        log.info("delivery_sent", delivery_id=str(row.id), kind=row.kind, attempts=row.attempts)
        try:
            await self._after_sent(row, due, now)
        except Exception:
            log.exception("delivery_follow_up_failed", delivery_id=str(row.id))

    async def _after_sent(self, row: Delivery, due: DueMessage, now: datetime) -> None:
        async with self._tenant_session(row.tenant_id) as session:
            # First, in the order in which a pause locks its rows.
            if not self._channel_healthy and await resume_provider(
                session, self._channel.name, now
            ):
                await self._sync_incident(session, now)
            if row.kind == OPERATOR_MAIL and row.subject_id is not None:
                await IncidentRepository(session).mark_mailed(row.subject_id, now)
            if not isinstance(self._channel, ReportingChannel):  # else its report decides
                await self._feedback.on_delivered(session, due)
        self._channel_healthy = True

    async def mark_failed(self, row: Delivery, failure: FailureReason, reason: str = "") -> None:
        """Record that the message will not be sent; no feedback, the address is not at fault."""
        async with self._database.system() as session:
            await DeliveryRepository(session).mark_failed(row, failure, reason)
        log.info("delivery_dropped", delivery_id=str(row.id), kind=row.kind, failure=failure.value)

    async def reject_address(
        self, row: Delivery, due: DueMessage, message: RenderedMessage, error: DeliveryError
    ) -> None:
        """Record that the carrier permanently rejected the address."""
        reason = _redact_reason(error, message)
        async with self._tenant_session(row.tenant_id) as session:
            if await DeliveryRepository(session).mark_failed(
                row, FailureReason.ADDRESS_REJECTED, reason
            ):
                await self._feedback.on_refused(session, due, reason)
        log.warning("delivery_refused", delivery_id=str(row.id), kind=row.kind)

    async def give_up(
        self, row: Delivery, due: DueMessage, failure: FailureReason, reason: str = ""
    ) -> None:
        """Record that no attempt is left.

        The message leaves the outbox even if the feedback fails: it would block the others.
        """
        try:
            async with self._tenant_session(row.tenant_id) as session:
                if await DeliveryRepository(session).mark_failed(row, failure, reason):
                    await self._feedback.on_given_up(session, due)
        except Exception:
            log.exception("delivery_feedback_failed", delivery_id=str(row.id))
            await self.mark_failed(row, failure, reason)

    async def retry_later(
        self,
        row: Delivery,
        due: DueMessage,
        error: Exception,
        message: RenderedMessage | None = None,
    ) -> None:
        """Schedule the next attempt; the last one is final. Without `message`, rendering failed."""
        failure = FailureReason.INTERNAL_ERROR if message is None else _classify_failure(error)
        is_bug = failure is FailureReason.INTERNAL_ERROR  # its text may quote personal data
        reason = type(error).__name__ if is_bug else _redact_reason(error, message)
        retry_after = error.retry_after if isinstance(error, DeliveryError) else None
        delay = next_delay(row.attempts, retry_after=retry_after)
        if delay is None:
            await self.give_up(row, due, failure, reason)
        else:
            async with self._database.system() as session:
                next_try_at = utc_now() + delay
                await DeliveryRepository(session).reschedule(row, next_try_at, failure, reason)
        event = "delivery_failed" if delay is None else "delivery_rescheduled"
        details = {"delivery_id": str(row.id), "kind": row.kind, "attempts": row.attempts}
        if is_bug:
            log.error(event, failure=failure.value, exc_info=error, **details)
        else:
            log.warning(event, failure=failure.value, **details)

    async def pause_channel(
        self, row: Delivery, message: RenderedMessage, error: ProviderAccountError
    ) -> None:
        """Pause the channel because the carrier rejected our account, and open an incident."""
        now = utc_now()
        reason = _redact_reason(error, message)
        async with self._database.system() as session:
            await pause_provider(session, self._channel.name, reason, now)
            await DeliveryRepository(session).reschedule(
                row, now + PAUSE_DURATION, FailureReason.ACCOUNT_REJECTED, reason
            )
            await self._sync_incident(session, now)
        self._channel_healthy = False

    async def release(self, row: Delivery) -> None:
        """Give back the lease of a message that was not tried."""
        async with self._database.system() as session:
            await DeliveryRepository(session).release(row)

    async def _sync_incident(self, session: SystemSession | BatchSession, now: datetime) -> None:
        await sync_pause_incidents(session, ACCOUNT_REFUSED_INCIDENT, [self._channel.name], now)

    @asynccontextmanager
    async def _tenant_session(self, tenant_id: TenantId | None) -> AsyncGenerator[BatchSession]:
        async with self._database.batch() as session:
            if tenant_id is not None:
                await session.switch_tenant(tenant_id)
            yield session


def next_delay(attempts: int, *, retry_after: float | None = None) -> timedelta | None:
    """Return the delay after `attempts` failures; None when no attempt is left.

    `retry_after` is the carrier's own request in seconds, honoured up to MAX_RETRY_AFTER.
    """
    if attempts >= MAX_ATTEMPTS:
        return None
    if retry_after is None:
        return BACKOFF.delay(attempts)
    return min(timedelta(seconds=max(0.0, retry_after)), MAX_RETRY_AFTER)


def _classify_failure(error: Exception) -> FailureReason:
    match error:
        case DeliveryError():
            return FailureReason.TRANSIENT
        case TimeoutError():
            return FailureReason.TIMEOUT
        case _:
            return FailureReason.INTERNAL_ERROR


def _redact_reason(error: Exception, message: RenderedMessage | None) -> str:
    """Return the carrier's reason without personal data of the message, which it may repeat."""
    reason = str(error).strip() or type(error).__name__
    if message is not None:
        content, recipient = message.content, message.recipient
        for personal in (
            recipient.email,
            recipient.phone,
            content.code,
            content.link,
            content.subject,
        ):
            if personal:
                reason = re.sub(re.escape(personal), "…", reason, flags=re.IGNORECASE)
    return redact(reason)
