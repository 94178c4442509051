"""Who gets what, by which channel, and when: no more than a table and two rules."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta

import msgspec

from prawko.base.clock import WARSAW
from prawko.base.settings import Settings
from prawko.base.texts import Language
from prawko.hooks.channels import Medium
from prawko.notifications.kinds import MEDIA, NoticeKind
from prawko_tenants.ids import UserId

NIGHT_BEGINS = 22


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A person of the company, and what may be sent where."""

    user_id: UserId
    language: Language
    email_verified: bool
    email_on: bool
    phone_verified: bool
    sms_on: bool


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """What the installation can send, and from which hour of the morning SMS may arrive."""

    media: frozenset[Medium]
    sms_from_hour: int

    @classmethod
    def of(cls, settings: Settings) -> "Rules":
        """The rules that the settings make."""
        channels = {Medium.EMAIL: settings.mail_channel, Medium.SMS: settings.sms_channel}
        return cls(
            media=frozenset(medium for medium, name in channels.items() if name),
            sms_from_hour=settings.sms_from_hour,
        )


def readers(members: Sequence[Member]) -> list[Member]:
    """Who sees the notice in the panel: everybody who has proved the own address."""
    return [member for member in members if member.email_verified]


def media_for(kind: NoticeKind, member: Member, rules: Rules) -> list[Medium]:
    """By which channels this member is told beside the panel."""
    if not member.email_verified:
        return []
    wanted = {
        Medium.EMAIL: member.email_on,
        Medium.SMS: member.sms_on and member.phone_verified,
    }
    return [
        medium
        for medium in Medium
        if wanted[medium] and medium in MEDIA[kind] and medium in rules.media
    ]


def not_before(medium: Medium, now: datetime, rules: Rules) -> datetime | None:
    """When a message may leave at the earliest; None for at once.

    A mail waits in its box, an SMS wakes people: between ten in the evening and the hour of
    the setting it waits for that hour, in Warsaw. Hour zero switches the wait off.
    """
    if medium is not Medium.SMS:
        return None
    local, morning = now.astimezone(WARSAW), rules.sms_from_hour
    evening = 0 < morning < NIGHT_BEGINS <= local.hour
    if not evening and local.hour >= morning:
        return None
    day = local.date() + timedelta(days=1 if evening else 0)
    return datetime.combine(day, time(morning), WARSAW)
