"""Cancelling and resuming: what happens at the end, never before it (reading R5)."""

from collections.abc import Sequence
from uuid import UUID

from prawko.accounts.activity import Act, note
from prawko.accounts.identity import refuse_revoked
from prawko.base.clock import warsaw_day
from prawko.billing.changes import By, check_change
from prawko.billing.desk import Desk
from prawko.billing.ends import checked_until
from prawko.billing.errors import NothingToCancelError, NothingToResumeError
from prawko.billing.models import Subscription
from prawko.billing.notes import Note, note_text
from prawko.billing.order_repository import OrderRepository
from prawko.billing.overview import is_checked, status_at
from prawko.billing.repository import SubscriptionRepository
from prawko.billing.schemas import CancelledOut
from prawko.billing.status import Status
from prawko_tenants.sessions import TenantSession


class Cancelling:
    """What one person may decide about the end."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def cancel(self) -> CancelledOut:
        """Let the subscription, or the trial, end at its end. Raises NothingToCancelError.

        In the grace of a renewal that failed: nothing is charged any more. Charges that wait
        are given up where their provider can; one that comes through all the same is void.
        """
        desk = self._desk
        async with desk.tools.database.tenant(desk.who.tenant_id) as session:
            answer, charges = await self._write(session)
        if charges:
            await desk.payments.give_up(desk.who.tenant_id, charges)
        return answer

    async def resume(self, session: TenantSession) -> None:
        """Take the cancelling back, before the end. Raises NothingToResumeError."""
        now = self._desk.tools.clock.now()
        _, current = await SubscriptionRepository(session).hold_current()
        if current is None or current.cancelled_at is None:
            raise NothingToResumeError
        if status_at(current, now) is not Status.ACTIVE:
            raise NothingToResumeError
        self._change(session, current, Note.RESUMED)
        current.cancelled_at = None
        current.checked_until = checked_until(current)

    async def _write(self, session: TenantSession) -> tuple[CancelledOut, Sequence[UUID]]:
        await refuse_revoked(session, self._desk.who)
        now = self._desk.tools.clock.now()
        _, current = await SubscriptionRepository(session).hold_current()
        if current is None or current.cancelled_at is not None:
            raise NothingToCancelError
        # An end that no job has written down yet is an end: in the grace, checks still go on.
        status = status_at(current, now)
        if status is not Status.ACTIVE and not is_checked(current, now):
            raise NothingToCancelError
        self._change(session, current, Note.CANCELLED)
        current.cancelled_at = now
        current.checked_until = checked_until(current)
        who = (self._desk.who, self._desk.origin)
        await note(session, Act.SUBSCRIPTION_CANCELLED, *who, now)
        answer = CancelledOut(status=status, cancelled=True, ends_at=current.end_date)
        return answer, await OrderRepository(session).open_renewals()

    def _change(self, session: TenantSession, current: Subscription, what: Note) -> None:
        until = f"{warsaw_day(current.end_date):%d.%m.%Y}"
        check_change(By.CUSTOMER, current.status, current.status, what)
        SubscriptionRepository(session).change_status(
            current, current.status, note_text(what, until=until), self._desk.tools.clock.now()
        )
