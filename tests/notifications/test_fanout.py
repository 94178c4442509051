"""Recipients, media and send times of notices."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.accounts.roles import Role
from prawko.hooks.channels import Medium
from prawko.kit.clock import WARSAW
from prawko.kit.text.i18n import Language
from prawko.notifications.catalogue import CATALOGUE, NoticeGroup, NoticeKind
from prawko.notifications.fanout import (
    AddedRecipient,
    ChannelPolicy,
    Member,
    SmsHours,
    earliest_send_time,
    has_withheld_reader,
    may_see,
    media_for,
)
from prawko_tenants.ids import PushBrowserId, RecipientId, UserId

BOTH = ChannelPolicy(media=frozenset(Medium), sms_from_hour=6)
MAIL, SMS = Medium.EMAIL, Medium.SMS


STATUS, EXPIRY, BILLING = NoticeGroup
BROWSER_ID = PushBrowserId(UUID(int=2))


def make_member(**changes: Any) -> Member:
    values = {"email_verified": True, "email_on": True, "phone_verified": True, "sms_on": True}
    who = {"user_id": UserId(UUID(int=1)), "role": Role.MANAGER, "language": Language.PL}
    return Member(**{**who, **values, **changes})


def make_recipient(**changes: Any) -> AddedRecipient:
    values = {"confirmed": True, "stopped": False, "email_on": True}
    return AddedRecipient(
        recipient_id=RecipientId(UUID(int=2)), language=Language.PL, **{**values, **changes}
    )


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


def test_a_member_with_browsers_gets_push_messages_as_well() -> None:
    with_browser = make_member(push_browsers=(BROWSER_ID,))

    assert media_for(NoticeKind.WITHHELD, with_browser, BOTH) == [MAIL, SMS, Medium.PUSH]
    assert media_for(NoticeKind.EXPIRING, with_browser, BOTH) == [MAIL]
    quiet = msgspec.structs.replace(with_browser, sms_on=False, email_on=False)
    assert media_for(NoticeKind.WITHHELD, quiet, BOTH) == [Medium.PUSH]
    unproved = msgspec.structs.replace(with_browser, email_verified=False)
    assert media_for(NoticeKind.WITHHELD, unproved, BOTH) == []


# Kind → the media of a member who chose one group alone, each of the three in turn; then of all
# groups, those of a person without an account.
@pytest.mark.parametrize(
    ("kind", "status", "expiry", "billing", "added"),
    [
        (NoticeKind.WITHHELD, [MAIL, SMS], [], [], [MAIL]),
        (NoticeKind.RESTORED, [MAIL, SMS], [], [], [MAIL]),
        (NoticeKind.ATTENTION, [MAIL, SMS], [], [], [MAIL]),
        (NoticeKind.NOT_FOUND, [MAIL, SMS], [], [], [MAIL]),
        (NoticeKind.CATEGORY_INVALID, [MAIL, SMS], [], [], [MAIL]),
        (NoticeKind.CONFIRMED, [], [], [], []),
        (NoticeKind.RESULTS_STALE, [MAIL], [], [], [MAIL]),
        (NoticeKind.CHECKING_STOPPED, [MAIL, SMS], [], [], [MAIL]),
        (NoticeKind.EXPIRING, [], [MAIL], [], [MAIL]),
        (NoticeKind.EXPIRED, [], [MAIL], [], [MAIL]),
        (NoticeKind.TRIAL_ENDING, [], [], [MAIL], [MAIL]),
        (NoticeKind.TRIAL_ENDED, [MAIL, SMS], [], [MAIL, SMS], [MAIL]),
        (NoticeKind.SUBSCRIPTION_ENDING, [], [], [MAIL], [MAIL]),
        (NoticeKind.SUBSCRIPTION_ENDED, [MAIL, SMS], [], [MAIL, SMS], [MAIL]),
        (NoticeKind.PAYMENT_FAILED, [], [], [MAIL, SMS], [MAIL]),
        (NoticeKind.PAYMENT_CONSENT, [], [], [MAIL, SMS], [MAIL]),
        (NoticeKind.GRACE_STARTED, [], [], [MAIL, SMS], [MAIL]),
        # For members alone, whatever they chose.
        (NoticeKind.TEST_ALERT, [MAIL, SMS], [MAIL, SMS], [MAIL, SMS], []),
        (NoticeKind.MONTH_SUMMARY, [MAIL], [MAIL], [MAIL], []),
        (NoticeKind.RECIPIENT_STOPPED, [MAIL], [MAIL], [MAIL], []),
        (NoticeKind.RECIPIENT_MISSED, [], [], [], []),
        (NoticeKind.EMAIL_REFUSED, [], [], [], []),
        (NoticeKind.EMAIL_LOST, [], [], [], []),
        (NoticeKind.PHONE_REFUSED, [], [], [], []),
    ],
)
def test_each_kind_reaches_the_groups_it_concerns(kind, status, expiry, billing, added) -> None:
    for group, media in ((STATUS, status), (EXPIRY, expiry), (BILLING, billing)):
        assert media_for(kind, make_member(groups=frozenset({group})), BOTH) == media
    assert media_for(kind, make_recipient(), BOTH) == added


def test_a_member_switches_the_months_mail_off_alone() -> None:
    member = make_member(monthly_summary=False)

    assert media_for(NoticeKind.MONTH_SUMMARY, member, BOTH) == []
    assert media_for(NoticeKind.WITHHELD, member, BOTH) == [MAIL, SMS]


@pytest.mark.parametrize(
    ("changes", "media"),
    [
        ({}, [MAIL]),
        ({"confirmed": False}, []),
        ({"stopped": True}, []),
        ({"confirmed": False, "stopped": True}, []),
        ({"email_on": False}, []),
        ({"groups": frozenset()}, []),
        ({"groups": frozenset({EXPIRY, BILLING})}, []),
        ({"groups": frozenset({STATUS})}, [MAIL]),
    ],
)
def test_a_person_without_an_account_gets_mail_who_agreed_and_did_not_stop(changes, media) -> None:
    assert media_for(NoticeKind.WITHHELD, make_recipient(**changes), BOTH) == media


@pytest.mark.parametrize(
    ("members", "has_reader"),
    [
        ([], False),
        ([make_member()], True),
        ([make_member(sms_on=False)], True),
        ([make_member(email_on=False)], True),
        ([make_member(email_on=False, phone_verified=False)], False),
        # A browser forgets its subscription without a word.
        ([make_member(email_on=False, sms_on=False, push_browsers=(BROWSER_ID,))], False),
        ([make_member(email_verified=False)], False),
        ([make_member(groups=frozenset({EXPIRY, BILLING}))], False),
        ([make_member(groups=frozenset({EXPIRY})), make_member(email_on=False)], True),
    ],
)
def test_a_company_has_a_reader_of_withheld_licences_among_its_members(members, has_reader) -> None:
    assert has_withheld_reader(members, BOTH) is has_reader


def test_an_sms_alone_is_no_reader_where_none_are_sent() -> None:
    rules = ChannelPolicy(media=frozenset({MAIL}), sms_from_hour=6)

    assert not has_withheld_reader([make_member(email_on=False)], rules)


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
    assert set(media) <= available & CATALOGUE[kind].media
    assert MAIL not in media or (flags["email_verified"] and flags["email_on"])
    assert SMS not in media or (flags["phone_verified"] and flags["sms_on"])


def test_the_panel_shows_a_notice_to_every_member_with_a_verified_address() -> None:
    quiet, unproved = make_member(email_on=False, sms_on=False), make_member(email_verified=False)

    assert may_see(quiet, NoticeKind.WITHHELD)
    assert not may_see(unproved, NoticeKind.WITHHELD)


def test_an_accountant_gets_no_notice_that_says_something_of_drivers() -> None:
    accountant = make_member(role=Role.ACCOUNTANT)
    shown = {kind for kind in NoticeKind if may_see(accountant, kind)}

    assert {*NoticeKind} - shown == {
        "withheld", "restored", "attention", "confirmed", "not_found", "expiring", "expired",
        "category_invalid", "month_summary",
    }  # fmt: skip
    assert [
        kind for kind in NoticeKind if kind not in shown and media_for(kind, accountant, BOTH)
    ] == []
    assert all(may_see(make_member(role=Role.DISPATCHER), kind) for kind in NoticeKind)


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


@pytest.mark.parametrize(
    ("hours", "now", "send_time"),
    [
        (SmsHours(6, 18), warsaw_time(21, 5, 59), warsaw_time(21, 6)),
        (SmsHours(6, 18), warsaw_time(21, 6), None),
        (SmsHours(6, 18), warsaw_time(21, 17, 59), None),
        (SmsHours(6, 18), warsaw_time(21, 18), warsaw_time(22, 6)),
        (SmsHours(0, 6), warsaw_time(21, 0), None),
        (SmsHours(0, 6), warsaw_time(21, 6), warsaw_time(22, 0)),
        # Past midnight.
        (SmsHours(22, 6), warsaw_time(21, 21, 59), warsaw_time(21, 22)),
        (SmsHours(22, 6), warsaw_time(21, 22), None),
        (SmsHours(22, 6), warsaw_time(21, 0), None),
        (SmsHours(22, 6), warsaw_time(21, 5, 59), None),
        (SmsHours(22, 6), warsaw_time(21, 6), warsaw_time(21, 22)),
        # At any time.
        (SmsHours(0, 0), warsaw_time(21, 3), None),
        (SmsHours(7, 7), warsaw_time(21, 3), None),
        (SmsHours(7, 7), warsaw_time(21, 23), None),
        # On the days of the clock change; 2:00 is skipped on the first.
        (SmsHours(2, 3), datetime(2026, 3, 29, 0, 30, tzinfo=WARSAW),
         datetime(2026, 3, 29, 1, 0, tzinfo=UTC)),
        (SmsHours(3, 5), datetime(2026, 10, 25, 1, 30, tzinfo=UTC),
         datetime(2026, 10, 25, 2, 0, tzinfo=UTC)),
        (None, warsaw_time(21, 23), warsaw_time(22, 6)),
    ],
)  # fmt: skip
def test_an_sms_waits_for_the_readers_own_hours(hours, now, send_time) -> None:
    found = earliest_send_time(SMS, now.astimezone(UTC), BOTH, hours)

    # In UTC: a time that was skipped equals no other one.
    assert (found and found.astimezone(UTC)) == (send_time and send_time.astimezone(UTC))
    assert earliest_send_time(MAIL, now.astimezone(UTC), BOTH, hours) is None
    at_once = ChannelPolicy(media=BOTH.media, sms_from_hour=6, at_any_hour=True)
    assert earliest_send_time(SMS, now.astimezone(UTC), at_once, hours) is None


@given(st.integers(0, 2 * 365 * 24 * 60), st.integers(0, 23), st.integers(0, 23))
def test_own_hours_hold_an_sms_back_for_less_than_a_day(minute, start, end) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minute)
    hours = SmsHours(start, end)

    send_time = earliest_send_time(SMS, now, BOTH, hours)

    if send_time is not None:
        assert now < send_time <= now + timedelta(hours=25)
        assert earliest_send_time(SMS, send_time.astimezone(UTC), BOTH, hours) is None
