"""One channel at work: claim, write, hand over, mark. No transaction is open meanwhile.

Killed at any line, a message whose lease runs out is taken up by somebody else. Only the
moment between the carrier's word and our mark can send one twice, and then with the same key.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from prawko.base import logs
from prawko.base.clock import machine_now
from prawko.base.jobs import Tools
from prawko.base.secrets import LostKeyError
from prawko.deliveries.backoff import MOST_ATTEMPTS
from prawko.deliveries.composing import Correspondence, Due, Message
from prawko.deliveries.marking import Marks
from prawko.deliveries.repository import Claimed, DeliveryRepository, Trouble
from prawko.hooks.channels import Channel, DeliveryError, Recipient
from prawko.hooks.failures import AccountError
from prawko_tenants.ids import DeliveryId

log = logs.logger(__name__)

BATCH = 32
PARALLEL = 8
DEADLINE_SECONDS = 30.0
LEASE = timedelta(minutes=3)  # longer than a whole batch of messages that all meet the deadline


class Lane:
    """One channel at work; `refused` tells that it refused our account and rests."""

    def __init__(self, tools: Tools, correspondence: Correspondence, channel: Channel) -> None:
        self._tools = tools
        self._correspondence = correspondence
        self.channel = channel
        self._marks = Marks(tools.database, correspondence.addresses, channel)
        self._slots = asyncio.Semaphore(PARALLEL)
        self.refused = False

    async def run(self, enough: Callable[[], bool]) -> int:
        """Send until nothing is due, or `enough` says so; returns how many were sent."""
        sent = 0
        while not (self.refused or self._tools.stopping or enough()):
            lease_ends = machine_now() + LEASE
            claimed = await self._claim()
            if not claimed:
                break
            sent += await self._send(claimed, lease_ends)
        return sent

    async def _claim(self) -> list[Claimed]:
        async with self._tools.database.system() as session:
            return await DeliveryRepository(session).claim(
                self.channel.medium.value,
                most=BATCH,
                now=machine_now(),
                product_now=self._tools.clock.now(),
                lease=LEASE,
            )

    async def _send(self, claimed: Sequence[Claimed], lease_ends: datetime) -> int:
        due: dict[DeliveryId, Due] = {}
        for row in claimed:
            try:
                opened = self._open(row)
            except LostKeyError:
                await self._marks.failed(row, Trouble.UNREADABLE)
                continue
            if row.attempts > MOST_ATTEMPTS:  # it never came back to be counted: it kills us
                await self._marks.given_up(row, opened, Trouble.BUG)
            else:
                due[row.id] = opened
        messages = await self._compose(list(due.values()))
        delivered = await asyncio.gather(*(
            self._deliver(row, due[row.id], messages[row.id], lease_ends)
            for row in claimed
            if row.id in due
        ))  # fmt: skip
        return sum(delivered)

    def _open(self, row: Claimed) -> Due:
        secret = None
        if row.sealed is not None:
            payloads = self._tools.vault.payloads
            secret = payloads.open(payloads.current, row.sealed, about=row.id.bytes).decode()
        return Due(
            id=row.id,
            kind=row.kind,
            medium=self.channel.medium,
            tenant_id=row.tenant_id,
            user_id=row.user_id,
            notice_id=row.notice_id,
            subject_id=row.subject_id,
            key=row.key,
            secret=secret,
        )

    async def _compose(self, due: Sequence[Due]) -> dict[DeliveryId, Message | Exception | None]:
        """Write all of a kind at once; when that breaks, one by one, so that one breaks alone."""
        by_kind: dict[str, list[Due]] = defaultdict(list)
        for one in due:
            by_kind[one.kind].append(one)
        written: dict[DeliveryId, Message | Exception | None] = {}
        for kind, group in by_kind.items():
            try:
                found = await self._correspondence.composers[kind](self._tools, group)
            except Exception as error:  # noqa: BLE001 (the edge of a job)
                if len(group) > 1:
                    for one in group:
                        written |= await self._compose([one])
                else:
                    written[group[0].id] = error
            else:
                written |= {one.id: found.get(one.id) for one in group}
        return written

    async def _deliver(
        self, row: Claimed, due: Due, message: Message | Exception | None, lease_ends: datetime
    ) -> bool:
        """Hand one message over and mark it; True when the carrier took it. Never raises.

        What cannot be marked goes back to the others when its lease ends.
        """
        async with self._slots:
            try:
                if isinstance(message, Message):
                    return await self._hand_over(row, due, message, lease_ends)
                if message is None:
                    await self._marks.failed(row, Trouble.UNWANTED)
                else:
                    await self._marks.again(row, due, Trouble.BUG, error=message)
            except Exception:
                log.exception("delivery_unmarked", delivery_id=str(row.id))
            return False

    async def _hand_over(
        self, row: Claimed, due: Due, message: Message, lease_ends: datetime
    ) -> bool:
        marks = self._marks
        if not self.channel.reaches(message.recipient):
            await marks.failed(row, Trouble.UNREACHABLE)
            return False
        if self.refused or machine_now() + timedelta(seconds=DEADLINE_SECONDS) > lease_ends:
            await marks.give_back(row)
            return False
        if not await self._is_allowed(due, message.recipient):
            await marks.failed(row, Trouble.UNWANTED)
            return False
        try:
            async with asyncio.timeout(DEADLINE_SECONDS):
                carrier_ref = await self.channel.deliver(
                    message.notice, message.recipient, key=row.key
                )
        except AccountError as error:
            self.refused = True
            await marks.account_refused(row, message, error)
        except DeliveryError as error:
            if error.permanent:
                await marks.refused(row, due, message, error)
            else:
                await marks.again(row, due, Trouble.AGAIN, message=message, error=error)
        except TimeoutError as error:
            await marks.again(row, due, Trouble.DEADLINE, message=message, error=error)
        except Exception as error:  # noqa: BLE001 (the edge of a job)
            await marks.again(row, due, Trouble.BUG, message=message, error=error)
        else:
            await marks.sent(row, due, carrier_ref, lease_ends)
            return True
        return False

    async def _is_allowed(self, due: Due, recipient: Recipient) -> bool:
        async with self._tools.database.system() as session:
            return await self._correspondence.addresses.allows(session, due, recipient)
