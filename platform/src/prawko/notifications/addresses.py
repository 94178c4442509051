"""What the carriers say of a person's address, shown to the person in the panel.

A refused address is still written to: the next alert may get through, and is worth a mail.
"""

from sqlalchemy import text

from prawko.base.clock import Clock
from prawko.base.settings import Settings
from prawko.deliveries.composing import Due
from prawko.hooks.channels import Medium
from prawko.notifications.announcing import Announcement, announce
from prawko.notifications.fanout import Rules
from prawko.notifications.kinds import CompanyFacts, NoticeKind
from prawko_tenants.ids import TenantId, UserId
from prawko_tenants.sessions import BatchSession

_NOTE_EMAIL_STATE = text("""
    UPDATE user_account SET email_state = :state, email_state_reason = :reason, updated_at = :now
     WHERE id = :user_id AND email_state <> :state
    RETURNING id
""")


class MemberAddresses:
    """Keeps `user_account.email_state`, and tells a person whose address was refused."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._rules = Rules.of(settings)
        self._clock = clock

    async def reached(self, session: BatchSession, due: Due) -> None:
        """The mailbox works, whatever was said of it before."""
        if due.user_id is not None and due.medium is Medium.EMAIL:
            await self._note(session, due.user_id, "ok", None)

    async def refused(self, session: BatchSession, due: Due, reason: str) -> None:
        """Note it and say so in the panel: of a mailbox once, until it has worked again."""
        if due.user_id is None or due.tenant_id is None:
            return
        if due.medium is Medium.SMS:
            await self._tell(session, NoticeKind.PHONE_REFUSED, due, due.tenant_id, due.user_id)
        elif await self._note(session, due.user_id, "bounced", reason):
            await self._tell(session, NoticeKind.EMAIL_REFUSED, due, due.tenant_id, due.user_id)

    async def _note(
        self, session: BatchSession, user_id: UserId, state: str, reason: str | None
    ) -> bool:
        changed = await session.scalar(
            _NOTE_EMAIL_STATE,
            {"user_id": user_id, "state": state, "reason": reason, "now": self._clock.now()},
        )
        return changed is not None

    async def _tell(
        self,
        session: BatchSession,
        kind: NoticeKind,
        due: Due,
        tenant_id: TenantId,
        user_id: UserId,
    ) -> None:
        told = Announcement(kind=kind, dedup=str(due.id), facts=CompanyFacts())
        await announce(
            session, tenant_id, [told], rules=self._rules, now=self._clock.now(), only=user_id
        )
