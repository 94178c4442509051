"""Publishes notices: in the panel to members whose role sees them, and by chosen channels."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import product

import msgspec

from prawko.hooks.channels import Medium
from prawko.kit.outbox.models import OutboxMessage
from prawko.kit.outbox.service import enqueue_messages
from prawko.notifications.catalogue import CATALOGUE, NoticeKind
from prawko.notifications.fanout import (
    DIGEST_DELAY,
    AddedRecipient,
    ChannelPolicy,
    Member,
    earliest_send_time,
    find_bundle,
    may_see,
    media_for,
)
from prawko.notifications.notice_repository import NewNotice, NewNotification, NoticeRepository
from prawko.notifications.payloads import NoticePayload
from prawko.notifications.templates import render_entry
from prawko_tenants.ids import (
    BundleId,
    DriverId,
    NoticeId,
    PushBrowserId,
    TenantId,
    UserId,
    new_id,
)
from prawko_tenants.sessions import BatchSession, TenantSession

NOTICE_MAIL = "notice"


class NoticeDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A notice to publish to a company's members.

    A second draft of the same `kind` and `dedup_key` in the company changes nothing:
    `dedup_key` identifies the event (the verification that caused it, the day it began).
    Drafts of one `digest_at`, the end of the window of an import's first check, share one message
    per recipient and medium, sent at that time, also with those of other calls.
    """

    kind: NoticeKind
    dedup_key: str
    payload: NoticePayload
    driver_id: DriverId | None = None
    digest_at: datetime | None = None


async def publish_notices(
    session: TenantSession | BatchSession,
    tenant_id: TenantId,
    drafts: Sequence[NoticeDraft],
    *,
    policy: ChannelPolicy,
    now: datetime,
    only_user_id: UserId | None = None,
    members: Sequence[Member] | None = None,
) -> int:
    """Insert notices, notifications and outbox messages; return how many notices were new.

    Runs in the caller's transaction, in five statements whatever the number of drafts, and one for
    each bundle. The session is bound to the company; `now` is the product's. `only_user_id` limits
    the recipients to one member; `members` are all of them, if the caller has read them. The
    notices of a bundle share one message per recipient and medium.
    """
    if not drafts:
        return 0
    repository = NoticeRepository(session, tenant_id)
    # Before the notices are written: a message that left meanwhile would lack them.
    bundles = {
        bundle for draft in drafts if (bundle := find_bundle(draft.kind, draft.digest_at, now))
    }
    await repository.join_bundles(bundles)
    new = await _insert_new(repository, drafts, now)
    if not new:
        return 0
    if members is None:
        members = await repository.list_members()
    members = [member for member in members if only_user_id in {None, member.user_id}]
    notifications = [
        _to_notification(notice_id, draft, member)
        for (notice_id, draft), member in product(new.items(), members)
        if may_see(member, draft.kind)
    ]
    if notifications:
        await repository.add_notifications(notifications, now)
    added_recipients = [] if only_user_id is not None else await repository.list_added_recipients()
    readers: list[Member | AddedRecipient] = [*members, *added_recipients]
    await enqueue_messages(session, _all_messages(tenant_id, new, readers, policy, now))
    return len(new)


async def _insert_new(
    repository: NoticeRepository, drafts: Sequence[NoticeDraft], now: datetime
) -> dict[NoticeId, NoticeDraft]:
    """Insert the notices that were not published before; return their drafts by id."""
    notices = [
        NewNotice(
            id=NoticeId(new_id()),
            kind=draft.kind,
            driver_id=draft.driver_id,
            dedup_key=draft.dedup_key,
            params=msgspec.to_builtins(draft.payload),
            created_at=now,
            bundle_id=find_bundle(draft.kind, draft.digest_at, now),
        )
        for draft in drafts
    ]
    added = await repository.add_notices(notices)
    return {
        notice.id: draft
        for notice, draft in zip(notices, drafts, strict=True)
        if notice.id in added
    }


def _to_notification(notice_id: NoticeId, draft: NoticeDraft, member: Member) -> NewNotification:
    entry = render_entry(draft.kind, draft.payload, member.language)
    return NewNotification(
        user_id=member.user_id,
        notice_id=notice_id,
        type=CATALOGUE[draft.kind].type,
        title=entry.title,
        content=entry.content,
    )


def _all_messages(
    tenant_id: TenantId,
    new: Mapping[NoticeId, NoticeDraft],
    readers: Sequence[Member | AddedRecipient],
    policy: ChannelPolicy,
    now: datetime,
) -> list[OutboxMessage]:
    """Return the messages about new notices, one for each bundle."""
    heads: dict[BundleId | NoticeId, tuple[NoticeId, NoticeDraft]] = {}
    for notice_id, draft in new.items():
        bundle_id = find_bundle(draft.kind, draft.digest_at, now)
        heads.setdefault(bundle_id or notice_id, (notice_id, draft))
    return [
        message
        for (notice_id, draft), reader in product(heads.values(), readers)
        for message in _to_outbox_messages(tenant_id, notice_id, draft, reader, policy, now)
    ]


def _to_outbox_messages(
    tenant_id: TenantId, notice_id: NoticeId, draft: NoticeDraft, reader: Member | AddedRecipient,
    policy: ChannelPolicy, now: datetime,
) -> list[OutboxMessage]:  # fmt: skip
    user_id = reader.user_id if isinstance(reader, Member) else None
    recipient_id = reader.recipient_id if isinstance(reader, AddedRecipient) else None
    bundle_id = find_bundle(draft.kind, draft.digest_at, now)
    if draft.digest_at is None:
        about, due = f"notice:{notice_id}", None
    else:  # the same key in each call, and in the previous release
        about = f"digest:{tenant_id}:{draft.digest_at.isoformat()}"
        due = draft.digest_at + DIGEST_DELAY
    return [
        OutboxMessage(
            kind=NOTICE_MAIL,
            medium=medium,
            key=f"{about}:{user_id or recipient_id}:{address}",
            tenant_id=tenant_id,
            user_id=user_id,
            subject_id=browser or recipient_id,
            # A bundle belongs to no single notice: erasing its driver would delete the message.
            notice_id=notice_id if bundle_id is None else None,
            bundle_id=bundle_id,
            not_before=earliest_send_time(medium, due or now, policy, reader.sms_hours) or due,
        )
        for medium, browser, address in _addresses(draft.kind, reader, policy)
    ]


def _addresses(
    kind: NoticeKind, reader: Member | AddedRecipient, policy: ChannelPolicy
) -> Iterator[tuple[Medium, PushBrowserId | None, str]]:
    """Yield the medium, the browser and the end of the key of each message to a person.

    The key has at most 150 characters, and so only the end of the browser's id, which is random.
    """
    for medium in media_for(kind, reader, policy):
        if medium is not Medium.PUSH:
            yield medium, None, medium.value
            continue
        for browser in reader.push_browsers:
            yield medium, browser, f"{medium.value}:{browser.hex[-16:]}"
