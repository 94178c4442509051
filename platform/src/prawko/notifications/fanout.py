"""Decides who gets a notice, by which channels, and when."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta

import msgspec

from prawko.base.clock import WARSAW
from prawko.base.i18n import Language
from prawko.base.settings import Settings
from prawko.hooks.channels import Medium
from prawko.notifications.kinds import MEDIA_BY_KIND, NoticeKind
from prawko_tenants.ids import PushBrowserId, UserId

NIGHT_START_HOUR = 22


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A member of the company with the settings that decide about channels.

    `push_browsers` are the browsers that get push messages; each is sent one of its own.
    """

    user_id: UserId
    language: Language
    email_verified: bool
    email_on: bool
    phone_verified: bool
    sms_on: bool
    push_browsers: tuple[PushBrowserId, ...] = ()


class ChannelPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """The configured media, and the hour (Warsaw) from which SMS and push may be sent."""

    media: frozenset[Medium]
    sms_from_hour: int

    @classmethod
    def from_settings(cls, settings: Settings) -> "ChannelPolicy":
        """Return the policy of the settings."""
        return cls(
            media=frozenset(medium for medium in Medium if settings.channel_names(medium)),
            sms_from_hour=settings.sms_from_hour,
        )


def visible_to(members: Sequence[Member]) -> list[Member]:
    """Return the members who see notices in the panel: those with a verified address."""
    return [member for member in members if member.email_verified]


def media_for(kind: NoticeKind, member: Member, policy: ChannelPolicy) -> list[Medium]:
    """Return the media by which this member gets a notice of the kind, besides the panel."""
    if not member.email_verified:
        return []
    is_enabled = {
        Medium.EMAIL: member.email_on,
        Medium.SMS: member.sms_on and member.phone_verified,
        Medium.PUSH: bool(member.push_browsers),
    }
    return [
        medium
        for medium in Medium
        if is_enabled[medium] and medium in MEDIA_BY_KIND[kind] and medium in policy.media
    ]


def earliest_send_time(medium: Medium, now: datetime, policy: ChannelPolicy) -> datetime | None:
    """Return the earliest time to send a message; None for at once.

    SMS and push messages wake people: between 22:00 and the policy's hour (Warsaw) they wait for
    that hour. Hour 0 switches the wait off. Mails never wait.
    """
    if medium is Medium.EMAIL:
        return None
    local, morning = now.astimezone(WARSAW), policy.sms_from_hour
    is_evening = 0 < morning < NIGHT_START_HOUR <= local.hour
    if not is_evening and local.hour >= morning:
        return None
    day = local.date() + timedelta(days=1 if is_evening else 0)
    return datetime.combine(day, time(morning), WARSAW)
