"""A test alert: the notice of a withheld licence, about an invented driver."""

from datetime import datetime

import msgspec

from prawko.hooks.channels import Medium
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.fanout import ChannelPolicy, media_for
from prawko.notifications.notice_repository import NoticeRepository
from prawko.notifications.payloads import DriverPayload
from prawko.notifications.publisher import NoticeDraft, publish_notices
from prawko_tenants.ids import UserId, new_id
from prawko_tenants.sessions import TenantSession


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
