"""The recipients of a company's alerts: members' choices, and persons whom members add."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TypeVar

from msgspec import UNSET, UnsetType

from prawko import limits
from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity
from prawko.accounts.email_address import mailbox_of, normalise_email, parse_email, to_email_problem
from prawko.accounts.one_time_codes import count_mail
from prawko.accounts.roles import CompanyAct, may_do
from prawko.kit.context import AppContext
from prawko.kit.errors import NotFoundError
from prawko.kit.rate_limit import client_network
from prawko.kit.text.letters import normalise_line
from prawko.kit.text.plain_text import is_far_too_long
from prawko.notifications.catalogue import NoticeGroup
from prawko.notifications.errors import (
    InvalidRecipientError,
    LastAlertReaderError,
    RecipientConfirmedError,
    RecipientExistsError,
    RecipientLimitError,
    RecipientStoppedError,
)
from prawko.notifications.fanout import (
    ChannelPolicy,
    Member,
    SmsHours,
    has_withheld_reader,
    without_mail_to,
)
from prawko.notifications.links import INVITATION_LIFETIME
from prawko.notifications.models import AlertRecipient
from prawko.notifications.notice_repository import NoticeRepository
from prawko.notifications.recipients.invitation_mails import enqueue_invitation
from prawko.notifications.recipients.repository import MemberAddress, RecipientRepository
from prawko.notifications.schemas import (
    MAX_NAME_LENGTH,
    MAX_RECIPIENTS,
    AlertRecipientsOut,
    MemberAlertsOut,
    OwnAlertsPatch,
    RecipientIn,
    RecipientOut,
    RecipientPatch,
    RecipientState,
    SmsHoursOut,
)
from prawko_tenants.ids import RecipientId
from prawko_tenants.sessions import TenantSession

T = TypeVar("T")


class RecipientService:
    """The recipients of one company, for one of its members; inside one transaction."""

    def __init__(
        self,
        context: AppContext,
        session: TenantSession,
        identity: Identity,
        client_info: ClientInfo,
    ) -> None:
        self._context = context
        self._session = session
        self._identity = identity
        self._client_info = client_info
        self._recipients = RecipientRepository(session)
        self._members = NoticeRepository(session, session.tenant_id)
        self._policy = ChannelPolicy.from_settings(context.settings)

    async def list_all(self) -> AlertRecipientsOut:
        """Return the members, and the persons without an account; to some roles only the caller."""
        listed, addresses = await self._read_members()
        is_shown = may_do(self._identity.role, CompanyAct.ALERTS)
        members = {member.user_id: member for member in listed}
        return AlertRecipientsOut(
            members=[
                self._to_member_out(members[address.user_id], address)
                for address in addresses
                if address.user_id in members
                and (is_shown or address.user_id == self._identity.user_id)
            ],
            recipients=[
                to_recipient_out(row) for row in await self._recipients.list_all() if is_shown
            ],
            max_recipients=MAX_RECIPIENTS,
            sms_from_hour=self._policy.sms_from_hour,
        )

    async def change_own(self, patch: OwnAlertsPatch) -> MemberAlertsOut:
        """Change what the caller gets.

        Raises LastAlertReaderError if no member would get a notice of a withheld licence outside
        the panel any more.
        """
        await self._recipients.lock_company()
        members, addresses = await self._read_members()
        had_reader = self._has_reader(members, addresses)
        [before] = [one for one in members if one.user_id == self._identity.user_id]
        now = self._context.clock.now()
        tenant_id, user_id = self._session.tenant_id, self._identity.user_id
        if patch.groups is not UNSET:
            await self._recipients.save_groups(tenant_id, user_id, _sort(patch.groups))
        if patch.sms_hours is not UNSET:
            chosen = patch.sms_hours
            hours = None if chosen is None else SmsHours(chosen.start, chosen.end)
            await self._recipients.save_sms_hours(tenant_id, user_id, hours)
        if patch.monthly_summary is not UNSET:
            await self._recipients.save_monthly_summary(
                tenant_id, user_id, is_wanted=patch.monthly_summary
            )
        members, addresses = await self._read_members()
        if had_reader and not self._has_reader(members, addresses):
            raise LastAlertReaderError
        [own] = [one for one in members if one.user_id == user_id]
        if own != before:
            await self._record(AuditEvent.OWN_ALERTS_CHANGED, now)
        [address] = [one for one in addresses if one.user_id == user_id]
        return self._to_member_out(own, address)

    async def add(self, draft: RecipientIn) -> RecipientOut:
        """Add a person without an account and send the invitation.

        Raises InvalidRecipientError, RecipientExistsError, RecipientLimitError and
        TooManyRequestsError.
        """
        name, address = parse_name(draft.name), parse_email(draft.email)
        if address is None:
            raise InvalidRecipientError(fields={"email": "accounts.email.invalid"})
        tenant_id, key = self._session.tenant_id, normalise_email(address)
        await self._count_invitation(address)
        await self._recipients.lock_company()
        if await self._recipients.has_address(tenant_id, key):
            raise RecipientExistsError(fields={"email": "errors.recipient_exists"})
        if await self._recipients.count_all() >= MAX_RECIPIENTS:
            raise RecipientLimitError(limit=MAX_RECIPIENTS)
        now = self._context.clock.now()
        recipient = await self._recipients.add(
            AlertRecipient(
                name=name,
                email=address,
                email_key=key,
                language=_given(draft.language, self._identity.language),
                email_enabled=True,
                alert_groups=[*map(str, _sort(_given(draft.groups, [*NoticeGroup])))],
                email_state="ok",
                invited_at=now,
                created_at=now,
                created_by=self._identity.user_id,
            )
        )
        await self._invite(recipient, AuditEvent.RECIPIENT_ADDED, now)
        return to_recipient_out(recipient)

    async def change(self, recipient_id: RecipientId, patch: RecipientPatch) -> RecipientOut:
        """Change what a person without an account gets.

        Raises NotFoundError and InvalidRecipientError.
        """
        recipient = await self._lock(recipient_id)
        if patch.name is not UNSET:
            recipient.name = parse_name(patch.name)
        if patch.groups is not UNSET:
            recipient.alert_groups = [*map(str, _sort(patch.groups))]
        recipient.language = _given(patch.language, recipient.language)
        recipient.email_enabled = _given(patch.email_enabled, recipient.email_enabled)
        if self._session.is_modified(recipient):
            await self._session.flush()
            now = self._context.clock.now()
            await self._record(AuditEvent.RECIPIENT_CHANGED, now, recipient=recipient_id)
        return to_recipient_out(recipient)

    async def invite_again(self, recipient_id: RecipientId) -> RecipientOut:
        """Send a fresh invitation; the link of the one before becomes invalid.

        Raises NotFoundError, RecipientStoppedError, RecipientConfirmedError and
        TooManyRequestsError.
        """
        tenant_id = self._session.tenant_id
        async with self._context.database.tenant(tenant_id) as session:
            found = await RecipientRepository(session).find(tenant_id, recipient_id)
        await self._count_invitation(_require_invitable(found).email)
        recipient = _require_invitable(await self._recipients.lock(recipient_id))
        recipient.invited_at = now = self._context.clock.now()
        await self._session.flush()
        await self._invite(recipient, AuditEvent.RECIPIENT_INVITED, now)
        return to_recipient_out(recipient)

    async def remove(self, recipient_id: RecipientId) -> None:
        """Remove a person without an account. Raises NotFoundError."""
        if not await self._recipients.delete_one(recipient_id):
            raise NotFoundError
        now = self._context.clock.now()
        await self._record(AuditEvent.RECIPIENT_REMOVED, now, recipient=recipient_id)

    async def _count_invitation(self, address: str) -> None:
        """Count a mail, before the session has taken a connection: a second one is waited for.

        Raises TooManyRequestsError.
        """
        company, network = str(self._session.tenant_id), client_network(self._client_info.ip)
        throttle = self._context.throttle
        await throttle.hit(limits.REPEATED_INVITATIONS, f"{company} {mailbox_of(address)}")
        await throttle.hit(limits.INVITATIONS, company)
        await throttle.hit(limits.INVITATIONS_PER_NETWORK, network)
        await count_mail(self._context, address, self._client_info)

    async def _invite(self, recipient: AlertRecipient, event: AuditEvent, now: datetime) -> None:
        await enqueue_invitation(self._session, recipient)
        await self._record(event, now, recipient=recipient.id)

    async def _record(self, event: AuditEvent, now: datetime, **details: RecipientId) -> None:
        await record_event(self._session, event, self._identity, self._client_info, now, **details)

    async def _lock(self, recipient_id: RecipientId) -> AlertRecipient:
        recipient = await self._recipients.lock(recipient_id)
        if recipient is None:
            raise NotFoundError
        return recipient

    async def _read_members(self) -> tuple[list[Member], Sequence[MemberAddress]]:
        members = await self._members.list_members()
        return members, await self._recipients.list_member_addresses(self._session.tenant_id)

    def _has_reader(self, members: Sequence[Member], addresses: Sequence[MemberAddress]) -> bool:
        """Whether a member gets notices of withheld licences; by mail only where mail arrives."""
        suppressed = {one.user_id for one in addresses if to_email_problem(one.email_state)}
        return has_withheld_reader(without_mail_to(suppressed, members), self._policy)

    def _to_member_out(self, member: Member, address: MemberAddress) -> MemberAlertsOut:
        is_self = member.user_id == self._identity.user_id
        hours = member.sms_hours
        return MemberAlertsOut(
            email=address.email,
            is_self=is_self,
            email_enabled=member.email_on,
            email_problem=to_email_problem(address.email_state),
            sms_enabled=member.sms_on,
            phone_number=address.phone_number if is_self else None,
            phone_verified=member.phone_verified,
            groups=_sort(member.groups),
            sms_hours=None if hours is None else SmsHoursOut(start=hours.start, end=hours.end),
            monthly_summary=member.monthly_summary,
        )


def parse_name(text: str) -> str:
    """Return the name of a recipient on one line. Raises InvalidRecipientError."""
    is_too_long = is_far_too_long(text, MAX_NAME_LENGTH)
    name = "" if is_too_long else normalise_line(text)
    if not (name or is_too_long):
        raise InvalidRecipientError(fields={"name": "notices.recipient.name_required"})
    if is_too_long or len(name) > MAX_NAME_LENGTH:
        raise InvalidRecipientError(fields={"name": "notices.recipient.name_too_long"})
    return name


def _require_invitable(recipient: AlertRecipient | None) -> AlertRecipient:
    """Raise NotFoundError, RecipientStoppedError or RecipientConfirmedError."""
    if recipient is None:
        raise NotFoundError
    match to_state(recipient):
        case RecipientState.STOPPED:
            raise RecipientStoppedError
        case RecipientState.ACTIVE if recipient.email_state == "ok":
            raise RecipientConfirmedError
    return recipient


def to_state(recipient: AlertRecipient) -> RecipientState:
    """Return whether the person gets alerts."""
    if recipient.stopped_at is not None:
        return RecipientState.STOPPED
    return RecipientState.ACTIVE if recipient.confirmed_at else RecipientState.WAITING


def to_recipient_out(recipient: AlertRecipient) -> RecipientOut:
    """Return a person without an account in the API's shape."""
    return RecipientOut(
        id=recipient.id,
        name=recipient.name,
        email=recipient.email,
        language=recipient.language,
        email_enabled=recipient.email_enabled,
        email_problem=to_email_problem(recipient.email_state),
        groups=_sort(map(NoticeGroup, recipient.alert_groups)),
        state=to_state(recipient),
        invitation_ends_at=recipient.invited_at + INVITATION_LIFETIME,
        confirmed_at=recipient.confirmed_at,
        stopped_at=recipient.stopped_at,
    )


def _given(value: T | UnsetType, default: T) -> T:
    return default if value is UNSET else value


def _sort(groups: Iterable[NoticeGroup]) -> list[NoticeGroup]:
    """The groups once each, in the order of the enumeration."""
    chosen = set(groups)
    return [group for group in NoticeGroup if group in chosen]
