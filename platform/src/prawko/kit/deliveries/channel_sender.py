"""Sends messages through one channel: claim, render, send, record the result.

No transaction is open while the carrier is called. Leases are short, and renewed while the event
loop turns. If the process dies or is cut off, its messages lapse: another process that has seen a
lease end, and not renewed for TAKEOVER_SECONDS, takes over. Only an end or a cut between the
carrier's response and the recorded result can send a message twice, with the same idempotency key.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from prawko.hooks.channels import Channel, DeliveryError, Recipient
from prawko.hooks.deadlines import SEND_SECONDS
from prawko.hooks.errors import ProviderAccountError
from prawko.kit.backoff import MAX_ATTEMPTS
from prawko.kit.clock import utc_now
from prawko.kit.context import AppContext
from prawko.kit.crypto import DecryptionError
from prawko.kit.deliveries.carrier_choice import is_sent_by
from prawko.kit.deliveries.delivery_results import RECORDING_TIME, DeliveryResults
from prawko.kit.deliveries.send_slots import SendSlots
from prawko.kit.incidents.plugin_faults import (
    get_experience,
    record_fault,
    record_success,
    to_failed_call,
)
from prawko.kit.incidents.provider_pauses import paused_providers
from prawko.kit.observability import logs
from prawko.kit.observability.tracing import trace_span
from prawko.kit.outbox.models import Delivery, owner
from prawko.kit.outbox.rendering import (
    DueMessage,
    RenderedMessage,
    RendererRegistry,
    UnknownKindError,
    to_due_message,
)
from prawko.kit.outbox.repository import SHORT_LEASE, DeliveryRepository, FailureReason
from prawko.kit.providers.calls import (
    PluginFaultError,
    PluginValueError,
    await_plugin,
    call_plugin,
    type_name,
)
from prawko.kit.providers.evidence import FailedCall
from prawko.kit.providers.experience import PluginExperience
from prawko.kit.providers.registry import PluginKind
from prawko.kit.providers.returned_values import validate_reference
from prawko.kit.work.lease_renewal import LeaseRenewal
from prawko.kit.work.leased_work import run_work
from prawko_tenants.ids import DeliveryId

log = logs.get_logger(__name__)

BATCH_SIZE = 32
# However often renewed: longer than BATCH_SIZE messages that all time out.
LONGEST_LEASE = timedelta(minutes=3)
RENEWAL_SECONDS = 1.0
# From finding a lapsed message to claiming it. A holder that had only lost PostgreSQL renews its
# lease meanwhile.
TAKEOVER_SECONDS = 2.5


class _ClaimedMessage(NamedTuple):
    """A message as claimed; `due` is None if it cannot be decrypted.

    `content` is what `RendererRegistry.render` returns of it.
    """

    row: Delivery
    due: DueMessage | None
    content: RenderedMessage | Exception | None


class LapsedTurn:
    """The turn to send a lapsed message, which may end this process: one sender's at a time.

    If it does end it, this process then holds no lapsed message of another channel.
    """

    def __init__(self) -> None:
        self.sender: ChannelSender | None = None


class ChannelSender:
    """Sends the due messages of a channel.

    `account_rejected` is set when the carrier rejects our account; the channel is then paused. A
    channel that hangs or fails again and again rests (`kit.incidents.plugin_faults`).
    """

    def __init__(self, context: AppContext, renderers: RendererRegistry, channel: Channel) -> None:
        self._context = context
        self._renderers = renderers
        self.channel = channel
        self._plugin = self._experience(channel.name)
        self._results = DeliveryResults(context, renderers.feedback, channel)
        self._slots = SendSlots()
        self._sent = 0
        self._ends_at: datetime | None = None
        self._lapsed_turn = context.components.get(LapsedTurn)
        self._lapsed_before: datetime | None = None
        # Until when a claim lasts and is renewed at most, by this clock. By row, not by id: a
        # message that was released may be claimed again before its first claim is forgotten.
        self._held: dict[Delivery, tuple[datetime, datetime]] = {}
        self._renewal = LeaseRenewal(self._renew, SHORT_LEASE, utc_now(), interval=RENEWAL_SECONDS)
        self.account_rejected = False

    async def run(self, should_stop: Callable[[], bool]) -> int:
        """Send until nothing is due or `should_stop()`; returns how many were sent.

        While slow calls end then, other companies' messages are still sent.
        """

        async def claim(room: int) -> Sequence[_ClaimedMessage]:
            await self._results.follow_up()
            is_idle = room == BATCH_SIZE
            if self._is_closed or self._has_ended(is_ending=should_stop()):
                return ()
            if self._lapsed_turn.sender is self:
                if not is_idle:
                    return ()
                self._lapsed_turn.sender = None
            claimed = await self._claim(room)
            return claimed or (await self._claim_lapsed() if is_idle else ())

        try:
            async with self._renewal.running():
                await run_work(
                    self._context, claim=claim, handle=self._handle, on_error=self._on_error,
                    limit=BATCH_SIZE,
                )  # fmt: skip
        finally:
            if self._lapsed_turn.sender is self:
                self._lapsed_turn.sender = None
            await self._results.follow_up()
        return self._sent

    def _has_ended(self, *, is_ending: bool) -> bool:
        if not is_ending:
            return False
        self._ends_at = self._ends_at or utc_now() + timedelta(seconds=SEND_SECONDS)
        return not self._slots.has_slow_calls or utc_now() > self._ends_at

    @property
    def _is_closed(self) -> bool:
        """Whether the channel takes no messages for now."""
        return self.account_rejected or self._plugin.rests_until() is not None

    async def _claim_lapsed(self) -> Sequence[_ClaimedMessage]:
        """Claim a lapsed message: its holder has ended, or is cut off."""
        async with self._context.database.system() as session:
            lapsed = await DeliveryRepository(session).find_lapsed(utc_now(), self.channel.medium)
        if lapsed is None:
            return ()
        if self._lapsed_before is None:
            self._lapsed_before = lapsed
            await self._context.shutdown.sleep_up_to(TAKEOVER_SECONDS)
        if self._lapsed_turn.sender is not None or self._context.must_stop():
            return ()  # the job that watches for such messages starts another run
        self._lapsed_turn.sender = self
        return await self._claim(1, lapsed_before=self._lapsed_before)

    async def _claim(
        self, limit: int, *, lapsed_before: datetime | None = None
    ) -> Sequence[_ClaimedMessage]:
        """Claim due messages and render them."""
        now = utc_now()  # before the query: the lease may not end earlier than we assume
        if not (rows := await self._claim_rows(limit, lapsed_before)):
            return ()
        self._held |= dict.fromkeys(rows, (now + SHORT_LEASE, now + LONGEST_LEASE))
        due = {row.id: self._decrypt(row) for row in rows}
        readable = [
            message for row in rows if (message := due[row.id]) and row.attempts <= MAX_ATTEMPTS
        ]
        content = await self._renderers.render(self._context, readable)
        return [_ClaimedMessage(row, due[row.id], content.get(DeliveryId(row.id))) for row in rows]

    async def _renew(self, _until: datetime) -> None:
        """Renew the leases of the messages that are being sent; forget those that were lost."""
        now = utc_now()
        rows = [row for row, (_, longest) in self._held.items() if longest > now]
        if rows:
            async with self._context.database.system() as session:
                held = await DeliveryRepository(session).renew(rows)
            for row in rows:
                if (row.id, row.fence) not in held:
                    self._held.pop(row, None)

    def _may_send(self, row: Delivery) -> bool:
        """Whether the channel is open, and the message ours for as long as a call may take."""
        if self._is_closed:
            return False
        now = utc_now()
        claimed_until, longest = self._held.get(row, (now, now))
        can_end = now + timedelta(seconds=SEND_SECONDS) <= longest
        return can_end and now < max(claimed_until, self._renewal.ends_at())

    async def _claim_rows(self, limit: int, lapsed_before: datetime | None) -> Sequence[Delivery]:
        now = utc_now()
        names = self._context.settings.channel_names(self.channel.medium)
        failing = {name for name in names if self._experience(name).rests_until() is not None}
        async with self._context.database.system() as session:
            resting = failing | await paused_providers(session, now)
            for left in self._slots.owners_to_leave(is_ending=self._ends_at is not None):
                rows = await DeliveryRepository(session).claim(
                    self.channel.medium,
                    is_sent_by(self.channel.name, names, resting),
                    *([owner.not_in(left)] if left else []),
                    carrier=self.channel.name,
                    limit=limit,
                    now=now,
                    product_now=self._context.clock.now(),
                    longest=LONGEST_LEASE,
                    is_idle=lapsed_before is not None,
                    lapsed_before=lapsed_before,
                )
                if rows:
                    return rows
        return ()

    def _experience(self, channel: str) -> PluginExperience:
        return get_experience(self._context, PluginKind.CHANNEL, channel)

    def _decrypt(self, row: Delivery) -> DueMessage | None:
        try:
            return to_due_message(row, self._context.key_ring)
        except DecryptionError:
            return None

    async def _handle(self, claimed: _ClaimedMessage) -> None:
        """Send one message and record the result."""
        row, due, content = claimed
        async with self._slots.slot(row) as may_send:
            if not may_send:
                await self._results.release(row)
            elif due is None:
                await self._results.mark_failed(row, FailureReason.UNDECRYPTABLE)
            elif self._results.is_handed_over(row):
                await self._record_sent(row, due)
            elif row.attempts > MAX_ATTEMPTS:  # no attempt was ever recorded: it ends the process
                await self._results.give_up(row, due, FailureReason.INTERNAL_ERROR)
            elif not self._context.clock_guard.is_trusted:
                await self._results.release(row)
            elif content is None:
                await self._results.mark_failed(row, FailureReason.OBSOLETE)
            elif isinstance(content, UnknownKindError):
                await self._results.leave(row)
            elif isinstance(content, Exception):
                await self._results.retry_later(row, due, content)
            else:
                await self._send(row, due, content)
        self._held.pop(row, None)

    async def _send(self, row: Delivery, due: DueMessage, message: RenderedMessage) -> None:
        """Give a message to the carrier. Raises what the carrier's plugin raises."""
        results = self._results
        if not self._may_send(row):
            await results.release(row)
        elif not await self._is_allowed(due, message.recipient):
            await results.mark_failed(row, FailureReason.OBSOLETE)
        elif not self._can_reach(message.recipient):
            await results.mark_failed(row, FailureReason.NO_ADDRESS)
        elif not self._may_send(row):  # any more: the query may have waited for a connection
            await results.release(row)
        else:
            await self._accept(row, due, await self._call_carrier(row, message))
            self._sent += 1

    async def _on_error(self, claimed: _ClaimedMessage, error: Exception) -> bool:
        """Record what a failed call means for its message; whether the channel goes on.

        A message whose result could not be recorded is due again after its lease.
        """
        try:
            await self._record_error(claimed, error)
        except Exception:
            log.exception("delivery_result_lost", delivery_id=str(claimed.row.id))
        self._held.pop(claimed.row, None)
        return not self.account_rejected

    async def _record_error(self, claimed: _ClaimedMessage, error: Exception) -> None:
        row, due, message = claimed
        if due is None or not isinstance(message, RenderedMessage):
            raise error
        match error:
            case ProviderAccountError():
                self.account_rejected = True
                await self._results.pause_channel(row, message, error)
            case PluginFaultError():
                failed = [_to_failed_call(due, error)]
                await record_fault(self._context, self._plugin, error, failed=failed)
                await self._results.retry_later(row, due, error, message)
            case DeliveryError():
                await record_success(self._context, self._plugin)
                if error.permanent:
                    await self._results.reject_address(row, due, message, error)
                else:
                    await self._results.retry_later(row, due, error, message)
            case _:
                raise error

    def _can_reach(self, recipient: Recipient) -> bool:
        can_reach = call_plugin(self._plugin, partial(self.channel.can_reach, recipient))
        if type(can_reach) is not bool:
            raise PluginValueError(f"can_reach returned {type_name(can_reach)}")
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

    async def _accept(self, row: Delivery, due: DueMessage, answer: object) -> None:
        """Record that the carrier has the message, also if its plugin returned nonsense."""
        carrier_ref, fault = validate_reference(answer)
        self._results.note_handed_over(row, carrier_ref)
        await self._record_sent(row, due)
        if fault is None:
            await record_success(self._context, self._plugin)
        else:
            await record_fault(self._context, self._plugin, fault, is_harmless=True)

    async def _record_sent(self, row: Delivery, due: DueMessage) -> None:
        """Record that the carrier has the message; a lease that is held is renewed meanwhile."""
        if row in self._held:
            claimed_until, _ = self._held[row]
            self._held[row] = (claimed_until, utc_now() + RECORDING_TIME)
        await self._results.mark_sent(row, due)

    async def _is_allowed(self, due: DueMessage, recipient: Recipient) -> bool:
        async with self._context.database.system() as session:
            return await self._renderers.feedback.is_allowed(session, due, recipient)


def _to_failed_call(due: DueMessage, fault: PluginFaultError) -> FailedCall:
    """Return whom a fault concerned: a company's recipient may have an address that causes it."""
    if due.tenant_id is None:
        return to_failed_call(fault)
    subject_id = due.user_id or due.id
    return FailedCall(error=fault, tenant_id=due.tenant_id, subject_id=subject_id, is_known=False)
