"""Reacts to the carriers' results of mails to persons without an account.

The panel shows the company that a person does not get its alerts, at most once a day: the person
cannot see it.
"""

from prawko.accounts.email_deliverability import EmailProblem
from prawko.hooks.channels import DeliveryReport
from prawko.kit.clock import Clock, warsaw_date
from prawko.kit.outbox.rendering import DueMessage
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.payloads import RecipientPayload
from prawko.notifications.publisher import NOTICE_MAIL, NoticeDraft, publish_notices
from prawko.notifications.recipients.invitation_mails import ALERT_INVITATION
from prawko.notifications.recipients.repository import RecipientRepository
from prawko_tenants.ids import RecipientId
from prawko_tenants.sessions import BatchSession


def find_recipient(due: DueMessage) -> RecipientId | None:
    """Return which person without an account a message is for; None for all others."""
    if due.user_id is None and due.kind in {NOTICE_MAIL, ALERT_INVITATION}:
        return RecipientId(due.subject_id) if due.subject_id is not None else None
    return None


class RecipientDeliveryFeedback:
    """Suppresses addresses and notifies the company; the session is bound to it."""

    def __init__(self, policy: ChannelPolicy, clock: Clock) -> None:
        self._policy = policy
        self._clock = clock

    async def on_problem(
        self, session: BatchSession, due: DueMessage, problem: EmailProblem, report: DeliveryReport
    ) -> None:
        """Stop mail to the address until its person confirms it again."""
        recipient_id = find_recipient(due)
        if recipient_id is None or due.tenant_id is None:
            return
        recipients = RecipientRepository(session)
        if await recipients.suppress_address(
            due.tenant_id, recipient_id, problem, report.occurred_at
        ):
            await self.on_missed(session, due)

    async def on_missed(self, session: BatchSession, due: DueMessage) -> None:
        """Notify the company that a mail did not reach the person."""
        recipient_id, tenant_id = find_recipient(due), due.tenant_id
        if recipient_id is None or tenant_id is None:
            return
        recipient = await RecipientRepository(session).find(tenant_id, recipient_id)
        if recipient is None:
            return
        now = self._clock.now()
        draft = NoticeDraft(
            kind=NoticeKind.RECIPIENT_MISSED,
            dedup_key=f"{recipient_id}:{warsaw_date(now)}",
            payload=RecipientPayload(name=recipient.name, email=recipient.email, at=now),
        )
        await publish_notices(session, tenant_id, [draft], policy=self._policy, now=now)
