"""A week of status changes with an outage sends exactly the notices of rule R12."""

from datetime import datetime, timedelta

import pytest

from prawko.hooks.licence_register import RegisterError, RegisterErrorKind
from prawko.kit.clock import WARSAW, warsaw_date
from prawko_testing.fakes import licence_answer, withheld_licence

pytestmark = pytest.mark.anyio

DOWN = RegisterError(RegisterErrorKind.UNAVAILABLE, "down")
VALID, INVALID, LOST, MISSING = "valid", "invalid", "lost", "missing"
# Answers of the register from Monday to Sunday; on Thursday it is down.
WEEK = {
    "AA000001": (VALID, VALID, VALID, VALID, VALID, VALID, VALID),
    "AA000002": (VALID, INVALID, INVALID, VALID, INVALID, VALID, VALID),
    "AA000003": (INVALID, INVALID, VALID, INVALID, INVALID, INVALID, INVALID),
    "AA000004": (VALID, LOST, LOST, LOST, VALID, LOST, INVALID),
    "AA000005": (VALID, MISSING, MISSING, MISSING, MISSING, VALID, VALID),
    "AA000006": (MISSING, MISSING, VALID, INVALID, VALID, MISSING, MISSING),
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


def answer_for(number, state):
    return {
        VALID: licence_answer(number),
        INVALID: withheld_licence(number),
        LOST: licence_answer(number, "Utracony", code="DICT003_UTR"),
        MISSING: None,
    }[state]


async def test_a_week_sends_exactly_the_expected_notices(
    fleet, run_check, clock, register, mailbox
):
    monday = warsaw_date(clock.now()) + timedelta(days=1)
    clock.set(datetime(monday.year, monday.month, monday.day, 6, tzinfo=WARSAW))
    await fleet.add_companies(list(WEEK), clock.now())
    for day in range(7):
        for number, states in WEEK.items():
            register.answers[number] = DOWN if day == OUTAGE else answer_for(number, states[day])
        for hours in (0, 1.01, 5):
            clock.forward(hours=hours)
            await run_check()
        await fleet.clear_rate_limiter()
        clock.forward(hours=24 - 6.01)

    rows = await fleet.driver_rows()
    assert {number: row["notices"] or [] for number, row in rows.items()} == NOTICES
    notices = [kind for kinds in NOTICES.values() for kind in kinds]
    mails = [sent for sent in mailbox.sent if sent.recipient.email != "operator@prawko.test"]
    assert len(mails) == len([kind for kind in notices if kind != "confirmed"])
    assert len({sent.idempotency_key for sent in mails}) == len(mails)
    assert await fleet.fetch_value("SELECT count(*) FROM notification") == len(notices)
    assert {row["verifications"] for row in rows.values()} == {6}
