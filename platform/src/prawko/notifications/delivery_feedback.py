"""Reacts to the carriers' delivery results: address states, notices in the panel, resends.

A refused address still gets mails: the next alert may get through. An address reported as
bounced, dropped or spam gets none until its owner confirms it. For a mail that was lost without
fault of the address the panel shows a notice, at most one a day; as the cause may be transient,
a notice's mail is sent once more an hour later.
"""

from collections.abc import Sequence
from datetime import timedelta

from prawko.accounts.email_address import (
    EmailProblem,
    mark_delivered,
    mark_refused,
    suppress_address,
)
from prawko.accounts.one_time_codes import OneTimeCodeRepository
from prawko.accounts.phone_verification import PHONE_CODE
from prawko.accounts.repository import AccountRepository
from prawko.hooks.channels import DeliveryReport, DeliveryReportKind, Medium, Recipient
from prawko.kit.clock import Clock, warsaw_date
from prawko.kit.outbox.models import OutboxMessage
from prawko.kit.outbox.rendering import DueMessage
from prawko.kit.outbox.service import enqueue_messages
from prawko.kit.settings import Settings
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.fanout import ChannelPolicy
from prawko.notifications.payloads import CompanyPayload, RecipientPayload
from prawko.notifications.publisher import NOTICE_MAIL, NoticeDraft, publish_notices
from prawko.notifications.recipients.invitation_mails import ALERT_INVITATION
from prawko.notifications.recipients.repository import RecipientRepository
from prawko.notifications.repository import PushBrowserRepository
from prawko_tenants.ids import RecipientId
from prawko_tenants.sessions import BatchSession, SystemSession

_PROBLEM_BY_REPORT = {
    DeliveryReportKind.BOUNCED: EmailProblem.BOUNCED,
    DeliveryReportKind.DROPPED: EmailProblem.DROPPED,
    DeliveryReportKind.SPAM: EmailProblem.SPAM,
}
RESEND_PREFIX = "again:"
RESEND_DELAY = timedelta(hours=1)


