"""Sends messages through one channel: claim, render, send, record the result.

No transaction is open while the carrier is called. If the process dies, another one takes over
after the lease. Only a crash between the carrier's response and the recorded result can send a
message twice, with the same idempotency key.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from prawko.base import logs
from prawko.base.backoff import MAX_ATTEMPTS
from prawko.base.clock import utc_now
from prawko.base.context import AppContext
from prawko.base.crypto import DecryptionError
from prawko.deliveries.delivery_results import DeliveryResults
from prawko.hooks.channels import Channel, DeliveryError, Recipient
from prawko.hooks.errors import ProviderAccountError
from prawko.incidents.provider_pauses import is_not_paused
from prawko.outbox.models import Delivery
from prawko.outbox.rendering import DueMessage, RenderedMessage, RendererRegistry, to_due_message
from prawko.outbox.repository import DeliveryRepository, FailureReason
from prawko_tenants.ids import DeliveryId

log = logs.get_logger(__name__)

BATCH_SIZE = 32
MAX_CONCURRENCY = 8
SEND_TIMEOUT_SECONDS = 30.0
LEASE = timedelta(minutes=3)  # longer than a whole batch in which every message times out


class ChannelSender:
    """Sends the due messages of a channel.

    `account_rejected` is set when the carrier rejects our account; the channel is then paused.
    """

    def __init__(self, context: AppContext, renderers: RendererRegistry, channel: Channel) -> None:
        self._context = context
        self._renderers = renderers
        self.channel = channel
        self._results = DeliveryResults(context.database, renderers.feedback, channel)
        self._slots = asyncio.Semaphore(MAX_CONCURRENCY)
        self.account_rejected = False

    async def run(self, should_stop: Callable[[], bool]) -> int:
        """Send until nothing is due or `should_stop()`; returns how many were sent."""
        sent = 0
        while not (self.account_rejected or self._context.shutdown or should_stop()):
            lease_ends = utc_now() + LEASE
            claimed = await self._claim()
            if not claimed:
                break
            sent += await self._send_batch(claimed, lease_ends)
        return sent

    async def _claim(self) -> Sequence[Delivery]:
        now = utc_now()
        async with self._context.database.system() as session:
            return await DeliveryRepository(session).claim(
                self.channel.medium,
                is_not_paused(self.channel.name, now),
                limit=BATCH_SIZE,
                now=now,
                product_now=self._context.clock.now(),
                lease=LEASE,
            )

    async def _send_batch(self, claimed: Sequence[Delivery], lease_ends: datetime) -> int:
        due: list[tuple[Delivery, DueMessage]] = []
        for row in claimed:
            try:
                message = to_due_message(row, self._context.key_ring)
            except DecryptionError:
                await self._results.mark_failed(row, FailureReason.UNDECRYPTABLE)
                continue
            if row.attempts > MAX_ATTEMPTS:  # no attempt was ever recorded: it crashes the process
                await self._results.give_up(row, message, FailureReason.INTERNAL_ERROR)
            else:
                due.append((row, message))
        rendered = await self._render([message for _, message in due])
        sent = await asyncio.gather(*(
            self._deliver(row, message, rendered[message.id], lease_ends)
            for row, message in due
        ))  # fmt: skip
        return sum(sent)

    async def _render(
        self, due: Sequence[DueMessage]
    ) -> dict[DeliveryId, RenderedMessage | Exception | None]:
        """Render the messages of each kind together, or one by one when that fails.

        An exception in the result is that message's own; None means that it is obsolete.
        """
        by_kind: dict[str, list[DueMessage]] = defaultdict(list)
        for message in due:
            by_kind[message.kind].append(message)
        results: dict[DeliveryId, RenderedMessage | Exception | None] = {}
        for kind, group in by_kind.items():
            try:
                rendered = await self._renderers.renderers[kind](self._context, group)
            except Exception as error:  # noqa: BLE001 (the boundary of a job)
                if len(group) > 1:
                    for message in group:
                        results |= await self._render([message])
                else:
                    results[group[0].id] = error
            else:
                results |= {message.id: rendered.get(message.id) for message in group}
        return results

    async def _deliver(
        self,
        row: Delivery,
        due: DueMessage,
        message: RenderedMessage | Exception | None,
        lease_ends: datetime,
    ) -> bool:
        """Send one message and record the result; True when the carrier accepted it.

        Never raises: a message whose result cannot be recorded is due again after its lease.
        """
        async with self._slots:
            try:
                if isinstance(message, RenderedMessage):
                    return await self._send_one(row, due, message, lease_ends)
                if message is None:
                    await self._results.mark_failed(row, FailureReason.OBSOLETE)
                else:
                    await self._results.retry_later(row, due, message)
            except Exception:
                log.exception("delivery_result_lost", delivery_id=str(row.id))
            return False

    async def _send_one(
        self, row: Delivery, due: DueMessage, message: RenderedMessage, lease_ends: datetime
    ) -> bool:
        results = self._results
        if not self.channel.can_reach(message.recipient):
            await results.mark_failed(row, FailureReason.NO_ADDRESS)
            return False
        if (
            self.account_rejected
            or utc_now() + timedelta(seconds=SEND_TIMEOUT_SECONDS) > lease_ends
        ):
            await results.release(row)
            return False
        if not await self._is_allowed(due, message.recipient):
            await results.mark_failed(row, FailureReason.OBSOLETE)
            return False
        try:
            async with asyncio.timeout(SEND_TIMEOUT_SECONDS):
                carrier_ref = await self.channel.send(
                    message.content, message.recipient, idempotency_key=row.key
                )
        except ProviderAccountError as error:
            self.account_rejected = True
            await results.pause_channel(row, message, error)
        except Exception as error:  # noqa: BLE001 (the boundary of a job)
            if isinstance(error, DeliveryError) and error.permanent:
                await results.reject_address(row, due, message, error)
            else:
                await results.retry_later(row, due, error, message)
        else:
            await results.mark_sent(row, due, carrier_ref, lease_ends)
            return True
        return False

    async def _is_allowed(self, due: DueMessage, recipient: Recipient) -> bool:
        async with self._context.database.system() as session:
            return await self._renderers.feedback.is_allowed(session, due, recipient)
