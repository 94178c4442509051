"""A week with real changes and an outage sends exactly what the table of changes says."""

from datetime import datetime, timedelta

import pytest

from prawko.base.clock import WARSAW, warsaw_day
from prawko.hooks.licence_register import RegisterError, RegisterTrouble
from prawko.testing.fakes import answer, withheld

pytestmark = pytest.mark.anyio

DOWN = RegisterError(RegisterTrouble.UNAVAILABLE, "down")
VALID, INVALID, LOST, GONE = "valid", "invalid", "lost", "gone"
# What the register says from Monday to Sunday; on Thursday it says nothing.
WEEK = {
    "AA000001": (VALID, VALID, VALID, VALID, VALID, VALID, VALID),
    "AA000002": (VALID, INVALID, INVALID, VALID, INVALID, VALID, VALID),
    "AA000003": (INVALID, INVALID, VALID, INVALID, INVALID, INVALID, INVALID),
    "AA000004": (VALID, LOST, LOST, LOST, VALID, LOST, INVALID),
    "AA000005": (VALID, GONE, GONE, GONE, GONE, VALID, VALID),
    "AA000006": (GONE, GONE, VALID, INVALID, VALID, GONE, GONE),
}
OUTAGE = 3
NOTICES = {
    "AA000001": [],
    "AA000002": ["withheld", "restored"],
    "AA000003": ["withheld", "restored", "withheld"],
    "AA000004": ["attention", "confirmed", "attention", "withheld"],
    "AA000005": ["not_found", "confirmed"],
    "AA000006": ["not_found", "confirmed", "not_found"],
}


def said(number, word):
    return {
        VALID: answer(number),
        INVALID: withheld(number),
        LOST: answer(number, "Utracony", code="DICT003_UTR"),
        GONE: None,
    }[word]


async def test_a_week_sends_what_the_table_says_and_nothing_else(
    fleet, check, clock, register, mailbox
):
    monday = warsaw_day(clock.now()) + timedelta(days=1)
    clock.set(datetime(monday.year, monday.month, monday.day, 6, tzinfo=WARSAW))
    await fleet.add(list(WEEK), clock.now())
    for day in range(7):
        for number, words in WEEK.items():
            register.says[number] = DOWN if day == OUTAGE else said(number, words[day])
        for hours in (0, 1.01, 5):
            clock.forward(hours=hours)
            await check()
        await fleet.forget_trouble()
        clock.forward(hours=24 - 6.01)

    fates = await fleet.fates()
    assert {number: fate["notices"] or [] for number, fate in fates.items()} == NOTICES
    told = [kind for kinds in NOTICES.values() for kind in kinds]
    mails = [sent for sent in mailbox.sent if sent.recipient.email != "operator@prawko.test"]
    assert len(mails) == len([kind for kind in told if kind != "confirmed"])
    assert len({sent.key for sent in mails}) == len(mails)
    assert await fleet.value("SELECT count(*) FROM notification") == len(told)
    assert {fate["verifications"] for fate in fates.values()} == {6}
