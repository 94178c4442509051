"""Publishes notices: to every member in the panel, and by the channels each member chose."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import product

import msgspec

from prawko.notifications.fanout import (
    ChannelPolicy,
    Member,
    earliest_send_time,
    media_for,
    visible_to,
)
from prawko.notifications.kinds import (
    BUNDLED_KINDS,
    NoticeKind,
    NoticePayload,
    encode_payload,
    notification_type,
)
from prawko.notifications.notice_repository import NewNotice, NewNotification, NoticeRepository
from prawko.notifications.templates import render_entry
from prawko.outbox.messages import OutboxMessage
from prawko.outbox.service import enqueue_messages
from prawko_tenants.ids import DriverId, NoticeId, TenantId, UserId, new_id
from prawko_tenants.sessions import BatchSession, TenantSession

NOTICE_MAIL = "notice"


class NoticeDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A notice to publish to a company's members.

    A second draft of the same `kind` and `dedup_key` in the company changes nothing:
    `dedup_key` identifies the event (the verification that caused it, the day it began).
    """

    kind: NoticeKind
    dedup_key: str
    payload: NoticePayload
    driver_id: DriverId | None = None


class _NumberedDraft(msgspec.Struct, frozen=True):
    """A draft under the id of its notice."""

    notice_id: NoticeId
    draft: NoticeDraft


async def publish_notices(
    session: TenantSession | BatchSession,
    tenant_id: TenantId,
    drafts: Sequence[NoticeDraft],
    *,
    policy: ChannelPolicy,
    now: datetime,
    only_user_id: UserId | None = None,
) -> int:
    """Insert notices, notifications and outbox messages; return how many notices were new.

    Runs in the caller's transaction, in four statements whatever the number of drafts. The
    session is bound to the company; `now` is the product's. `only_user_id` limits the
    recipients to one member. Drafts of a bundled kind share one message per recipient and
    medium. The caller enqueues `deliver_pending` after its commit.
    """
    if not drafts:
        return 0
    repository = NoticeRepository(session)
    numbered = [_NumberedDraft(NoticeId(new_id()), draft) for draft in drafts]
    notices = [
        NewNotice(
            id=one.notice_id,
            kind=one.draft.kind,
            driver_id=one.draft.driver_id,
            dedup_key=one.draft.dedup_key,
            params=encode_payload(one.draft.payload),
        )
        for one in numbered
    ]
    added = await repository.add_notices(tenant_id, notices, now)
    numbered = [one for one in numbered if one.notice_id in added]
    if not numbered:
        return 0
    members = await repository.list_members(tenant_id)
    readers = [member for member in visible_to(members) if only_user_id in {None, member.user_id}]
    if readers:
        entries = [_to_notification(one, member) for one, member in product(numbered, readers)]
        await repository.add_notifications(tenant_id, entries, now)
        messages = [
            message
            for one, member in product(_bundle_heads(numbered), readers)
            for message in _to_outbox_messages(one, member, tenant_id, policy, now)
        ]
        await enqueue_messages(session, messages)
    return len(numbered)


def _bundle_heads(numbered: Iterable[_NumberedDraft]) -> list[_NumberedDraft]:
    """The drafts that get outbox messages: of each bundled kind the first, of others all."""
    heads: list[_NumberedDraft] = []
    bundled: set[NoticeKind] = set()
    for one in numbered:
        if one.draft.kind not in bundled:
            heads.append(one)
        if one.draft.kind in BUNDLED_KINDS:
            bundled.add(one.draft.kind)
    return heads


def _to_notification(numbered: _NumberedDraft, member: Member) -> NewNotification:
    entry = render_entry(numbered.draft.kind, numbered.draft.payload, member.language)
    return NewNotification(
        user_id=member.user_id,
        notice_id=numbered.notice_id,
        type=notification_type(numbered.draft.kind),
        title=entry.title,
        content=entry.content,
    )


def _to_outbox_messages(
    numbered: _NumberedDraft,
    member: Member,
    tenant_id: TenantId,
    policy: ChannelPolicy,
    now: datetime,
) -> list[OutboxMessage]:
    # A bundle points to no single notice: with that notice's driver the whole message would go.
    is_bundled = numbered.draft.kind in BUNDLED_KINDS
    return [
        OutboxMessage(
            kind=NOTICE_MAIL,
            medium=medium,
            key=f"notice:{numbered.notice_id}:{member.user_id}:{medium.value}",
            tenant_id=tenant_id,
            user_id=member.user_id,
            notice_id=None if is_bundled else numbered.notice_id,
            batch_at=now if is_bundled else None,
            not_before=earliest_send_time(medium, now, policy),
        )
        for medium in media_for(numbered.draft.kind, member, policy)
    ]
