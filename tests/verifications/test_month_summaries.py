"""The mail about the month before: once for each company, by its own rows."""

from datetime import datetime

import msgspec
import pytest

from prawko.kit.clock import WARSAW
from prawko.verifications.month_summaries import send_month_summaries
from prawko_testing.fakes import licence_answer, withheld_licence
from support.people import deliver_outbox

pytestmark = pytest.mark.anyio

SUBJECT = "Podsumowanie miesiąca: październik 2026"
JAN, EWA = "AB000001", "AB000002"


def warsaw(*instant: int) -> datetime:
    return datetime(*instant, tzinfo=WARSAW)


@pytest.fixture
def summaries(worker, mailbox):
    """Run the job twice, as after a restart; return the month's mails of all people."""

    async def run() -> list:
        for _ in range(2):
            await send_month_summaries(worker)
            await deliver_outbox(worker)
        return [
            (one.recipient.email, one.message.text)
            for one in mailbox.sent
            if one.message.subject == SUBJECT
        ]

    return run


@pytest.fixture
async def october(anna, bartek, celina, clock, register, run_check, fleet):
    """Two checks of Anna's two drivers; one is withheld at 9:00 and taken off the road at 9:40.

    They were checked on the day before the month, too.
    """
    clock.set(warsaw(2026, 9, 30, 9))
    await fleet.admin.execute("UPDATE subscription SET end_date = $1, monitored_until = $1",
                              warsaw(2027, 3, 1))  # fmt: skip
    for number in (JAN, EWA):
        register.answers[number] = msgspec.structs.replace(licence_answer(""), number=number)
        await anna.add_driver(number)
    await run_check()
    clock.set(warsaw(2026, 10, 24, 9))
    await run_check()
    clock.set(warsaw(2026, 10, 26, 9))  # the clocks went back on the 25th
    register.answers[EWA] = msgspec.structs.replace(withheld_licence(""), number=EWA)
    await run_check()
    clock.forward(minutes=40)
    [ewa] = [one for one in await anna.list_drivers() if one["licenseNumber"] == EWA]
    body = {"since": ewa["episode"]["since"], "note": "kluczyki zdane"}
    answer = await anna.post(f"/api/drivers/{ewa['id']}/acknowledgements", body)
    assert answer.status_code == 200, answer.text


async def test_each_member_gets_the_months_figures_once(
    anna, bartek, october, clock, summaries
) -> None:
    clock.set(warsaw(2026, 11, 2, 7))
    assert await summaries() == []

    clock.set(warsaw(2026, 11, 12, 9))  # no worker ran on the first workdays
    mails = await summaries()

    assert sorted(address for address, _ in mails) == sorted([anna.email, bartek.email])
    for figure in (
        "Sprawdzenia: 4", "Alarmy (nie może jechać): 1", "mediana: 40 min (1 z 1)",
        "Nie mogą teraz jechać: 1",
    ):  # fmt: skip
        assert figure in mails[0][1], figure
    clock.set(warsaw(2026, 12, 1, 9))
    assert len(await summaries()) == 2


async def test_the_mail_is_not_sent_to_who_does_not_want_it_or_has_left(
    anna, bartek, october, clock, summaries, fleet
) -> None:
    changed = await anna.put("/api/alert-recipients/own", {"monthlySummary": False})
    assert changed.json()["monthlySummary"] is False
    await fleet.admin.execute(
        "DELETE FROM membership WHERE user_id = (SELECT id FROM user_account WHERE email = $1)",
        bartek.email,
    )
    clock.set(warsaw(2026, 11, 2, 9))

    assert await summaries() == []


@pytest.mark.parametrize(
    "end",
    [
        "UPDATE subscription SET end_date = '2026-11-01', monitored_until = '2026-11-01'",
        "DELETE FROM driver",
        "DELETE FROM verification WHERE verified_at > '2026-10-02'",
        "DELETE FROM verification WHERE verified_at < '2026-10-01'",
    ],
)
async def test_a_company_without_subscription_drivers_or_a_whole_month_gets_none(
    october, clock, summaries, fleet, end
) -> None:
    await fleet.admin.execute(end)
    clock.set(warsaw(2026, 11, 2, 9))

    assert await summaries() == []
