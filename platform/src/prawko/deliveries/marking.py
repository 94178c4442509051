"""Notes what became of a message, each in a short transaction of its own."""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from prawko.base import logs
from prawko.base.clock import machine_now
from prawko.deliveries.backoff import next_wait
from prawko.deliveries.composing import Addresses, Due, Message
from prawko.deliveries.incidents import (
    OPERATOR_MAIL,
    close_incident,
    mark_mailed,
    open_incident,
)
from prawko.deliveries.repository import Claimed, DeliveryRepository, Trouble
from prawko.hooks.channels import Channel, DeliveryError, ReportingChannel
from prawko.hooks.failures import AccountError
from prawko_tenants.engine import Database
from prawko_tenants.ids import TenantId
from prawko_tenants.sessions import BatchSession

log = logs.logger(__name__)

PAUSE = timedelta(minutes=5)
INSIST_EVERY = timedelta(seconds=1)
CHANNEL_REFUSED = "channel_refused"
LONGEST_REASON = 300


class Marks:
    """What became of the messages of one channel."""

    def __init__(self, database: Database, addresses: Addresses, channel: Channel) -> None:
        self._database = database
        self._addresses = addresses
        self._channel = channel
        self._known_well = False

    async def sent(
        self, row: Claimed, due: Due, carrier_ref: str | None, lease_ends: datetime
    ) -> None:
        """The carrier took it. Insists while the lease lasts: an unmarked message leaves again.

        What follows from it comes after, so that nothing there can undo the mark.
        """
        now = machine_now()
        while True:
            try:
                async with self._database.system() as session:
                    marked = await DeliveryRepository(session).sent(row, now, carrier_ref)
            except Exception as error:
                if machine_now() + INSIST_EVERY > lease_ends:
                    raise
                log.warning("delivery_mark_put_off", delivery_id=str(row.id), exc_info=error)
                await asyncio.sleep(INSIST_EVERY.total_seconds())
            else:
                break
        if not marked:
            log.warning("delivery_lease_lost", delivery_id=str(row.id))
            return
        log.info("delivery_sent", delivery_id=str(row.id), kind=row.kind, attempts=row.attempts)
        try:
            await self._follow(row, due, now)
        except Exception:
            log.exception("delivery_follow_up_failed", delivery_id=str(row.id))

    async def _follow(self, row: Claimed, due: Due, now: datetime) -> None:
        async with self._bound(row.tenant_id) as session:
            if row.kind == OPERATOR_MAIL and row.subject_id is not None:
                await mark_mailed(session, row.subject_id, now)
            if not isinstance(self._channel, ReportingChannel):  # else its report will tell
                await self._addresses.reached(session, due)
            if not self._known_well:
                await close_incident(session, kind=CHANNEL_REFUSED, key=self._channel.name, now=now)
        self._known_well = True

    async def failed(self, row: Claimed, trouble: Trouble, reason: str = "") -> None:
        """It will not be sent, and nobody's address is to blame."""
        async with self._database.system() as session:
            await DeliveryRepository(session).failed(row, trouble, reason)
        log.info("delivery_dropped", delivery_id=str(row.id), kind=row.kind, trouble=trouble.value)

    async def refused(self, row: Claimed, due: Due, message: Message, error: DeliveryError) -> None:
        """The address was refused for good: the person sees it in the panel."""
        reason = _scrubbed(error, message)
        async with self._bound(row.tenant_id) as session:
            if await DeliveryRepository(session).failed(row, Trouble.PERMANENT, reason):
                await self._addresses.refused(session, due, reason)
        log.warning("delivery_refused", delivery_id=str(row.id), kind=row.kind)

    async def given_up(self, row: Claimed, due: Due, trouble: Trouble, reason: str = "") -> None:
        """It was tried as often as any is: the person learns that it did not come.

        Where nobody can be told, it leaves the outbox all the same: it would hold up the others.
        """
        try:
            async with self._bound(row.tenant_id) as session:
                if await DeliveryRepository(session).failed(row, trouble, reason):
                    await self._addresses.given_up(session, due)
        except Exception:
            log.exception("delivery_untold", delivery_id=str(row.id))
            await self.failed(row, trouble, reason)

    async def again(
        self,
        row: Claimed,
        due: Due,
        trouble: Trouble,
        *,
        error: Exception,
        message: Message | None = None,
    ) -> None:
        """It was tried in vain; the last try is a failure."""
        bug = trouble is Trouble.BUG  # a message of ours may quote a row
        reason = type(error).__name__ if bug else _scrubbed(error, message)
        asked_for = error.retry_after if isinstance(error, DeliveryError) else None
        wait = next_wait(row.attempts, asked_for=asked_for)
        if wait is None:
            await self.given_up(row, due, trouble, reason)
        else:
            async with self._database.system() as session:
                next_try_at = machine_now() + wait
                await DeliveryRepository(session).again(row, next_try_at, trouble, reason)
        event = "delivery_failed" if wait is None else "delivery_put_off"
        about = {"delivery_id": str(row.id), "kind": row.kind, "attempts": row.attempts}
        if bug:
            log.error(event, trouble=trouble.value, exc_info=error, **about)
        else:
            log.warning(event, trouble=trouble.value, **about)

    async def account_refused(self, row: Claimed, message: Message, error: AccountError) -> None:
        """Our own account was refused: nothing is lost, the channel rests, operators learn."""
        now = machine_now()
        reason = _scrubbed(error, message)
        async with self._database.system() as session:
            await DeliveryRepository(session).pause(row, now + PAUSE, reason)
            await open_incident(
                session, kind=CHANNEL_REFUSED, key=self._channel.name, detail=reason, now=now
            )
        self._known_well = False
        log.error("channel_paused", channel=self._channel.name, seconds=PAUSE.total_seconds())

    async def give_back(self, row: Claimed) -> None:
        """It was not tried."""
        async with self._database.system() as session:
            await DeliveryRepository(session).give_back(row)

    @asynccontextmanager
    async def _bound(self, tenant_id: TenantId | None) -> AsyncGenerator[BatchSession]:
        async with self._database.batch() as session:
            if tenant_id is not None:
                await session.bind(tenant_id)
            yield session


def _scrubbed(error: Exception, message: Message | None) -> str:
    """The carrier's reason without the person: carriers like to repeat the address."""
    reason = " ".join(str(error).split()) or type(error).__name__
    if message is not None:
        notice, recipient = message.notice, message.recipient
        for personal in (recipient.email, recipient.phone, notice.code, notice.link, notice.title):
            if personal:
                reason = re.sub(re.escape(personal), "…", reason, flags=re.IGNORECASE)
    return reason[:LONGEST_REASON]
