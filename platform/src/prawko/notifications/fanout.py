"""Decides who gets a notice, by which channels, and when; and which notices share a message. Pure.

The check of many drivers takes minutes. The notices of an import's first check are bundled by
stretches of time, so that a reader gets one message for many drivers, and the first results do not
wait for the last.
"""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, time, timedelta
from uuid import UUID

import msgspec

from prawko.accounts.roles import CompanyAct, Role, may_do
from prawko.hooks.channels import Medium
from prawko.kit.clock import WARSAW
from prawko.kit.settings import Settings
from prawko.kit.text.i18n import Language
from prawko.notifications.catalogue import ALL_GROUPS, CATALOGUE, Bundling, NoticeGroup, NoticeKind
from prawko_tenants.ids import BundleId, PushBrowserId, RecipientId, UserId

NIGHT_START_HOUR = 22
DIGEST_WINDOW = timedelta(minutes=5)
DIGEST_SPAN = timedelta(days=1)  # later results are not what the import has brought
# A result of the end of a window may be written a little later.
DIGEST_DELAY = timedelta(seconds=30)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class SmsHours(msgspec.Struct, frozen=True):
    """The hours (Warsaw) in which a person wants SMS: from `start` on, before `end`.

    They may go past midnight. Two equal hours mean at any time.
    """

    start: int
    end: int


class NoticeReader(msgspec.Struct, frozen=True, kw_only=True):
    """A person whom notices reach outside the panel, with the settings that decide about it.

    `push_browsers` are the browsers that get push messages; each is sent one of its own. Without
    `sms_hours` SMS and push messages wait at night.
    """

    language: Language
    email_on: bool
    groups: frozenset[NoticeGroup] = ALL_GROUPS
    push_browsers: tuple[PushBrowserId, ...] = ()
    sms_hours: SmsHours | None = None


class Member(NoticeReader, frozen=True, kw_only=True):
    """A member of the company."""

    user_id: UserId
    role: Role
    email_verified: bool
    phone_verified: bool
    sms_on: bool
    monthly_summary: bool = True


class AddedRecipient(NoticeReader, frozen=True, kw_only=True):
    """A person without an account whom the company added as a recipient of alerts, by mail.

    `confirmed`: the person agreed; `stopped`: and has taken that back, or refused.
    """

    recipient_id: RecipientId
    confirmed: bool
    stopped: bool


class ChannelPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """The configured media, and the hour (Warsaw) from which SMS and push may be sent.

    `at_any_hour` is for a message that its reader has just asked for.
    """

    media: frozenset[Medium]
    sms_from_hour: int
    at_any_hour: bool = False

    @classmethod
    def from_settings(cls, settings: Settings) -> "ChannelPolicy":
        """Return the policy of the settings."""
        return cls(
            media=frozenset(medium for medium in Medium if settings.channel_names(medium)),
            sms_from_hour=settings.sms_from_hour,
        )


def may_see(member: Member, kind: NoticeKind) -> bool:
    """Return whether a member sees notices of the kind in the panel: by address and role."""
    is_allowed = (
        may_do(member.role, CompanyAct.READ_DRIVERS) or not CATALOGUE[kind].is_about_drivers
    )
    return member.email_verified and is_allowed


def hidden_types(role: Role) -> frozenset[str]:
    """Return the types of notifications that a role does not see, though an earlier role did."""
    if may_do(role, CompanyAct.READ_DRIVERS):
        return frozenset()
    return frozenset(spec.type for spec in CATALOGUE.values() if spec.is_about_drivers)


def wants_notice(reader: Member | AddedRecipient, kind: NoticeKind, medium: Medium) -> bool:
    """Return whether a person gets notices of the kind by the medium.

    Asked when a notice is published and, with the settings of then, when its message is sent: the
    medium is one of the kind's, the person can be reached by it and has it on, and has chosen one
    of the kind's groups. A kind for members only is sent to them whatever groups they chose; the
    month's has a switch of its own.
    """
    spec = CATALOGUE[kind]
    match reader:
        case Member():
            is_chosen = spec.is_for_members_only or not reader.groups.isdisjoint(spec.groups)
            if kind is NoticeKind.MONTH_SUMMARY:
                is_chosen = reader.monthly_summary
            is_reachable = may_see(reader, kind)
            is_enabled = {
                Medium.EMAIL: reader.email_on,
                Medium.SMS: reader.phone_verified and reader.sms_on,
                Medium.PUSH: bool(reader.push_browsers),
            }[medium]
        case AddedRecipient():
            is_chosen = not reader.groups.isdisjoint(spec.groups)
            is_reachable = reader.confirmed and not reader.stopped
            is_enabled = medium is Medium.EMAIL and reader.email_on
    return medium in spec.media and is_chosen and is_reachable and is_enabled


