"""Announces what happened: to every member in the panel, and by the channels they chose."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import product

import msgspec

from prawko.deliveries.orders import Order
from prawko.deliveries.outbox import enqueue
from prawko.notifications.fanout import Member, Rules, media_for, not_before, readers
from prawko.notifications.kinds import (
    TOLD_TOGETHER,
    Facts,
    NoticeKind,
    notification_type,
    stored,
)
from prawko.notifications.messages import as_id
from prawko.notifications.repository import NewNotice, NewNotification, NotificationRepository
from prawko.notifications.wording import entry
from prawko_tenants.ids import DriverId, NoticeId, TenantId, UserId, new_id
from prawko_tenants.sessions import BatchSession, TenantSession

NOTICE_MAIL = "notice"


class Announcement(msgspec.Struct, frozen=True, kw_only=True):
    """Something to tell a company's people.

    A second announcement of the same `kind` and `dedup` in the company changes nothing:
    `dedup` names the change itself (the verification that brought it, the day it began).
    """

    kind: NoticeKind
    dedup: str
    facts: Facts
    driver_id: DriverId | None = None


class _News(msgspec.Struct, frozen=True):
    """An announcement under the id of its notice."""

    notice_id: NoticeId
    what: Announcement


async def announce(
    session: TenantSession | BatchSession,
    tenant_id: TenantId,
    announcements: Sequence[Announcement],
    *,
    rules: Rules,
    now: datetime,
    only: UserId | None = None,
) -> int:
    """Write notices, notifications and orders in the caller's transaction.

    The session is bound to the company. Costs four statements, however many announcements
    there are. `now` is the product's. `only` tells one member alone. Returns how many notices
    were new; the caller rings `deliver_pending` once its transaction stands. Of a kind that is
    told together, all of one call travel in one message, in their order here.
    """
    if not announcements:
        return 0
    repository = NotificationRepository(session)
    news = [_News(NoticeId(new_id()), what) for what in announcements]
    rows = [
        NewNotice(
            id=one.notice_id,
            kind=one.what.kind,
            driver_id=one.what.driver_id,
            dedup=one.what.dedup,
            params=stored(one.what.facts),
        )
        for one in news
    ]
    added = await repository.add_notices(tenant_id, rows, now)
    news = [one for one in news if one.notice_id in added]
    if not news:
        return 0
    members = await repository.members(tenant_id)
    told = [one for one in readers(members) if only in {None, one.user_id}]
    if told:
        entries = [_notification(one, member) for one, member in product(news, told)]
        await repository.add_notifications(tenant_id, entries, now)
        orders = [
            order
            for one, member in product(_carriers(news), told)
            for order in _orders(one, member, tenant_id, rules, now)
        ]
        await enqueue(session, orders)
    return len(news)


def _carriers(news: Iterable[_News]) -> list[_News]:
    """Those that messages are ordered for: of a kind told together the first carries all."""
    carrying: list[_News] = []
    told: set[NoticeKind] = set()
    for one in news:
        if one.what.kind not in told:
            carrying.append(one)
        if one.what.kind in TOLD_TOGETHER:
            told.add(one.what.kind)
    return carrying


def _notification(news: _News, member: Member) -> NewNotification:
    words = entry(news.what.kind, news.what.facts, member.language)
    return NewNotification(
        user_id=member.user_id,
        notice_id=news.notice_id,
        type=notification_type(news.what.kind),
        title=words.title,
        content=words.content,
    )


def _orders(
    news: _News, member: Member, tenant_id: TenantId, rules: Rules, now: datetime
) -> list[Order]:
    # Hung on one of them, the message would go with that driver.
    together = news.what.kind in TOLD_TOGETHER
    return [
        Order(
            kind=NOTICE_MAIL,
            medium=medium,
            key=f"notice:{news.notice_id}:{member.user_id}:{medium.value}",
            tenant_id=tenant_id,
            user_id=member.user_id,
            notice_id=None if together else news.notice_id,
            subject_id=as_id(now) if together else None,
            not_before=not_before(medium, now, rules),
        )
        for medium in media_for(news.what.kind, member, rules)
    ]
