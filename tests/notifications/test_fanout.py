"""Recipients, media and send times of notices."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.base.clock import WARSAW
from prawko.base.i18n import Language
from prawko.hooks.channels import Medium
from prawko.notifications.fanout import (
    ChannelPolicy,
    Member,
    earliest_send_time,
    media_for,
    visible_to,
)
from prawko.notifications.kinds import MEDIA_BY_KIND, NoticeKind, notification_type
from prawko_tenants.ids import PushBrowserId, UserId

BOTH = ChannelPolicy(media=frozenset(Medium), sms_from_hour=6)
MAIL, SMS = Medium.EMAIL, Medium.SMS


def make_member(**flags: Any) -> Member:
    values = {"email_verified": True, "email_on": True, "phone_verified": True, "sms_on": True}
    return Member(user_id=UserId(UUID(int=1)), language=Language.PL, **{**values, **flags})


@pytest.mark.parametrize(
    ("flags", "media"),
    [
        ({}, [MAIL, SMS]),
        ({"sms_on": False}, [MAIL]),
        ({"phone_verified": False}, [MAIL]),
        ({"email_on": False}, [SMS]),
        ({"email_on": False, "sms_on": False}, []),
        ({"email_verified": False}, []),
    ],
)
def test_a_withheld_licence_is_sent_by_the_channels_the_member_chose(flags, media) -> None:
    assert media_for(NoticeKind.WITHHELD, make_member(**flags), BOTH) == media


@pytest.mark.parametrize(
    ("kind", "media"),
    [
        (NoticeKind.WITHHELD, [MAIL, SMS]),
        (NoticeKind.RESTORED, [MAIL, SMS]),
        (NoticeKind.ATTENTION, [MAIL, SMS]),
        (NoticeKind.NOT_FOUND, [MAIL, SMS]),
        (NoticeKind.CONFIRMED, []),
        (NoticeKind.EXPIRING, [MAIL]),
        (NoticeKind.EXPIRED, [MAIL]),
        (NoticeKind.RESULTS_STALE, [MAIL]),
        (NoticeKind.CHECKING_STOPPED, [MAIL, SMS]),
        (NoticeKind.TRIAL_ENDING, [MAIL]),
        (NoticeKind.TRIAL_ENDED, [MAIL, SMS]),
        (NoticeKind.SUBSCRIPTION_ENDING, [MAIL]),
        (NoticeKind.SUBSCRIPTION_ENDED, [MAIL, SMS]),
        (NoticeKind.PAYMENT_FAILED, [MAIL, SMS]),
        (NoticeKind.PAYMENT_CONSENT, [MAIL, SMS]),
        (NoticeKind.GRACE_STARTED, [MAIL, SMS]),
        (NoticeKind.EMAIL_REFUSED, []),
        (NoticeKind.EMAIL_LOST, []),
        (NoticeKind.PHONE_REFUSED, []),
    ],
)
def test_each_kind_has_its_channels(kind, media) -> None:
    assert media_for(kind, make_member(), BOTH) == media


def test_every_kind_has_an_entry_for_its_media() -> None:
    assert set(MEDIA_BY_KIND) == set(NoticeKind)


def test_a_member_with_browsers_gets_push_messages_as_well() -> None:
    with_browser = make_member(push_browsers=(PushBrowserId(UUID(int=2)),))

    assert media_for(NoticeKind.WITHHELD, with_browser, BOTH) == [MAIL, SMS, Medium.PUSH]
    assert media_for(NoticeKind.EXPIRING, with_browser, BOTH) == [MAIL]
    quiet = msgspec.structs.replace(with_browser, sms_on=False, email_on=False)
    assert media_for(NoticeKind.WITHHELD, quiet, BOTH) == [Medium.PUSH]
    unproved = msgspec.structs.replace(with_browser, email_verified=False)
    assert media_for(NoticeKind.WITHHELD, unproved, BOTH) == []


def test_an_installation_without_sms_sends_none() -> None:
    rules = ChannelPolicy(media=frozenset({MAIL}), sms_from_hour=6)

    assert media_for(NoticeKind.WITHHELD, make_member(), rules) == [MAIL]


@given(
    st.sampled_from(NoticeKind),
    st.fixed_dictionaries({
        "email_verified": st.booleans(),
        "email_on": st.booleans(),
        "phone_verified": st.booleans(),
        "sms_on": st.booleans(),
    }),
    st.frozensets(st.sampled_from(Medium)),
)  # fmt: skip
def test_only_verified_and_chosen_channels_are_used(kind, flags, available) -> None:
    media = media_for(kind, make_member(**flags), ChannelPolicy(media=available, sms_from_hour=6))

    assert len(media) == len(set(media))
    assert set(media) <= available & MEDIA_BY_KIND[kind]
    assert MAIL not in media or (flags["email_verified"] and flags["email_on"])
    assert SMS not in media or (flags["phone_verified"] and flags["sms_on"])


def test_the_panel_shows_a_notice_to_every_member_with_a_verified_address() -> None:
    quiet, unproved = make_member(email_on=False, sms_on=False), make_member(email_verified=False)

    assert visible_to([quiet, unproved]) == [quiet]


def test_a_notice_of_a_drivers_status_has_the_type_driver_status() -> None:
    types = {kind: notification_type(kind) for kind in NoticeKind}

    assert {kind for kind, type_ in types.items() if type_ == "driver_status"} == {
        NoticeKind.WITHHELD,
        NoticeKind.RESTORED,
        NoticeKind.ATTENTION,
        NoticeKind.CONFIRMED,
        NoticeKind.NOT_FOUND,
        NoticeKind.CATEGORY_INVALID,
    }
    other_types = [type_ for type_ in types.values() if type_ != "driver_status"]
    assert len(set(other_types)) == len(other_types)


def warsaw_time(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=WARSAW)


@pytest.mark.parametrize(
    ("now", "send_time"),
    [
        (warsaw_time(21, 5, 59), warsaw_time(21, 6)),
        (warsaw_time(21, 6), None),
        (warsaw_time(21, 21, 59), None),
        (warsaw_time(21, 22), warsaw_time(22, 6)),
        (warsaw_time(21, 0, 30), warsaw_time(21, 6)),
        (warsaw_time(30, 23), datetime(2026, 12, 1, 6, tzinfo=WARSAW)),
        (datetime(2026, 3, 29, 1, 30, tzinfo=WARSAW), datetime(2026, 3, 29, 6, tzinfo=WARSAW)),
        (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), datetime(2026, 10, 25, 6, tzinfo=WARSAW)),
    ],
)
def test_an_sms_waits_for_six_in_warsaw_at_night(now, send_time) -> None:
    assert earliest_send_time(SMS, now.astimezone(UTC), BOTH) == send_time


def test_a_mail_is_never_delayed() -> None:
    assert earliest_send_time(MAIL, warsaw_time(21, 3), BOTH) is None


def test_hour_zero_sends_an_sms_at_any_time() -> None:
    rules = ChannelPolicy(media=BOTH.media, sms_from_hour=0)

    assert earliest_send_time(SMS, warsaw_time(21, 23), rules) is None
    assert earliest_send_time(SMS, warsaw_time(21, 0), rules) is None


@given(st.integers(0, 2 * 365 * 24 * 60), st.integers(0, 23))
def test_an_sms_waits_less_than_a_day_and_never_for_the_past(minute, hour) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minute)

    send_time = earliest_send_time(SMS, now, ChannelPolicy(media=BOTH.media, sms_from_hour=hour))

    if send_time is not None:
        assert now < send_time <= now + timedelta(hours=24)
        assert send_time.astimezone(WARSAW).hour == hour