class ReaderDeliveryFeedback:
    """Checks phones before sending, updates `email_state` and notifies the person concerned."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._policy = ChannelPolicy.from_settings(settings)
        self._clock = clock

    async def is_allowed(
        self, session: SystemSession, due: DueMessage, recipient: Recipient
    ) -> bool:
        """Return whether an SMS goes to a verified phone, or to the one that its code verifies.

        Checked just before sending, for messages of every renderer. Other media are always
        allowed: a browser's subscription was read when the message was rendered.
        """
        if due.medium is not Medium.SMS:
            return True
        if due.user_id is None or recipient.phone is None:
            return False
        if due.kind == PHONE_CODE:
            codes = await OneTimeCodeRepository(session).find_valid(
                [due.subject_id], self._clock.now()
            )
            return recipient.phone in {code.phone_number for code in codes.values()}
        return await AccountRepository(session).is_phone_verified(due.user_id, recipient.phone)

    async def on_delivered(
        self, session: SystemSession | BatchSession, delivered: Sequence[DueMessage]
    ) -> None:
        """Set refused e-mail addresses back to `ok`."""
        users = {
            due.user_id
            for due in delivered
            if due.user_id is not None and due.medium is Medium.EMAIL
        }
        if users:
            await mark_delivered(session, users, now=self._clock.now())

    async def on_refused(self, session: BatchSession, due: DueMessage, reason: str) -> None:
        """Mark the address as refused; notify once, until it works again.

        A browser that its push service no longer knows is deleted; its panel shows that.
        """
        if find_recipient(due) is not None:
            await self._notify_missed(session, due)
        if due.user_id is None or due.tenant_id is None:
            return
        if due.medium is Medium.PUSH:
            await PushBrowserRepository(session).remove(due.subject_id)
        elif due.medium is Medium.SMS:
            await self._notify(session, NoticeKind.PHONE_REFUSED, due)
        elif await mark_refused(session, due.user_id, reason=reason, now=self._clock.now()):
            await self._notify(session, NoticeKind.EMAIL_REFUSED, due)

    async def on_report(
        self, session: BatchSession, due: DueMessage, report: DeliveryReport, reason: str
    ) -> None:
        """Suppress a reported e-mail address and notify; for a phone, notify of the loss.

        A mail that was lost without fault of the address is resent once or notified to its reader.
        """
        if find_recipient(due) is not None:
            await self._on_recipient_report(session, due, report)
        if due.user_id is None or due.tenant_id is None or due.medium is Medium.PUSH:
            return
        if due.medium is Medium.SMS:
            await self._notify(session, NoticeKind.PHONE_REFUSED, due)
        elif report.kind is DeliveryReportKind.FAILED:
            if not (report.transient and await self._resend_once(session, due)):
                await self.on_given_up(session, due)
        elif (problem := _PROBLEM_BY_REPORT.get(report.kind)) and await suppress_address(
            session,
            due.user_id,
            problem,
            reported_at=report.occurred_at,
            reason=reason,
            now=self._clock.now(),
        ):
            await self._notify(session, NoticeKind.EMAIL_REFUSED, due)

    async def on_given_up(self, session: BatchSession, due: DueMessage) -> None:
        """Notify that a message was lost; for mails at most once a day.

        A lost push message is not notified, because a mail has the same content.
        """
        if due.medium is Medium.PUSH:
            return
        if find_recipient(due) is not None:
            await self._notify_missed(session, due)
        elif due.medium is Medium.SMS:
            await self._notify(session, NoticeKind.PHONE_REFUSED, due)
        else:
            today = warsaw_date(self._clock.now())
            await self._notify(session, NoticeKind.EMAIL_LOST, due, f"{due.user_id}:{today}")

    async def _on_recipient_report(
        self, session: BatchSession, due: DueMessage, report: DeliveryReport
    ) -> None:
        recipient_id, tenant_id = find_recipient(due), due.tenant_id
        if recipient_id is None or tenant_id is None:
            return
        if problem := _PROBLEM_BY_REPORT.get(report.kind):
            recipients = RecipientRepository(session)
            if await recipients.suppress_address(
                tenant_id, recipient_id, problem, report.occurred_at
            ):
                await self._notify_missed(session, due)
        elif not (report.transient and await self._resend_once(session, due)):
            await self._notify_missed(session, due)

    async def _resend_once(self, session: BatchSession, due: DueMessage) -> bool:
        """Add a notice's mail to the outbox once more. Mails with codes are not resent."""
        if due.kind != NOTICE_MAIL or due.key.startswith(RESEND_PREFIX):
            return False
        mail = OutboxMessage(
            kind=due.kind,
            medium=due.medium,
            key=f"{RESEND_PREFIX}{due.id}",
            tenant_id=due.tenant_id,
            user_id=due.user_id,
            notice_id=due.notice_id,
            subject_id=due.subject_id,
            bundle_id=due.bundle_id,
            not_before=self._clock.now() + RESEND_DELAY,
        )
        await enqueue_messages(session, [mail])
        return True

    async def _notify(
        self, session: BatchSession, kind: NoticeKind, due: DueMessage, dedup_key: str = ""
    ) -> None:
        if due.user_id is None or due.tenant_id is None:
            return
        await publish_notices(
            session,
            due.tenant_id,
            [NoticeDraft(kind=kind, dedup_key=dedup_key or str(due.id), payload=CompanyPayload())],
            policy=self._policy,
            now=self._clock.now(),
            only_user_id=due.user_id,
        )

    async def _notify_missed(self, session: BatchSession, due: DueMessage) -> None:
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


def find_recipient(due: DueMessage) -> RecipientId | None:
    """Return which person without an account a message is for; None for all others."""
    if due.user_id is None and due.kind in {NOTICE_MAIL, ALERT_INVITATION}:
        return RecipientId(due.subject_id) if due.subject_id is not None else None
    return None