def media_for(
    kind: NoticeKind, reader: Member | AddedRecipient, policy: ChannelPolicy
) -> list[Medium]:
    """Return the configured media by which this person gets a notice, besides the panel."""
    return [one for one in Medium if one in policy.media and wants_notice(reader, kind, one)]


def has_withheld_reader(members: Sequence[Member], policy: ChannelPolicy) -> bool:
    """Return whether any member gets a notice of a withheld licence by mail or SMS.

    A push message alone is not enough: a browser may lose its subscription unseen.
    """
    lasting = {Medium.EMAIL, Medium.SMS}
    return any(lasting & {*media_for(NoticeKind.WITHHELD, member, policy)} for member in members)


def without_mail_to(user_ids: Collection[UserId], members: Sequence[Member]) -> list[Member]:
    """Return the members as if those with these ids had switched mail off."""
    return [
        msgspec.structs.replace(member, email_on=member.email_on and member.user_id not in user_ids)
        for member in members
    ]


def earliest_send_time(
    medium: Medium, now: datetime, policy: ChannelPolicy, hours: SmsHours | None = None
) -> datetime | None:
    """Return the earliest time to send a message; None for at once.

    SMS and push messages wake people: they wait for the reader's own `hours`. Without them they
    wait between 22:00 and the policy's hour (Warsaw) for that hour; hour 0 switches that off.
    Mails never wait.
    """
    if medium is Medium.EMAIL or policy.at_any_hour:
        return None
    local = now.astimezone(WARSAW)
    if hours is not None:
        return _next_start(local, hours)
    morning = policy.sms_from_hour
    is_evening = 0 < morning < NIGHT_START_HOUR <= local.hour
    if not is_evening and local.hour >= morning:
        return None
    day = local.date() + timedelta(days=1 if is_evening else 0)
    return datetime.combine(day, time(morning), WARSAW)


def _next_start(local: datetime, hours: SmsHours) -> datetime | None:
    """Return when the next such hours begin; None within them."""
    has_begun, has_ended = local.hour >= hours.start, local.hour >= hours.end
    is_past_midnight = hours.start >= hours.end
    is_within = has_begun and not has_ended
    if is_within or (is_past_midnight and (has_begun or not has_ended)):
        return None
    day = local.date() + timedelta(days=1 if has_begun else 0)
    return datetime.combine(day, time(hours.start), WARSAW)


def digest_time(imported_at: datetime, now: datetime) -> datetime | None:
    """Return the end of the window that `now` is in; None long after the import."""
    elapsed = max(now - imported_at, timedelta())
    if elapsed >= DIGEST_SPAN:
        return None
    return imported_at + DIGEST_WINDOW * (elapsed // DIGEST_WINDOW + 1)


def find_bundle(kind: NoticeKind, digest_at: datetime | None, now: datetime) -> BundleId | None:
    """Return the bundle of a notice that is published at `now`; None for one of its own message.

    A first check's bundle is that of `digest_at`, the end of its window, whatever the kind and the
    call. Any other is that of the kind and the call. Bundles of two companies may have one id.
    """
    if digest_at is not None:
        return _bundle_id(digest_at, 0)
    if CATALOGUE[kind].bundling is not Bundling.KIND:
        return None
    return _bundle_id(now, 1 + [*CATALOGUE].index(kind))


def bundle_timestamp(bundle: BundleId) -> float:
    """Return the instant of a bundle, in seconds since 1970."""
    return (bundle.int >> 64) / 10**6


def _bundle_id(instant: datetime, number: int) -> BundleId:
    """The microseconds since 1970 and a number below 1000, 64 bits each (read by revision 0040)."""
    return BundleId(UUID(int=((instant - _EPOCH) // timedelta(microseconds=1) << 64) + number))
