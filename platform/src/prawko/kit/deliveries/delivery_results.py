"""Records the results of sending, each in a short transaction of its own."""

import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from uuid import UUID

from prawko.hooks.channels import Channel, DeliveryError, ReportingChannel
from prawko.hooks.errors import ProviderAccountError
from prawko.kit.backoff import BACKOFF, MAX_ATTEMPTS, bounded_delay
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.deliveries.carrier_choice import find_next_carrier
from prawko.kit.incidents.provider_pauses import (
    PAUSE_DURATION,
    pause_provider,
    paused_providers,
    resume_provider,
    sync_pause_incidents,
)
from prawko.kit.incidents.repository import IncidentRepository
from prawko.kit.incidents.service import OPERATOR_MAIL
from prawko.kit.observability import logs
from prawko.kit.observability.metrics import Counter
from prawko.kit.outbox.models import Delivery
from prawko.kit.outbox.rendering import DeliveryFeedback, DueMessage, RenderedMessage
from prawko.kit.outbox.repository import DeliveryRepository, FailureReason
from prawko.kit.providers.calls import PluginFaultError, error_text
from prawko.kit.text.plain_text import redact
from prawko.kit.work.lease import retry_write
from prawko_tenants.ids import TenantId
from prawko_tenants.outages import is_unavailable
from prawko_tenants.sessions import BatchSession, SystemSession

log = logs.get_logger(__name__)

ACCOUNT_REFUSED_INCIDENT = "channel_refused"
LONGEST_RETRY_AFTER = timedelta(days=1)
RECORDING_TIME = timedelta(minutes=3)
# While processes of two releases run, a message may come to one that does not know its kind.
UNKNOWN_KIND_PAUSE = timedelta(seconds=30)

DELIVERIES = Counter(
    "prawko_deliveries_total",
    "Attempts to send a message by medium, channel and result.",
    ("medium", "channel", "result"),
)


class HandedOverMessages:
    """The messages that carriers have and that are not recorded as sent, with their references.

    Of this process: what it could not record it does not send again.
    """

    def __init__(self) -> None:
        self.references: dict[UUID, str | None] = {}


