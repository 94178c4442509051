"""What the carriers say of a person's address, shown to the person in the panel.

A refused address is still written to: the next alert may get through, and is worth a mail. One
that the carrier reports as bounced, dropped or spam is not, until its owner says otherwise. A
mail that got lost with nobody's address at fault is said in the panel, once a day however many,
and changes nothing; what was in the way of it may be gone in an hour, so a notice leaves again.
"""

from datetime import timedelta

from prawko.accounts.email_problems import EmailProblem
from prawko.accounts.reported_addresses import note_reached, note_refused, switch_off
from prawko.base.clock import Clock, warsaw_day
from prawko.base.settings import Settings
from prawko.deliveries.composing import Due
from prawko.deliveries.orders import Order
from prawko.deliveries.outbox import enqueue
from prawko.hooks.channels import Medium, Recipient, Report, ReportKind
from prawko.notifications.announcing import NOTICE_MAIL, Announcement, announce
from prawko.notifications.fanout import Rules
from prawko.notifications.kinds import CompanyFacts, NoticeKind
from prawko.notifications.phone_repository import PhoneRepository
from prawko.notifications.phone_sms import PHONE_CODE
from prawko_tenants.ids import TenantId, UserId
from prawko_tenants.sessions import BatchSession, SystemSession

_PROBLEMS = {
    ReportKind.BOUNCED: EmailProblem.BOUNCED,
    ReportKind.DROPPED: EmailProblem.DROPPED,
    ReportKind.SPAM: EmailProblem.SPAM,
}
AGAIN = "again:"
AGAIN_AFTER = timedelta(hours=1)


class MemberAddresses:
    """Guards phones, keeps `email_state`, and tells a person whose address was refused."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._rules = Rules.of(settings)
        self._clock = clock

    async def allows(self, session: SystemSession, due: Due, recipient: Recipient) -> bool:
        """An SMS goes to a phone its person has proved, or to the one a code is to prove.

        Asked again at the last moment, whatever the message was written by.
        """
        if due.medium is not Medium.SMS:
            return True
        if due.user_id is None or recipient.phone is None:
            return False
        phones = PhoneRepository(session)
        if due.kind == PHONE_CODE:
            wanted = await phones.wanted([due.subject_id], self._clock.now())
            return recipient.phone in {code.phone_number for code in wanted.values()}
        return await phones.is_verified(due.user_id, recipient.phone)

    async def reached(self, session: BatchSession, due: Due) -> None:
        """The mailbox works, if a mail server has refused it before."""
        if due.user_id is not None and due.medium is Medium.EMAIL:
            await note_reached(session, due.user_id, now=self._clock.now())

    async def refused(self, session: BatchSession, due: Due, reason: str) -> None:
        """Note it and say so in the panel: of a mailbox once, until it has worked again."""
        if due.user_id is None or due.tenant_id is None:
            return
        if due.medium is Medium.SMS:
            await self._tell(session, NoticeKind.PHONE_REFUSED, due, due.tenant_id, due.user_id)
        elif await note_refused(session, due.user_id, reason=reason, now=self._clock.now()):
            await self._tell(session, NoticeKind.EMAIL_REFUSED, due, due.tenant_id, due.user_id)

    async def reported(self, session: BatchSession, due: Due, report: Report, reason: str) -> None:
        """Switch the mailbox off and say so; of a telephone, say that this message was lost.

        A mail that was lost with no address at fault is said, too, unless it leaves again.
        """
        if due.user_id is None or due.tenant_id is None:
            return
        if due.medium is Medium.SMS:
            await self._tell(session, NoticeKind.PHONE_REFUSED, due, due.tenant_id, due.user_id)
        elif report.kind is ReportKind.FAILED:
            if not (report.passing and await self._leaves_again(session, due)):
                await self.given_up(session, due)
        elif (problem := _PROBLEMS.get(report.kind)) and await switch_off(
            session, due.user_id, problem, at=report.at, reason=reason, now=self._clock.now()
        ):
            await self._tell(session, NoticeKind.EMAIL_REFUSED, due, due.tenant_id, due.user_id)

    async def given_up(self, session: BatchSession, due: Due) -> None:
        """Say in the panel that something did not come: of mails once a day, however many."""
        if due.user_id is None or due.tenant_id is None:
            return
        if due.medium is Medium.SMS:
            await self._tell(session, NoticeKind.PHONE_REFUSED, due, due.tenant_id, due.user_id)
        else:
            today = f"{due.user_id}:{warsaw_day(self._clock.now())}"
            told = Announcement(kind=NoticeKind.EMAIL_LOST, dedup=today, facts=CompanyFacts())
            await self._announce(session, told, due.tenant_id, due.user_id)

    async def _leaves_again(self, session: BatchSession, due: Due) -> bool:
        """Order a notice's mail once more. A code has gone with its mail: its reader asks anew."""
        if due.kind != NOTICE_MAIL or due.key.startswith(AGAIN):
            return False
        mail = Order(
            kind=due.kind,
            medium=due.medium,
            key=f"{AGAIN}{due.id}",
            tenant_id=due.tenant_id,
            user_id=due.user_id,
            notice_id=due.notice_id,
            subject_id=due.subject_id,
            not_before=self._clock.now() + AGAIN_AFTER,
        )
        await enqueue(session, [mail])
        return True

    async def _tell(
        self,
        session: BatchSession,
        kind: NoticeKind,
        due: Due,
        tenant_id: TenantId,
        user_id: UserId,
    ) -> None:
        told = Announcement(kind=kind, dedup=str(due.id), facts=CompanyFacts())
        await self._announce(session, told, tenant_id, user_id)

    async def _announce(
        self, session: BatchSession, told: Announcement, tenant_id: TenantId, user_id: UserId
    ) -> None:
        await announce(
            session, tenant_id, [told], rules=self._rules, now=self._clock.now(), only=user_id
        )
