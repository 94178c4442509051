"""Sends messages through one channel: claim, render, send, record the result.

No transaction is open while the carrier is called. If the process dies, another one takes over
after the lease. Only a crash between the carrier's response and the recorded result can send a
message twice, with the same idempotency key.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial

from prawko.hooks.channels import Channel, DeliveryError, Recipient
from prawko.hooks.deadlines import SEND_SECONDS
from prawko.hooks.errors import ProviderAccountError
from prawko.kit.backoff import MAX_ATTEMPTS
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.crypto import DecryptionError
from prawko.kit.deliveries.carrier_order import is_sent_by
from prawko.kit.deliveries.carrier_references import validate_reference
from prawko.kit.deliveries.delivery_results import DeliveryResults
from prawko.kit.incidents.plugin_faults import (
    get_experience,
    record_fault,
    record_success,
    to_failed_call,
)
from prawko.kit.incidents.provider_pauses import paused_providers
from prawko.kit.observability import logs
from prawko.kit.observability.tracing import trace_span
from prawko.kit.outbox.models import Delivery
from prawko.kit.outbox.rendering import (
    DueMessage,
    RenderedMessage,
    RendererRegistry,
    to_due_message,
)
from prawko.kit.outbox.repository import DeliveryRepository, FailureReason
from prawko.kit.providers.calls import (
    PluginFaultError,
    PluginValueError,
    await_plugin,
    call_plugin,
)
from prawko.kit.providers.evidence import FailedCall
from prawko_tenants.ids import DeliveryId

log = logs.get_logger(__name__)

BATCH_SIZE = 32
CLAIM_SECONDS = 1.0
MAX_CONCURRENCY = 8
LEASE = timedelta(minutes=3)  # longer than BATCH_SIZE messages that all time out


class ChannelSender:
    """Sends the due messages of a channel.

    `account_rejected` is set when the carrier rejects our account; the channel is then paused. A
    channel that hangs or fails again and again rests (`incidents.plugin_faults`).
    """

    def __init__(self, context: AppContext, renderers: RendererRegistry, channel: Channel) -> None:
        self._context = context
        self._renderers = renderers
        self.channel = channel
        self._plugin = get_experience(context, _plugin_name(channel.name))
        self._results = DeliveryResults(context, renderers.feedback, channel)
        self._slots = asyncio.Semaphore(MAX_CONCURRENCY)
        self._unfinished = 0  # messages that are claimed; never more than BATCH_SIZE
        self.account_rejected = False

    async def run(self, should_stop: Callable[[], bool]) -> int:
        """Send until nothing is due or `should_stop()`; returns how many were sent.

        While a batch is being sent, more is claimed each CLAIM_SECONDS: one message that hangs
        must not delay those that are due meanwhile.
        """
        sent = 0
        batches: set[asyncio.Task[int]] = set()
        try:
            while True:
                if not (self._is_blocked or self._context.must_stop() or should_stop()):
                    batches |= await self._begin_batch()
                if not batches:
                    return sent
                done, batches = await asyncio.wait(
                    batches, timeout=CLAIM_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                sent += sum(batch.result() for batch in done)
                await self._results.follow_up()
        except asyncio.CancelledError:
            for batch in batches:
                batch.cancel()
            raise
        finally:  # a failure of one batch must not cancel another in the middle of a call
            await asyncio.gather(*batches, return_exceptions=True)

    async def _begin_batch(self) -> set[asyncio.Task[int]]:
        """Claim what there is room for and begin to send it, if anything is due."""
        lease_ends = utc_now() + LEASE
        if self._unfinished >= BATCH_SIZE or not (claimed := await self._claim()):
            return set()
        self._unfinished += len(claimed)
        return {asyncio.create_task(self._send_batch(claimed, lease_ends))}

    @property
    def _is_blocked(self) -> bool:
        """Whether the channel takes no messages for now."""
        return self.account_rejected or self._plugin.rests_until() is not None

    async def _claim(self) -> Sequence[Delivery]:
        now = utc_now()
        names = self._context.settings.channel_names(self.channel.medium)
        states = {name: get_experience(self._context, _plugin_name(name)) for name in names}
        failing = {name for name, state in states.items() if state.rests_until() is not None}
        async with self._context.database.system() as session:
            resting = failing | await paused_providers(session, now)
            return await DeliveryRepository(session).claim(
                self.channel.medium,
                is_sent_by(self.channel.name, names, resting),
                carrier=self.channel.name,
                limit=BATCH_SIZE - self._unfinished,
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
                self._unfinished -= 1
                continue
            if row.attempts > MAX_ATTEMPTS:  # no attempt was ever recorded: it crashes the process
                await self._results.give_up(row, message, FailureReason.INTERNAL_ERROR)
                self._unfinished -= 1
            else:
                due.append((row, message))
        rendered = await self._render([message for _, message in due])
        try:
            sent = await asyncio.gather(*(
                self._deliver(row, message, rendered[message.id], lease_ends)
                for row, message in due
            ))  # fmt: skip
        finally:
            await self._results.follow_up()
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
                if not self._context.clock_guard.is_trusted:
                    await self._results.release(row)
                elif isinstance(message, RenderedMessage):
                    return await self._send_one(row, due, message, lease_ends)
                elif message is None:
                    await self._results.mark_failed(row, FailureReason.OBSOLETE)
                else:
                    await self._results.retry_later(row, due, message)
            except Exception:
                log.exception("delivery_result_lost", delivery_id=str(row.id))
            finally:
                self._unfinished -= 1
            return False

    async def _send_one(
        self, row: Delivery, due: DueMessage, message: RenderedMessage, lease_ends: datetime
    ) -> bool:
        results = self._results
        if results.is_handed_over(row):
            await results.mark_sent(row, due, lease_ends)
            return False
        if self._is_blocked or utc_now() + timedelta(seconds=SEND_SECONDS) > lease_ends:
            await results.release(row)
            return False
        if not await self._is_allowed(due, message.recipient):
            await results.mark_failed(row, FailureReason.OBSOLETE)
            return False
        try:
            if not self._can_reach(message.recipient):
                await results.mark_failed(row, FailureReason.NO_ADDRESS)
                return False
            answer = await self._call_carrier(row, message)
        except ProviderAccountError as error:
            self.account_rejected = True
            await results.pause_channel(row, message, error)
        except PluginFaultError as fault:
            failed = [_to_failed_call(due, fault)]
            await record_fault(self._context, self._plugin, fault, failed=failed)
            await results.retry_later(row, due, fault, message)
        except DeliveryError as error:
            await record_success(self._context, self._plugin)
            if error.permanent:
                await results.reject_address(row, due, message, error)
            else:
                await results.retry_later(row, due, error, message)
        else:
            await self._accept(row, due, answer, lease_ends)
            return True
        return False

    def _can_reach(self, recipient: Recipient) -> bool:
        can_reach = call_plugin(self._plugin, partial(self.channel.can_reach, recipient))
        if not isinstance(can_reach, bool):
            raise PluginValueError(f"can_reach returned {type(can_reach).__name__}")
        return can_reach

    async def _call_carrier(self, row: Delivery, message: RenderedMessage) -> object:
        with trace_span(
            "delivery send", channel=self.channel.name, kind=row.kind, delivery_id=str(row.id)
        ):
            return await await_plugin(
                self._plugin,
                partial(
                    self.channel.send, message.content, message.recipient, idempotency_key=row.key
                ),
                deadline=SEND_SECONDS,
                raises=(DeliveryError, ProviderAccountError),
            )

    async def _accept(
        self, row: Delivery, due: DueMessage, answer: object, lease_ends: datetime
    ) -> None:
        """Record that the carrier has the message, also if its plugin returned nonsense."""
        carrier_ref, fault = validate_reference(answer)
        self._results.note_handed_over(row, carrier_ref)
        await self._results.mark_sent(row, due, lease_ends)
        if fault is None:
            await record_success(self._context, self._plugin)
        else:
            await record_fault(self._context, self._plugin, fault, is_harmless=True)

    async def _is_allowed(self, due: DueMessage, recipient: Recipient) -> bool:
        async with self._context.database.system() as session:
            return await self._renderers.feedback.is_allowed(session, due, recipient)


def _plugin_name(channel: str) -> str:
    return f"channel {channel}"  # as `incidents.plugin_faults` knows it


def _to_failed_call(due: DueMessage, fault: PluginFaultError) -> FailedCall:
    """Return whom a fault concerned: a company's recipient may have an address that causes it."""
    if due.tenant_id is None:
        return to_failed_call(fault)
    subject_id = due.user_id or due.id
    return FailedCall(error=fault, tenant_id=due.tenant_id, subject_id=subject_id, is_known=False)