class DeliveryResults:
    """Records the results of one channel's messages."""

    def __init__(self, context: AppContext, feedback: DeliveryFeedback, channel: Channel) -> None:
        self._database = context.database
        self._carrier_names = context.settings.channel_names(channel.medium)
        self._handed_over = context.components.get(HandedOverMessages).references
        self._feedback = feedback
        self._channel = channel
        self._channel_healthy = False
        self._sent: list[DueMessage] = []

    def _count(self, result: str) -> None:
        DELIVERIES.add(self._channel.medium.value, self._channel.name, result)

    def note_handed_over(self, row: Delivery, carrier_ref: str | None) -> None:
        """Remember that the carrier has the message, until that is recorded."""
        self._handed_over[row.id] = carrier_ref

    def is_handed_over(self, row: Delivery) -> bool:
        """Whether this process knows that the carrier has the message."""
        return row.id in self._handed_over

    async def mark_sent(self, row: Delivery, due: DueMessage) -> None:
        """Record that the carrier accepted the message, which is noted as handed over.

        Retries for RECORDING_TIME, in which the lease is renewed, because an unrecorded message
        would be sent again. `follow_up` does what follows.
        """
        now = utc_now()

        async def record() -> bool:
            try:
                async with self._database.system() as session:
                    return await DeliveryRepository(session).mark_sent(
                        row, now, self._handed_over[row.id]
                    )
            except Exception as error:
                if not is_unavailable(error):
                    self._handed_over[row.id] = None  # rather sent without a reference than twice
                raise

        recorded = await retry_write(
            utc_now() + RECORDING_TIME,
            record,
            should_retry=lambda error: isinstance(error, Exception),
            delivery_id=str(row.id),
        )
        del self._handed_over[row.id]
        if not recorded:
            log.warning("delivery_lease_lost", delivery_id=str(row.id))
            return
        self._count("sent")
        log.info("delivery_sent", delivery_id=str(row.id), kind=row.kind, attempts=row.attempts)
        self._sent.append(due)

    async def follow_up(self) -> None:
        """Do what follows from the messages that were sent since the last call.

        A transaction of its own, for all of them, whose failure cannot undo a result.
        """
        sent, self._sent = self._sent, []
        if not sent:
            return
        try:
            await self._follow_up(sent, utc_now())
        except Exception:
            log.exception("delivery_follow_up_failed", count=len(sent))

    async def _follow_up(self, sent: Sequence[DueMessage], now: datetime) -> None:
        async with self._database.system() as session:
            # First, in the order in which a pause locks its rows.
            if not self._channel_healthy and await resume_provider(
                session, self._channel.name, now
            ):
                await self._sync_incident(session, now)
            for due in sent:
                if due.kind == OPERATOR_MAIL and due.subject_id is not None:
                    await IncidentRepository(session).mark_mailed(due.subject_id, now)
            if not isinstance(self._channel, ReportingChannel):  # else its report decides
                await self._feedback.on_delivered(session, sent)
        self._channel_healthy = True

    async def mark_failed(self, row: Delivery, failure: FailureReason, reason: str = "") -> None:
        """Record that the message will not be sent; no feedback, the address is not at fault."""
        async with self._database.system() as session:
            await DeliveryRepository(session).mark_failed(row, failure, reason)
        self._count(failure.value)
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
        self._count(FailureReason.ADDRESS_REJECTED.value)
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
        reason = _describe_bug(error) if is_bug else _redact_reason(error, message)
        retry_after = error.retry_after if isinstance(error, DeliveryError) else None
        delay = next_delay(row.attempts, retry_after=retry_after)
        if delay is None:
            await self.give_up(row, due, failure, reason)
        else:
            async with self._database.system() as session:
                next_try_at = utc_now() + delay
                carrier = await self._find_next_carrier(session, error)
                await DeliveryRepository(session).reschedule(
                    row, next_try_at, failure, reason, carrier=carrier
                )
        self._count("given_up" if delay is None else f"retried_{failure.value}")
        event = "delivery_failed" if delay is None else "delivery_rescheduled"
        details = {"delivery_id": str(row.id), "kind": row.kind, "attempts": row.attempts}
        if is_bug:
            log.error(event, failure=failure.value, exc_info=error, **details)
        else:
            channel = self._channel.name
            log.warning(event, failure=failure.value, channel=channel, reason=reason, **details)

    async def _find_next_carrier(self, session: SystemSession, error: Exception) -> str:
        """Return who tries next: another one only if this one surely has not got the message."""
        if not (isinstance(error, DeliveryError) and error.not_taken):
            return self._channel.name
        resting = await paused_providers(session, utc_now())
        return find_next_carrier(self._channel.name, self._carrier_names, resting)

    async def pause_channel(
        self, row: Delivery, message: RenderedMessage, error: ProviderAccountError
    ) -> None:
        """Pause the channel because the carrier rejected our account, and open an incident."""
        now = utc_now()
        reason = _redact_reason(error, message)
        async with self._database.system() as session:
            await pause_provider(session, self._channel.name, reason, now)
            await DeliveryRepository(session).reschedule(
                row,
                now if len(self._carrier_names) > 1 else now + PAUSE_DURATION,
                FailureReason.ACCOUNT_REJECTED,
                reason,
                carrier=self._channel.name,
            )
            await self._sync_incident(session, now)
        self._channel_healthy = False

    async def release(self, row: Delivery) -> None:
        """Give back the lease of a message that was not tried."""
        async with self._database.system() as session:
            await DeliveryRepository(session).release(row)

    async def leave(self, row: Delivery) -> None:
        """Give back, for a while, a message of a kind that a newer process knows."""
        async with self._database.system() as session:
            next_try_at = utc_now() + UNKNOWN_KIND_PAUSE
            await DeliveryRepository(session).release(row, next_try_at=next_try_at)
        log.warning("delivery_kind_unknown", delivery_id=str(row.id), kind=row.kind)

    async def _sync_incident(self, session: SystemSession | BatchSession, now: datetime) -> None:
        await sync_pause_incidents(session, ACCOUNT_REFUSED_INCIDENT, [self._channel.name], now)

    @asynccontextmanager
    async def _tenant_session(self, tenant_id: TenantId | None) -> AsyncGenerator[BatchSession]:
        async with self._database.batch() as session:
            if tenant_id is not None:
                await session.switch_tenant(tenant_id)
            yield session


def next_delay(attempts: int, *, retry_after: object = None) -> timedelta | None:
    """Return the delay after `attempts` failures; None when no attempt is left.

    `retry_after` is the carrier's own request in seconds. Up to LONGEST_RETRY_AFTER it makes the
    delay longer, never shorter.
    """
    if attempts >= MAX_ATTEMPTS:
        return None
    requested = bounded_delay(retry_after, longest=LONGEST_RETRY_AFTER)
    return BACKOFF.delay(attempts, requested=requested)


def _classify_failure(error: Exception) -> FailureReason:
    match error:
        case DeliveryError():
            return FailureReason.TRANSIENT
        case TimeoutError():
            return FailureReason.TIMEOUT
        case _:
            return FailureReason.INTERNAL_ERROR


def _describe_bug(error: Exception) -> str:
    return str(error) if isinstance(error, PluginFaultError) else type(error).__name__


def _redact_reason(error: Exception, message: RenderedMessage | None) -> str:
    """Return the carrier's reason without personal data of the message, which it may repeat."""
    reason = error_text(error)
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
