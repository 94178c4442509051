"""What a member does with notifications, channels and the test alert."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

import msgspec
from msgspec import UNSET

from prawko.accounts.audit_log import AuditEvent, ClientInfo, record_event
from prawko.accounts.authentication import Identity
from prawko.accounts.errors import PhoneUnverifiedError
from prawko.hooks.channels import Medium
from prawko.kit.database import Pagination
from prawko.kit.errors import NotFoundError
from prawko.kit.text.i18n import Language
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.fanout import ChannelPolicy, hidden_types, media_for
from prawko.notifications.models import Notification
from prawko.notifications.notice_repository import NoticeRepository
from prawko.notifications.payloads import DriverPayload
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko.notifications.repository import (
    ChannelPreferences,
    NotificationRepository,
    PreferenceRepository,
    StoredNotice,
)
from prawko.notifications.schemas import NotificationOut, NotificationSettingsIn
from prawko.notifications.templates import render_entry
from prawko_tenants.ids import NoticeId, NotificationId, UserId, new_id
from prawko_tenants.sessions import TenantSession


class NotificationService:
    """The notifications of one member of one company."""

    def __init__(self, session: TenantSession, identity: Identity) -> None:
        self._session = session
        self._notifications = NotificationRepository(session=session)
        self._preferences = PreferenceRepository(session)
        self._identity = identity
        self._user_id = identity.user_id
        self._hidden = hidden_types(identity.role)

    async def list_newest(
        self, pagination: Pagination, language: Language, *, unread_only: bool
    ) -> tuple[list[NotificationOut], int]:
        """Return a page of the list, newest first, in the reader's language, and the total."""
        rows, total = await self._notifications.list_newest(
            self._user_id, pagination, self._hidden, unread_only=unread_only
        )
        notices = await self._notifications.load_notices({row.notice_id for row in rows})
        return [_to_notification_out(row, notices, language) for row in rows], total

    async def mark_read(self, notification_id: UUID, language: Language) -> NotificationOut:
        """Mark one as read; idempotent. Raises NotFoundError for another member's."""
        notification = await self._notifications.mark_read(
            self._user_id, notification_id, self._hidden
        )
        if notification is None:
            raise NotFoundError
        notices = await self._notifications.load_notices({notification.notice_id})
        return _to_notification_out(notification, notices, language)

    async def mark_all_read(self) -> int:
        """Mark all as read and return how many were unread."""
        return await self._notifications.mark_all_read(self._user_id)

    async def delete(self, notification_id: UUID) -> None:
        """Delete one. Raises NotFoundError for another member's."""
        if not await self._notifications.delete_own(self._user_id, notification_id):
            raise NotFoundError

    async def change_preferences(
        self, settings: NotificationSettingsIn, client_info: ClientInfo, now: datetime
    ) -> ChannelPreferences:
        """Switch the channels on or off; refuses only SMS, so that both may be off.

        Raises PhoneUnverifiedError for SMS without a phone.

        SMS that are on stay on while a changed number is unverified: nothing is sent meanwhile.

        Switching mails on confirms the address, whatever a carrier reported about it.
        """
        before = await self._preferences.lock(self._user_id)
        email_on, sms_on = settings.email_enabled, settings.sms_enabled
        if sms_on and not (before.phone_verified or before.sms_on):
            raise PhoneUnverifiedError(fields={"smsEnabled": "errors.phone_unverified"})
        state = "ok" if email_on else before.email_state
        after = msgspec.structs.replace(
            before,
            email_on=before.email_on if email_on is UNSET else email_on,
            sms_on=before.sms_on if sms_on is UNSET else sms_on,
            email_state=state,
        )
        if after != before:
            await self._preferences.save(
                self._user_id,
                email_on=after.email_on,
                sms_on=after.sms_on,
                is_address_confirmed=bool(email_on),
                now=now,
            )
            await record_event(
                self._session, AuditEvent.SETTINGS_CHANGED, self._identity, client_info, now,
                email=after.email_on, sms=after.sms_on,
            )  # fmt: skip
        return after


def _to_notification_out(
    row: Notification, notices: Mapping[NoticeId | None, StoredNotice], language: Language
) -> NotificationOut:
    """Return the notification; without its notice it keeps the language that it was written in."""
    notice = notices.get(row.notice_id)
    entry = render_entry(notice.kind, notice.payload, language) if notice else row
    return NotificationOut(
        id=NotificationId(row.id),
        type=row.type,
        title=entry.title,
        content=entry.content,
        read=row.read,
        created_at=row.created_at,
        kind=notice.kind if notice else None,
        driver_id=notice.driver_id if notice else None,
    )


async def publish_test_alert(
    session: TenantSession, user_id: UserId, *, policy: ChannelPolicy, now: datetime
) -> list[Medium]:
    """Publish a test alert to one member; returns the media by which it leaves, at any hour."""
    tenant_id = session.tenant_id
    at_once = msgspec.structs.replace(policy, at_any_hour=True)
    sample = DriverPayload(
        first_name="Jan",
        last_name="Przykładowy",
        license_number="AA000000",
        checked_at=now,
        state="Zatrzymany",
        reasons=("Przekroczenie 24 punktów karnych",),
    )
    draft = NoticeDraft(kind=NoticeKind.TEST_ALERT, dedup_key=str(new_id()), payload=sample)
    members = await NoticeRepository(session, tenant_id).list_members()
    await publish_notices(
        session, tenant_id, [draft],
        policy=at_once, now=now, only_user_id=user_id, members=members,
    )  # fmt: skip
    return [
        medium
        for member in members
        if member.user_id == user_id
        for medium in media_for(NoticeKind.TEST_ALERT, member, policy)
    ]
