"""What the carriers say of a person's address, shown to the person in the panel.

A refused address is still written to: the next alert may get through, and is worth a mail. One
that the carrier reports as bounced, dropped or spam is not, until its owner says otherwise.
"""

from prawko.accounts.email_problems import EmailProblem
from prawko.accounts.reported_addresses import note_reached, note_refused, switch_off
from prawko.base.clock import Clock
from prawko.base.settings import Settings
from prawko.deliveries.composing import Due
from prawko.hooks.channels import Medium, Recipient, Report, ReportKind
from prawko.notifications.announcing import Announcement, announce
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
        """Switch the mailbox off and say so; of a telephone, say that this message was lost."""
        if due.user_id is None or due.tenant_id is None:
            return
        if due.medium is Medium.SMS:
            await self._tell(session, NoticeKind.PHONE_REFUSED, due, due.tenant_id, due.user_id)
        elif (problem := _PROBLEMS.get(report.kind)) and await switch_off(
            session, due.user_id, problem, at=report.at, reason=reason, now=self._clock.now()
        ):
            await self._tell(session, NoticeKind.EMAIL_REFUSED, due, due.tenant_id, due.user_id)

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
